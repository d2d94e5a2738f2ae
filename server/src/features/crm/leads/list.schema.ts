import { Type } from "typebox";
import { closed, FreeText, listOf, page, Time } from "../../../platform/http/shapes.ts";
import { AccountId, customParameters, OwnerId } from "../../accounts/custom-fields/index.ts";
import { LEAD_STATUSES, SOURCE_KINDS } from "./model.ts";
import { Lead } from "./schema.ts";

export const LEAD_SORTS = ["-created_at", "created_at", "name", "-updated_at", "-score"] as const;
export type LeadSort = (typeof LEAD_SORTS)[number];

export const LeadListQuery = Type.Object(
  {
    ...page,
    sort: Type.Optional(Type.Enum([...LEAD_SORTS], { description: "A minus is downwards; -created_at unless told" })),
    account_id: Type.Optional(AccountId),
    status: Type.Optional(
      Type.Array(Type.Enum([...LEAD_STATUSES], { type: "string" }), {
        minItems: 1,
        maxItems: 5,
        uniqueItems: true,
        description: "any of these",
      }),
    ),
    converted: Type.Optional(Type.Boolean({ description: "whether it has become a contact" })),
    owner_id: Type.Optional(OwnerId),
    tag: Type.Optional(Type.Array(FreeText(50, "a tag", "vip"), { minItems: 1, maxItems: 20, description: "any of these" })),
    company: Type.Optional(FreeText(200, "a company's whole name; case does not matter", "Harbour Dental")),
    source_kind: Type.Optional(Type.Enum([...SOURCE_KINDS])),
    source_name: Type.Optional(FreeText(2_000, "the source's whole name", "Contact form")),
    campaign: Type.Optional(FreeText(2_000, "the whole utm campaign", "spring-sale")),
    click_id: Type.Optional(FreeText(2_000, "the click's whole id", "Cj0KCQiA")),
    score_min: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: "this score or more", examples: [50] })),
    created_after: Type.Optional(Time),
    created_before: Type.Optional(Time),
    updated_after: Type.Optional(Time),
    q: Type.Optional(
      FreeText(100, "text to find in name, e-mail, phone, company or notes; case and a slip of the pen do not matter", "okafor"),
    ),
  },
  { ...closed, ...customParameters },
);
export type LeadListQuery = Type.Static<typeof LeadListQuery>;

export const LeadList = listOf(Lead, "LeadList");
