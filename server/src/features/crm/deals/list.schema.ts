import { closed, Day, FreeText, Id, listOf, page, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { AccountId, customParameters, OwnerId } from "../../accounts/custom-fields/index.ts";
import { include, withIncluded } from "../contacts/index.ts";
import { Deal, PipelineId, StageId } from "./schema.ts";

export const DEAL_SORTS = ["-created_at", "created_at", "name", "-updated_at", "expected_close_on", "-amount_cents"] as const;
export type DealSort = (typeof DEAL_SORTS)[number];

const Status = Type.Enum(["open", "won", "lost"], { type: "string" });

export const DealListQuery = Type.Object(
  {
    ...page,
    sort: Type.Optional(Type.Enum([...DEAL_SORTS], { description: "Sort order; a minus means descending. Default -created_at" })),
    ...include,
    account_id: Type.Optional(AccountId),
    sale: Type.Optional(Type.Boolean({ description: "true for sales, false for all other deals" })),
    pipeline_id: Type.Optional(PipelineId),
    stage_id: Type.Optional(
      Type.Array(StageId, { minItems: 1, maxItems: 50, uniqueItems: true, description: "Any of these values" }),
    ),
    stage: Type.Optional(
      Type.Array(FreeText(100, "The name of a stage", "Proposal"), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description: "Names of stages; any of these values",
      }),
    ),
    status: Type.Optional(
      Type.Array(Status, { minItems: 1, maxItems: 3, uniqueItems: true, description: "Any of these values" }),
    ),
    owner_id: Type.Optional(OwnerId),
    contact_id: Type.Optional(Id("contact")),
    client_id: Type.Optional(Id("client")),
    affiliate_link_id: Type.Optional({ ...Id("link"), description: "Deals that came by this affiliate link" }),
    company: Type.Optional(FreeText(200, "Full name of a company, not case-sensitive", "Harbour Dental")),
    external_id: Type.Optional(FreeText(200, "Your own id of the deal", "crm-4711")),
    tag: Type.Optional(
      Type.Array(FreeText(50, "A tag", "vip"), { minItems: 1, maxItems: 20, description: "Any of these values" }),
    ),
    created_after: Type.Optional(Time),
    created_before: Type.Optional(Time),
    updated_after: Type.Optional(Time),
    updated_before: Type.Optional(Time),
    closed_after: Type.Optional(Time),
    closed_before: Type.Optional(Time),
    expected_close_after: Type.Optional(Day),
    expected_close_before: Type.Optional(Day),
    q: Type.Optional(
      FreeText(100, "Full-text search in name, company and notes, not case-sensitive and tolerant of typos", "harbour"),
    ),
  },
  { ...closed, ...customParameters },
);
export type DealListQuery = Type.Static<typeof DealListQuery>;

export const DealList = listOf(withIncluded(Deal.properties, "ListedDeal"), "DealList");
