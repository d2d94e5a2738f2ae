import { closed, FreeText, Id, listOf, page, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { AccountId, customParameters, OwnerId } from "../../accounts/custom-fields/index.ts";
import { include, withIncluded } from "../contacts/index.ts";
import { LEAD_STATUSES, SOURCE_KINDS } from "./model.ts";
import { Lead } from "./schema.ts";

export const LEAD_SORTS = ["-created_at", "created_at", "name", "-updated_at", "-score"] as const;
export type LeadSort = (typeof LEAD_SORTS)[number];

export const LeadListQuery = Type.Object(
  {
    ...page,
    sort: Type.Optional(Type.Enum([...LEAD_SORTS], { description: "Sort order; a minus means descending. Default -created_at" })),
    ...include,
    account_id: Type.Optional(AccountId),
    status: Type.Optional(
      Type.Array(Type.Enum([...LEAD_STATUSES], { type: "string" }), {
        minItems: 1,
        maxItems: 5,
        uniqueItems: true,
        description: "Any of these values",
      }),
    ),
    converted: Type.Optional(Type.Boolean({ description: "Whether the lead is converted" })),
    contact_id: Type.Optional({ ...Id("contact"), description: "Leads that were converted to this contact" }),
    affiliate_link_id: Type.Optional({ ...Id("link"), description: "Leads that came by this affiliate link" }),
    owner_id: Type.Optional(OwnerId),
    tag: Type.Optional(
      Type.Array(FreeText(50, "A tag", "vip"), { minItems: 1, maxItems: 20, description: "Any of these values" }),
    ),
    company: Type.Optional(FreeText(200, "Full name of the company, not case-sensitive", "Harbour Dental")),
    source_kind: Type.Optional(Type.Enum([...SOURCE_KINDS])),
    source_name: Type.Optional(FreeText(2_000, "Full name of the source", "Contact form")),
    campaign: Type.Optional(FreeText(2_000, "Full UTM campaign", "spring-sale")),
    click_id: Type.Optional(FreeText(2_000, "Full click id", "Cj0KCQiA")),
    score_min: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: "Minimum score", examples: [50] })),
    created_after: Type.Optional(Time),
    created_before: Type.Optional(Time),
    updated_after: Type.Optional(Time),
    updated_before: Type.Optional(Time),
    q: Type.Optional(
      FreeText(
        100,
        "Full-text search in name, e-mail, phone, company and notes, not case-sensitive and tolerant of typos",
        "okafor",
      ),
    ),
  },
  { ...closed, ...customParameters },
);
export type LeadListQuery = Type.Static<typeof LeadListQuery>;

export const LeadList = listOf(withIncluded(Lead.properties, "ListedLead"), "LeadList");
