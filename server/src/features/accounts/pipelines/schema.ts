import { Type } from "typebox";
import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { AccountId, accountOfNew } from "../custom-fields/index.ts";
import { REQUIRABLE, STAGE_TYPES, STAGES_MAX } from "./model.ts";

const Name = (example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: "^\\S(.*\\S)?$",
    description: "1 to 100 characters, no blanks at its ends",
    examples: [example],
  });
const StageId = Id("stage");
const StageName = Name("Proposal");
const Probability = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: "how likely a win is from here, in percent: 100 in a won stage, 0 in a lost one",
  examples: [50],
});
const RequiredFields = Type.Array(
  Type.String({
    maxLength: 50,
    pattern: `^(${REQUIRABLE.join("|")}|custom\\.[a-z][a-z0-9_]{0,39})$`,
    description: `one of ${REQUIRABLE.join(", ")} or custom.<key>`,
    examples: ["amount_cents"],
  }),
  { maxItems: 50, uniqueItems: true, description: "what a deal must have to enter", examples: [["amount_cents"]] },
);
const TargetDays = nullable(
  Type.Integer({ minimum: 1, maximum: 3650, description: "how long a deal should stay at most", examples: [14] }),
);
export const StageType = Type.Enum([...STAGE_TYPES], { description: "A deal's status follows it" });

const StageGiven = Type.Object(
  {
    id: Type.Optional(StageId),
    name: StageName,
    type: StageType,
    probability: Type.Optional(Probability),
    required_fields: Type.Optional(RequiredFields),
    target_days: Type.Optional(TargetDays),
  },
  { ...closed, title: "StageGiven" },
);
const Stages = Type.Array(StageGiven, {
  minItems: 3,
  maxItems: STAGES_MAX,
  description: "the whole list in order, with at least one open, one won and one lost stage",
  examples: [
    [
      { name: "New", type: "open" },
      { name: "Won", type: "won" },
      { name: "Lost", type: "lost" },
    ],
  ],
});

const rule = {
  no_skip: Type.Boolean({ description: "deals move on one open stage at a time, and are won from the last" }),
  no_way_back: Type.Boolean({ description: "deals do not go back to a stage before, nor open again" }),
  require_lost_reason: Type.Boolean({ description: "a deal is lost only with a lost_reason" }),
};
const RulesGiven = Type.Object(
  {
    no_skip: Type.Optional(rule.no_skip),
    no_way_back: Type.Optional(rule.no_way_back),
    require_lost_reason: Type.Optional(rule.require_lost_reason),
  },
  { ...closed, title: "PipelineRulesGiven" },
);
const IsDefault = Type.Boolean({ description: "whether deals go here that name no pipeline; one of the account is it" });

export const PipelineCreate = Type.Object(
  {
    name: Name("Renewals"),
    stages: Type.Optional(Stages),
    rules: Type.Optional(RulesGiven),
    is_default: Type.Optional(IsDefault),
    ...accountOfNew,
  },
  { ...closed, title: "PipelineCreate" },
);
export type PipelineCreate = Type.Static<typeof PipelineCreate>;

export const PipelinePatch = Type.Object(
  {
    name: Type.Optional(Name("Renewals")),
    stages: Type.Optional(Stages),
    rules: Type.Optional(RulesGiven),
    is_default: Type.Optional(IsDefault),
    archived: Type.Optional(Type.Boolean({ description: "archived: keeps its deals, takes no new ones" })),
  },
  { ...closed, title: "PipelinePatch", minProperties: 1 },
);
export type PipelinePatch = Type.Static<typeof PipelinePatch>;

export const Stage = Type.Object(
  {
    id: StageId,
    name: StageName,
    type: StageType,
    probability: Probability,
    required_fields: RequiredFields,
    target_days: TargetDays,
  },
  { ...closed, title: "Stage" },
);

export const Pipeline = Type.Object(
  {
    id: Id("pipeline"),
    account_id: AccountId,
    name: Name("Sales"),
    is_default: IsDefault,
    rules: Type.Object(rule, { ...closed, title: "PipelineRules" }),
    stages: Type.Array(Stage, { description: "in order" }),
    archived: Type.Boolean(),
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "Pipeline" },
);

export const PipelineListQuery = Type.Object(
  {
    ...page,
    account_id: Type.Optional(AccountId),
    archived: Type.Optional(Type.Boolean({ description: "true for those that are archived, the others unless told" })),
  },
  closed,
);
export type PipelineListQuery = Type.Static<typeof PipelineListQuery>;

export const PipelineList = listOf(Pipeline, "PipelineList");
