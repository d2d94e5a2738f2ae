import { daysBetween } from "../../../accounts/clients/index.ts";
import type { Lead } from "../model.ts";

export const OPS = ["is", "is_not", "in", "contains", "exists", "missing", "gt", "lt"] as const;
export type Op = (typeof OPS)[number];

type Scalar = string | number | boolean;
export type Rule = { name: string; field: string; op: Op; value?: Scalar | Scalar[]; points: number };

/** As much of a lead as rules look at. */
export type Scored = Pick<
  Lead,
  | "status"
  | "source"
  | "name"
  | "phone"
  | "email"
  | "company"
  | "title"
  | "country"
  | "owner_id"
  | "tags"
  | "custom"
  | "activity_count"
  | "created_at"
  | "last_activity_at"
>;

type Value = Scalar | readonly string[] | null | undefined;

/** What a rule can ask about, besides `custom.<key>`. */
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
/** Fields whose value changes while nobody does anything. */
export const TIMED_FIELDS = ["age_days", "idle_days"];
export const CUSTOM = "custom.";

/** What an account scores by until it has rules of its own. */
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

/** The points of the rules that fit, added up and kept between 0 and 100. */
export function scoreOf(rules: readonly Rule[], lead: Scored, now: Date): Score {
  const breakdown = rules.map((rule) => ({
    rule: rule.name,
    points: rule.points,
    matched: fits(rule, actualOf(rule, lead, now)),
  }));
  const sum = breakdown.reduce((total, { points, matched }) => total + (matched ? points : 0), 0);
  return { score: Math.min(Math.max(sum, 0), 100), breakdown };
}

function actualOf({ field }: Rule, lead: Scored, now: Date): Value {
  if (field.startsWith(CUSTOM)) return lead.custom[field.slice(CUSTOM.length)];
  return TEXTS[field]?.(lead) ?? NUMBERS[field]?.(lead, now);
}

/** A list is what it has in it: it is, is in and contains whatever one of its items is. Case does not matter. */
function fits({ op, value }: Rule, actual: Value): boolean {
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

type Wrong = { member: "field" | "value"; code: string; detail: string };

/** What is wrong with a rule, if anything is: each operator takes its own kind of value, and only numbers are greater or less. */
export function faultOf({ field, op, value }: Rule, keys: readonly string[]): Wrong | null {
  const wrong = (member: Wrong["member"], code: string, detail: string) => ({ member, code, detail });
  if (field.startsWith(CUSTOM) && !keys.includes(field.slice(CUSTOM.length)))
    return wrong("field", "unknown_custom_field", `${field} is not a field of this account's leads.`);
  const bare = op === "exists" || op === "missing";
  if (bare) return value === undefined ? null : wrong("value", "not_of_op", `${op} takes no value.`);
  if (value === undefined) return wrong("value", "required_by_op", `${op} needs a value.`);
  if (Array.isArray(value) !== (op === "in"))
    return wrong("value", "not_of_op", `${op} takes ${op === "in" ? "a list" : "one value"}.`);
  if (op === "contains" && typeof value !== "string") return wrong("value", "not_of_op", "contains takes text.");
  if (op !== "gt" && op !== "lt") return null;
  if (typeof value !== "number") return wrong("value", "not_of_op", `${op} takes a number.`);
  return field in TEXTS ? wrong("field", "not_of_op", `${field} is no number, so ${op} says nothing of it.`) : null;
}
