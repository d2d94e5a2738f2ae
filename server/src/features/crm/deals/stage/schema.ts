import { ActorName, closed, Id, listOf, nullable, page, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { StageType } from "../../../accounts/pipelines/index.ts";
import { LostReason, PipelineId, StageId, StageName } from "../schema.ts";

const Note = nullable(
  Type.String({ minLength: 1, maxLength: 1_000, description: "Note for the stage history", examples: ["Asked for an offer."] }),
);

export const StageMove = Type.Object(
  {
    stage_id: Type.Optional(StageId),
    stage: Type.Optional(StageName),
    pipeline_id: Type.Optional(
      Type.String({ ...PipelineId, description: "Pipeline of the stage, to move the deal to another pipeline" }),
    ),
    expected_stage: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: "Id or name of the stage that the deal is expected to be in; the move fails if it is in another",
        examples: ["Qualified"],
      }),
    ),
    lost_reason: Type.Optional(LostReason),
    note: Type.Optional(Note),
    dry_run: Type.Optional(
      Type.Boolean({ description: "true checks the move and returns the resulting deal without saving it" }),
    ),
  },
  { ...closed, title: "StageMove", examples: [{ stage: "Proposal", expected_stage: "Qualified" }] },
);
export type StageMove = Type.Static<typeof StageMove>;

const Interval = Type.Object(
  {
    pipeline_id: PipelineId,
    stage_id: StageId,
    stage: StageName,
    stage_type: StageType,
    entered_at: Time,
    left_at: nullable(Time),
    days: Type.Integer({ minimum: 0, description: "Whole days in the stage, until now for the current one" }),
    moved_by: Type.String({
      description: "Key or user that moved the deal",
      examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"],
    }),
    moved_by_name: ActorName,
    note: Note,
  },
  { ...closed, title: "DealInterval" },
);

const { pipeline_id: _, ...withoutPipeline } = Interval.properties;

const StageInterval = Type.Object(
  {
    deal_id: Id("deal"),
    deal: Type.String({ description: "Name of the deal", examples: ["Ten seats"] }),
    account_id: Id("client"),
    account: Type.String({ description: "Company of the account", examples: ["Harbour Dental"] }),
    pipeline_id: PipelineId,
    pipeline: Type.String({ description: "Name of the pipeline", examples: ["Sales"] }),
    ...withoutPipeline,
  },
  { ...closed, title: "StageInterval" },
);

export const StageHistoryQuery = Type.Object(
  {
    ...page,
    account_id: Type.Optional(Id("client")),
    pipeline_id: Type.Optional(PipelineId),
    entered_after: Type.Optional(Time),
    entered_before: Type.Optional(Time),
  },
  closed,
);
export type StageHistoryQuery = Type.Static<typeof StageHistoryQuery>;
export const StageHistory = listOf(StageInterval, "StageHistory");

export const HistoryQuery = Type.Object(page, closed);
export const DealHistory = listOf(Interval, "DealHistory");
