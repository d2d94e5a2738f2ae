import { closed, Id, listOf, nullable, page, Time, Version } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { Branding } from "../../../accounts/clients/index.ts";
import { Grade } from "../../tiers/index.ts";
import { PARTNER_STATUSES } from "./model.ts";

const Company = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "\\S",
  description: "1 to 200 characters, not whitespace only",
  examples: ["Northwind Agency"],
});
const PersonName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "\\S",
  description: "1 to 200 characters, not whitespace only",
  examples: ["Nora Lindqvist"],
});
const Email = Type.String({
  format: "email",
  maxLength: 254,
  description: "An e-mail address",
  examples: ["nora@northwind.example"],
});
const Status = Type.Enum([...PARTNER_STATUSES], { type: "string" });
const ApiAccess = Type.Boolean({ description: "Whether the partner has access to the partner API during the private beta" });
const Pinned = Type.Boolean({
  description: "Whether the grade was set by hand, so that metrics do not change it. Setting a grade pins it",
  examples: [true],
});
const PinnedUntil = nullable(Type.String({ ...Time, description: "When the pin ends by itself; null: when somebody ends it" }));
const Currency = Type.String({
  format: "currency",
  description: "An ISO 4217 code in lower case, such as usd",
  examples: ["usd"],
});
const Reason = nullable(
  Type.String({ minLength: 1, maxLength: 500, description: "The reason, in your own words", examples: ["Payment dispute"] }),
);
const ParentId = nullable(Id("partner"));

export const PartnerCreate = Type.Object(
  {
    company: Company,
    owner: Type.Object({ name: PersonName, email: Email }, { ...closed, description: "The first user, who is invited as owner" }),
    grade: Type.Optional(Grade),
    parent_id: Type.Optional(ParentId),
    currency: Type.Optional(Currency),
    branding: Type.Optional(Branding),
    api_access: Type.Optional(ApiAccess),
  },
  { ...closed, title: "PartnerCreate" },
);
export type PartnerCreate = Type.Static<typeof PartnerCreate>;

export const PartnerPatch = Type.Partial(
  Type.Object({
    company: Company,
    parent_id: ParentId,
    grade: Grade,
    pinned: Pinned,
    pinned_until: PinnedUntil,
    api_access: ApiAccess,
  }),
  { ...closed, title: "PartnerPatch", minProperties: 1 },
);
export type PartnerPatch = Type.Static<typeof PartnerPatch>;

export const SuspensionReason = Type.Object({ reason: Type.Optional(Reason) }, { ...closed, title: "SuspensionReason" });

export const PartnerListQuery = Type.Object(
  {
    ...page,
    status: Type.Optional(Type.Array(Status, { minItems: 1, maxItems: PARTNER_STATUSES.length, uniqueItems: true })),
    grade: Type.Optional(Type.Array(Grade, { minItems: 1, maxItems: 20, uniqueItems: true })),
    parent_id: Type.Optional(Id("partner")),
    api_access: Type.Optional(Type.Boolean()),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: "^[\\p{L}\\p{N}'\"(&@#.][^\\p{C}\\ufffd]*$",
        description: "The beginning of the company name, ignoring case",
        examples: ["north"],
      }),
    ),
  },
  closed,
);
export type PartnerListQuery = Type.Static<typeof PartnerListQuery>;

export const Partner = Type.Object(
  {
    id: Id("partner"),
    parent_id: ParentId,
    company: Company,
    grade: Grade,
    pinned: Pinned,
    pinned_until: PinnedUntil,
    grace_until: nullable(
      Type.String({ ...Time, description: "When the partner loses its grade, because it no longer meets the requirements" }),
    ),
    status: Status,
    suspended_at: nullable(Time),
    suspension_reason: Reason,
    api_access: ApiAccess,
    branding: Branding,
    currency: Currency,
    house_account_id: Id("client"),
    owner: nullable(Type.Object({ id: Id("user"), name: PersonName, email: Email }, closed)),
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "Partner", description: "A partner as the operator sees it." },
);

export const PartnerList = listOf(Partner, "PartnerList");
