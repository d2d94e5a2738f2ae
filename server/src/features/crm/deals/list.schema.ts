import { Type } from "typebox";
import { closed, Day, FreeText, Id, listOf, page, Time } from "../../../platform/http/shapes.ts";
import { AccountId, customParameters, OwnerId } from "../../accounts/custom-fields/index.ts";
import { Deal, PipelineId, StageId } from "./schema.ts";

export const DEAL_SORTS = ["-created_at", "created_at", "name", "-updated_at", "expected_close_on"] as const;
export type DealSort = (typeof DEAL_SORTS)[number];

const Status = Type.Enum(["open", "won", "lost"], { type: "string" });

export const DealListQuery = Type.Object(
  {
    ...page,
    sort: Type.Optional(Type.Enum([...DEAL_SORTS], { description: "A minus is downwards; -created_at unless told" })),
    account_id: Type.Optional(AccountId),
    sale: Type.Optional(Type.Boolean({ description: "true for the sales of the partner's own, false for the clients' deals" })),
    pipeline_id: Type.Optional(PipelineId),
    stage_id: Type.Optional(Type.Array(StageId, { minItems: 1, maxItems: 50, uniqueItems: true, description: "any of these" })),
    status: Type.Optional(Type.Array(Status, { minItems: 1, maxItems: 3, uniqueItems: true, description: "any of these" })),
    owner_id: Type.Optional(OwnerId),
    contact_id: Type.Optional(Id("contact")),
    client_id: Type.Optional(Id("client")),
    external_id: Type.Optional(FreeText(200, "your own id of the deal", "crm-4711")),
    tag: Type.Optional(Type.Array(FreeText(50, "a tag", "vip"), { minItems: 1, maxItems: 20, description: "any of these" })),
    created_after: Type.Optional(Time),
    created_before: Type.Optional(Time),
    updated_after: Type.Optional(Time),
    expected_close_after: Type.Optional(Day),
    expected_close_before: Type.Optional(Day),
    q: Type.Optional(
      FreeText(100, "text to find in name, company or notes; case and a slip of the pen do not matter", "harbour"),
    ),
  },
  { ...closed, ...customParameters },
);
export type DealListQuery = Type.Static<typeof DealListQuery>;

export const DealList = listOf(Deal, "DealList");
