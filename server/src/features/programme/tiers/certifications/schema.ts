import { closed, Id, listOf, nullable, page, Time, Version } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { Grade } from "../schema.ts";

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: "^\\S(.*\\S)?$",
    description: "Unique, not case-sensitive. 1 to 200 characters without leading or trailing whitespace",
    examples: ["Onboarding specialist"],
  }),
  description: nullable(
    Type.String({ minLength: 1, maxLength: 2000, description: "What it takes", examples: ["Two onboarded clients and an exam"] }),
  ),
  valid_days: nullable(
    Type.Integer({ minimum: 1, maximum: 3650, description: "For how long it is held; null: without end", examples: [365] }),
  ),
  lifts_to: nullable(Type.String({ ...Grade, description: "The grade that a partner has at least while it holds this" })),
};
const Archived = Type.Boolean({
  description: "Whether it is no longer granted. Partners that hold it keep it",
  examples: [false],
});

/** The columns of the update, and what audit entries compare. */
export const CERTIFICATION_FIELDS = [...(Object.keys(fields) as (keyof typeof fields)[]), "archived"] as const;

export const CertificationCreate = Type.Object(
  {
    name: fields.name,
    description: Type.Optional(fields.description),
    valid_days: Type.Optional(fields.valid_days),
    lifts_to: Type.Optional(fields.lifts_to),
  },
  { ...closed, title: "CertificationCreate" },
);
export type CertificationCreate = Type.Static<typeof CertificationCreate>;

export const CertificationPatch = Type.Partial(Type.Object({ ...fields, archived: Archived }), {
  ...closed,
  title: "CertificationPatch",
  minProperties: 1,
});
export type CertificationPatch = Type.Static<typeof CertificationPatch>;

export const Certification = Type.Object(
  { id: Id("certification"), ...fields, archived: Archived, created_at: Time, updated_at: Time, version: Version },
  { ...closed, title: "Certification", description: "What partners can be certified in." },
);
export type CertificationShown = Type.Static<typeof Certification>;

export const CertificationList = listOf(Certification, "CertificationList");

export const CertificationListQuery = Type.Object({ ...page, archived: Type.Optional(Type.Boolean()) }, closed);
export type CertificationListQuery = Type.Static<typeof CertificationListQuery>;
