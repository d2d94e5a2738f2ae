import { closed, Id, listOf, nullable, page, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";

export const CertificationGrantCreate = Type.Object(
  {
    certification_id: Id("certification"),
    expires_at: Type.Optional(
      nullable(
        Type.String({
          ...Time,
          description: "When it ends. Default: after the days that the certification is valid; null: never",
          examples: ["2099-11-02T09:30:00.000Z"],
        }),
      ),
    ),
  },
  { ...closed, title: "CertificationGrantCreate" },
);
export type CertificationGrantCreate = Type.Static<typeof CertificationGrantCreate>;

export const CertificationGrant = Type.Object(
  {
    id: Id("certification_grant"),
    certification_id: Id("certification"),
    certification: Type.String({ description: "Name of the certification", examples: ["Sales"] }),
    granted_by: Type.String({
      description: "Id of the key or user that granted it",
      examples: ["usr_01jd3k5y5cf7m8n9p0q1r2s3t4"],
    }),
    granted_at: Time,
    expires_at: nullable(Time),
    ended_at: nullable(Time),
    end_reason: nullable(Type.Enum(["expired", "revoked"], { type: "string" })),
  },
  { ...closed, title: "CertificationGrant", description: "A certification that a partner holds, or held until `ended_at`." },
);

export const CertificationGrantListQuery = Type.Object(
  { ...page, held: Type.Optional(Type.Boolean({ description: "Only those that the partner holds, or only those that ended" })) },
  closed,
);
export type CertificationGrantListQuery = Type.Static<typeof CertificationGrantListQuery>;

export const CertificationGrantList = listOf(CertificationGrant, "CertificationGrantList");
