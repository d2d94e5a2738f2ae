import { closed, nullable, page, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { Currency } from "../../../accounts/clients/index.ts";
import { StageType, TargetDays } from "../../../accounts/pipelines/index.ts";
import { Deal, PipelineId, StageId, StageName } from "../schema.ts";

const DEALS_MAX = 50;

export const BoardQuery = Type.Object(
  {
    as_of: Type.Optional(Time),
    deals: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: DEALS_MAX,
        description: "How many deals of each stage to show, those that entered it last. Default 0",
        examples: [25],
      }),
    ),
    stage_id: Type.Optional(StageId),
    cursor: Type.Optional(
      Type.String({ ...page.cursor, description: "The next_cursor of a stage, for its next deals; needs its stage_id" }),
    ),
  },
  closed,
);
export type BoardQuery = Type.Static<typeof BoardQuery>;

const Count = Type.Integer({ minimum: 0, examples: [12] });

const Total = Type.Object(
  {
    currency: Currency,
    deals: Count,
    amount_cents: Count,
    weighted_cents: Type.Integer({
      minimum: 0,
      description:
        "Value of open deals multiplied by the probability of the stage; the value of a sale is its mrr_cents, of any other deal its amount_cents",
      examples: [6],
    }),
    mrr_cents: Count,
  },
  { ...closed, title: "BoardTotal" },
);

const { id, sale, name, company, plan, amount_cents, mrr_cents, currency, expected_close_on } = Deal.properties;
const { stage_entered_at, days_in_stage, owner_id, contact_id, client_id, lost_reason, tags, registration, version } =
  Deal.properties;

/** As much of a deal as a card of the board shows. */
export const BoardDeal = Type.Object(
  {
    id,
    sale,
    name,
    company,
    plan,
    amount_cents,
    mrr_cents,
    currency,
    expected_close_on,
    stage_entered_at,
    days_in_stage,
    days_over: Type.Integer({
      minimum: 0,
      description: "Whole days in the stage beyond its target_days; 0 without a target",
      examples: [3],
    }),
    owner_id,
    owner: nullable(Type.String({ description: "Name of the owner", examples: ["Nora Lindqvist"] })),
    contact_id,
    client_id,
    lost_reason,
    tags,
    registration,
    version,
  },
  { ...closed, title: "BoardDeal" },
);

const Column = Type.Object(
  {
    stage_id: StageId,
    stage: StageName,
    stage_type: StageType,
    probability: Type.Integer({ minimum: 0, maximum: 100 }),
    target_days: TargetDays,
    deals: Count,
    over_target: Type.Integer({
      minimum: 0,
      description: "Deals that have been in an open stage for more whole days than its target_days",
      examples: [1],
    }),
    totals: Type.Array(Total, { description: "One entry per currency" }),
    latest_deals: Type.Array(BoardDeal, {
      maxItems: DEALS_MAX,
      description: "The deals that entered the stage last, the latest first; as many as `deals` asks for",
    }),
    next_cursor: nullable(
      Type.String({
        description: "With the stage_id, the cursor of the deals that follow in this stage; null if there are none",
      }),
    ),
  },
  { ...closed, title: "BoardColumn" },
);

export const Board = Type.Object(
  { pipeline_id: PipelineId, as_of: Time, stages: Type.Array(Column, { description: "Stages in order" }) },
  { ...closed, title: "Board" },
);
