import { closed, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { Currency } from "../../../accounts/clients/index.ts";
import { StageType } from "../../../accounts/pipelines/index.ts";
import { PipelineId, StageId, StageName } from "../schema.ts";

export const BoardQuery = Type.Object({ as_of: Type.Optional(Time) }, closed);
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

const Column = Type.Object(
  {
    stage_id: StageId,
    stage: StageName,
    stage_type: StageType,
    probability: Type.Integer({ minimum: 0, maximum: 100 }),
    deals: Count,
    totals: Type.Array(Total, { description: "One entry per currency" }),
  },
  { ...closed, title: "BoardColumn" },
);

export const Board = Type.Object(
  { pipeline_id: PipelineId, as_of: Time, stages: Type.Array(Column, { description: "Stages in order" }) },
  { ...closed, title: "Board" },
);
