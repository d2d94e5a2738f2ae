import { closed, Time, Version } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { AccountId, accountOfNew } from "../../../accounts/custom-fields/index.ts";
import { OPS, RULE_FIELDS } from "./model.ts";

export const RULES_MAX = 50;

const Scalar = Type.Union([Type.String({ maxLength: 200 }), Type.Number(), Type.Boolean()]);
const Scalars = Type.Array(Scalar, { minItems: 1, maxItems: 100 });
const compared = { description: "Value to compare with: none for exists and missing, a list for in, a number for gt and lt" };

const Rule = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: "\\S",
      description: "Name of the rule",
      examples: ["Can be called"],
    }),
    field: Type.String({
      pattern: `^(${RULE_FIELDS.map((field) => field.replaceAll(".", "\\.")).join("|")}|custom\\.[a-z][a-z0-9_]{0,39})$`,
      description: `One of ${RULE_FIELDS.join(", ")}, custom.<key>`,
      examples: ["phone"],
    }),
    op: Type.Enum([...OPS], { examples: ["exists"] }),
    value: Type.Optional(Type.Union([Scalar, Scalars], compared)),
    points: Type.Integer({ minimum: -100, maximum: 100, examples: [15] }),
  },
  { ...closed, title: "ScoringRule" },
);

const Rules = Type.Array(Rule, { maxItems: RULES_MAX, description: "Rules, in any order" });

/** The rules as snapshots have them: each has a name of its own. */
export const ScoringSpec = Type.Object(
  {
    rules: Type.Array(
      Type.Object(
        { ...Rule.properties, value: Type.Optional(Type.Union([Scalar, Scalars, Type.Null()], compared)) },
        { ...closed, title: "ScoringRuleSpec" },
      ),
      { maxItems: RULES_MAX, description: "Rules, in any order" },
    ),
  },
  { ...closed, title: "LeadScoringSpec" },
);

export const ScoringQuery = Type.Object(accountOfNew, closed);
export type ScoringQuery = Type.Static<typeof ScoringQuery>;

export const ScoringPut = Type.Object({ rules: Rules, ...accountOfNew }, { ...closed, title: "ScoringPut" });
export type ScoringPut = Type.Static<typeof ScoringPut>;

export const Scoring = Type.Object(
  {
    account_id: AccountId,
    rules: Rules,
    rescoring: Type.Boolean({ description: "Whether leads are still being rescored after a change of the rules" }),
    updated_at: Type.Union([Time, Type.Null()], { description: "Time of the last change; null for the default rules" }),
    version: Version,
  },
  { ...closed, title: "Scoring" },
);

export const LeadScore = Type.Object(
  {
    score: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: "Sum of the points of the matching rules, from 0 to 100",
      examples: [25],
    }),
    breakdown: Type.Array(
      Type.Object({ rule: Rule.properties.name, points: Rule.properties.points, matched: Type.Boolean() }, closed),
    ),
  },
  { ...closed, title: "LeadScore" },
);
