import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { AccountId, accountOfNew } from "../custom-fields/index.ts";
import { REQUIRABLE, STAGE_TYPES, STAGES_MAX } from "./model.ts";

const Name = (example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: "^\\S(.*\\S)?$",
    description: "1 to 100 characters without leading or trailing whitespace",
    examples: [example],
  });
const StageId = Id("stage");
const StageName = Name("Proposal");
const Probability = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: "The probability of a win in percent: 100 in a won stage, 0 in a lost one",
  examples: [50],
});
const RequiredFields = Type.Array(
  Type.String({
    maxLength: 50,
    pattern: `^(${REQUIRABLE.join("|")}|custom\\.[a-z][a-z0-9_]{0,39})$`,
    description: `One of ${REQUIRABLE.join(", ")} or custom.<key>`,
    examples: ["amount_cents"],
  }),
  { maxItems: 50, uniqueItems: true, description: "Fields that a deal needs to enter the stage", examples: [["amount_cents"]] },
);
export const TargetDays = nullable(
  Type.Integer({ minimum: 1, maximum: 3650, description: "The target for the time in the stage, in days", examples: [14] }),
);
export const StageType = Type.Enum([...STAGE_TYPES], { description: "Determines the status of the deals in the stage" });

const stage = {
  name: StageName,
  type: StageType,
  probability: Type.Optional(Probability),
  required_fields: Type.Optional(RequiredFields),
  target_days: Type.Optional(TargetDays),
};
const StageInput = Type.Object({ id: Type.Optional(StageId), ...stage }, { ...closed, title: "StageInput" });
const stagesOf = {
  minItems: 3,
  maxItems: STAGES_MAX,
  description: "The whole list in order, with at least one open, one won and one lost stage",
};
const Stages = Type.Array(StageInput, {
  ...stagesOf,
  examples: [
    [
      { name: "New", type: "open" },
      { name: "Won", type: "won" },
      { name: "Lost", type: "lost" },
    ],
  ],
});

const rules = {
  no_skip: Type.Boolean({ description: "Deals move forward one open stage at a time, and are won from the last one" }),
  no_way_back: Type.Boolean({ description: "Deals neither return to a previous stage nor reopen" }),
  require_lost_reason: Type.Boolean({ description: "A deal needs a lost_reason to be lost" }),
};
const RulesInput = Type.Partial(Type.Object(rules), { ...closed, title: "PipelineRulesInput" });
const IsDefault = Type.Boolean({
  description: "Whether the pipeline takes deals that name none. Exactly one of an account does.",
});

export const PipelineCreate = Type.Object(
  {
    name: Name("Renewals"),
    stages: Type.Optional(Stages),
    rules: Type.Optional(RulesInput),
    is_default: Type.Optional(IsDefault),
    ...accountOfNew,
  },
  { ...closed, title: "PipelineCreate" },
);
export type PipelineCreate = Type.Static<typeof PipelineCreate>;

/** A pipeline as snapshots have it. Its stages have keys, by which later versions find them. */
export const PipelineSpec = Type.Object(
  {
    name: Name("Renewals"),
    is_default: Type.Optional(IsDefault),
    rules: Type.Optional(RulesInput),
    stages: Type.Array(
      Type.Object(
        {
          key: Type.String({
            pattern: "^[a-z][a-z0-9_.-]{0,63}$",
            description: "Stays the same in all versions",
            examples: ["offer"],
          }),
          ...stage,
        },
        { ...closed, title: "StageSpec" },
      ),
      stagesOf,
    ),
  },
  { ...closed, title: "PipelineSpec" },
);

export const PipelinePatch = Type.Object(
  {
    name: Type.Optional(Name("Renewals")),
    stages: Type.Optional(Stages),
    rules: Type.Optional(RulesInput),
    is_default: Type.Optional(IsDefault),
    archived: Type.Optional(Type.Boolean({ description: "An archived pipeline keeps its deals and takes no new ones" })),
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
    rules: Type.Object(rules, { ...closed, title: "PipelineRules" }),
    stages: Type.Array(Stage, { description: "In order" }),
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
    archived: Type.Optional(Type.Boolean({ description: "true lists archived pipelines, false (the default) the others" })),
  },
  closed,
);
export type PipelineListQuery = Type.Static<typeof PipelineListQuery>;

export const PipelineList = listOf(Pipeline, "PipelineList");
