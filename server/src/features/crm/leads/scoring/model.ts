import { daysBetween } from "../../../accounts/clients/index.ts";
import type { Lead } from "../model.ts";

export const OPS = ["is", "is_not", "in", "contains", "exists", "missing", "gt", "lt"] as const;
export type Op = (typeof OPS)[number];

type Scalar = string | number | boolean;
export type Rule = { name: string; field: string; op: Op; value?: Scalar | Scalar[]; points: number };

/** The columns of a lead that rules read. */
export const SCORED_COLUMNS = [
  "status",
  "source",
  "name",
  "phone",
  "email",
  "company",
  "title",
  "country",
  "owner_id",
  "tags",
  "custom",
  "activity_count",
  "created_at",
  "last_activity_at",
] as const satisfies (keyof Lead)[];
export type Scored = Pick<Lead, (typeof SCORED_COLUMNS)[number]>;

type Value = Scalar | readonly string[] | null | undefined;

/** The fields that a rule can test, besides `custom.<key>`. */
const TEXTS: Record<string, (lead: Scored) => string | readonly string[] | null | undefined> = {
  status: ({ status }) => status,
  name: ({ name }) => name,
  phone: ({ phone }) => phone,
  email: ({ email }) => email,
  company: ({ company }) => company,
  title: ({ title }) => title,
  country: ({ country }) => country,
  owner_id: ({ owner_id }) => owner_id,
  tags: ({ tags }) => tags,
  "source.kind": ({ source }) => source.kind,
  "source.name": ({ source }) => source.name,
  "source.url": ({ source }) => source.url,
  "source.referrer": ({ source }) => source.referrer,
  "source.click_id": ({ source }) => source.click_id,
  "source.utm.source": ({ source }) => source.utm?.source,
  "source.utm.medium": ({ source }) => source.utm?.medium,
  "source.utm.campaign": ({ source }) => source.utm?.campaign,
};
const NUMBERS: Record<string, (lead: Scored, now: Date) => number> = {
  activity_count: ({ activity_count }) => activity_count,
  age_days: ({ created_at }, now) => daysBetween(created_at, now),
  idle_days: ({ last_activity_at }, now) => daysBetween(last_activity_at, now),
};

export const RULE_FIELDS = [...Object.keys(TEXTS), ...Object.keys(NUMBERS)];
/** Fields whose value changes as time passes. */
export const TIMED_FIELDS = ["age_days", "idle_days"];
export const CUSTOM = "custom.";

/** The rules of an account until it sets its own. */
export const DEFAULT_RULES: Rule[] = [
  { name: "Can be called", field: "phone", op: "exists", points: 15 },
  { name: "Can be written to", field: "email", op: "exists", points: 10 },
  { name: "Named a company", field: "company", op: "exists", points: 10 },
  { name: "Was sent by somebody", field: "source.kind", op: "in", value: ["referral", "affiliate"], points: 15 },
  { name: "Came by a campaign", field: "source.utm.campaign", op: "exists", points: 5 },
  { name: "Is worked on", field: "status", op: "is", value: "working", points: 10 },
  { name: "Is qualified", field: "status", op: "is", value: "qualified", points: 30 },
  { name: "Is disqualified", field: "status", op: "is", value: "disqualified", points: -60 },
  { name: "Was spoken to", field: "activity_count", op: "gt", value: 1, points: 10 },
  { name: "Has gone quiet", field: "idle_days", op: "gt", value: 30, points: -15 },
];

export type Score = { score: number; breakdown: { rule: string; points: number; matched: boolean }[] };

/** The sum of the points of the matching rules, limited to 0 to 100. */
export function scoreOf(rules: readonly Rule[], lead: Scored, now: Date): Score {
  const breakdown = rules.map((rule) => ({
    rule: rule.name,
    points: rule.points,
    matched: matches(rule, actualOf(rule, lead, now)),
  }));
  const sum = breakdown.reduce((total, { points, matched }) => total + (matched ? points : 0), 0);
  return { score: Math.min(Math.max(sum, 0), 100), breakdown };
}

function actualOf({ field }: Rule, lead: Scored, now: Date): Value {
  if (field.startsWith(CUSTOM)) {
    const key = field.slice(CUSTOM.length);
    return Object.hasOwn(lead.custom, key) ? lead.custom[key] : undefined;
  }
  return TEXTS[field]?.(lead) ?? NUMBERS[field]?.(lead, now);
}

/** Compares without case. A list matches if one of its items does. */
function matches({ op, value }: Rule, actual: Value): boolean {
  const actuals = (Array.isArray(actual) ? actual : [actual]).filter((one) => one !== null && one !== undefined && one !== "");
  const wanted = Array.isArray(value) ? value : [value];
  const some = (test: (one: Scalar, other: Scalar) => boolean) =>
    actuals.some((one) => wanted.some((other) => other !== undefined && test(one, other)));
  switch (op) {
    case "exists":
      return actuals.length > 0;
    case "missing":
      return actuals.length === 0;
    case "is":
    case "in":
      return some((one, other) => folded(one) === folded(other));
    case "is_not":
      return !some((one, other) => folded(one) === folded(other));
    case "contains":
      return Array.isArray(actual)
        ? some((one, other) => folded(one) === folded(other))
        : some((one, other) => String(folded(one)).includes(String(folded(other))));
    case "gt":
      return some((one, other) => typeof one === "number" && one > Number(other));
    case "lt":
      return some((one, other) => typeof one === "number" && one < Number(other));
  }
}

function folded(value: Scalar): Scalar {
  return typeof value === "string" ? value.toLowerCase() : value;
}

type RuleFault = { member: "field" | "value"; code: string; detail: string };

/** The first fault of a rule: each operator takes its own type of value, and only numbers can be compared by size. */
export function faultOf({ field, op, value }: Rule, keys: readonly string[]): RuleFault | null {
  const fault = (member: RuleFault["member"], code: string, detail: string) => ({ member, code, detail });
  if (field.startsWith(CUSTOM) && !keys.includes(field.slice(CUSTOM.length)))
    return fault("field", "unknown_custom_field", `${field} is not a custom field of this account's leads.`);
  const bare = op === "exists" || op === "missing";
  if (bare) return value === undefined ? null : fault("value", "not_of_op", `${op} takes no value.`);
  if (value === undefined) return fault("value", "required_by_op", `${op} requires a value.`);
  if (Array.isArray(value) !== (op === "in"))
    return fault("value", "not_of_op", `${op} takes ${op === "in" ? "a list" : "one value"}.`);
  if (op === "contains" && typeof value !== "string") return fault("value", "not_of_op", "contains takes text.");
  if (op !== "gt" && op !== "lt") return null;
  if (typeof value !== "number") return fault("value", "not_of_op", `${op} takes a number.`);
  return field in TEXTS ? fault("field", "not_of_op", `${field} is not a number, so ${op} cannot compare it.`) : null;
}
