import { CENTS_MAX } from "../../../kernel/money.ts";
import { closed, Id, listOf, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { PLAN_STATES } from "./model.ts";

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: "^\\S(.*\\S)?$",
    description: "Unique, not case-sensitive. 1 to 100 characters without leading or trailing whitespace",
    examples: ["Growth"],
  }),
  prices: Type.Record(
    Type.String({ pattern: "^[a-z]{3}$" }),
    Type.Integer({ minimum: 0, maximum: CENTS_MAX, description: "Monthly price in minor units" }),
    {
      maxProperties: 50,
      additionalProperties: false,
      description: "Monthly prices in minor units, by ISO 4217 code in lower case",
      examples: [{ usd: 49_900, eur: 45_900 }],
    },
  ),
};
const State = Type.Enum([...PLAN_STATES], {
  type: "string",
  description:
    "active: partners sell it. archived: no longer sold. legacy: a name from before there was a catalogue, accepted but not listed to partners",
  examples: ["active"],
});

/** The columns of the update, and what audit entries compare. */
export const PLAN_FIELDS = ["name", "prices", "state"] as const;

export const PlanCreate = Type.Object(
  { name: fields.name, prices: Type.Optional(fields.prices) },
  { ...closed, title: "PlanCreate" },
);
export type PlanCreate = Type.Static<typeof PlanCreate>;

export const PlanPatch = Type.Partial(
  Type.Object({ ...fields, state: Type.Enum(["active", "archived"], { examples: ["active"] }) }),
  { ...closed, title: "PlanPatch", minProperties: 1 },
);
export type PlanPatch = Type.Static<typeof PlanPatch>;

export const Plan = Type.Object(
  { id: Id("plan"), ...fields, state: State, created_at: Time, updated_at: Time, version: Version },
  { ...closed, title: "Plan", description: "A plan that partners sell." },
);
export type PlanShown = Type.Static<typeof Plan>;

export const PlanList = listOf(Plan, "PlanList");

export const ActivePlansQuery = Type.Object(page, closed);
export const PlanListQuery = Type.Object(
  {
    ...page,
    state: Type.Optional(Type.Array(State, { minItems: 1, maxItems: PLAN_STATES.length, uniqueItems: true })),
  },
  closed,
);
export type PlanListQuery = Type.Static<typeof PlanListQuery>;
