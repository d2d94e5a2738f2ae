import { CENTS_MAX } from "../../../kernel/money.ts";
import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Currency, Grade, Months, Rate } from "../tiers/index.ts";
import { APPLIES_TO, SCOPES } from "./model.ts";

const Cents = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: CENTS_MAX, description, examples: [example] });

const Scope = Type.Enum([...SCOPES], {
  type: "string",
  description:
    "Whose sales it is for: of all partners, of those with a grade, of one partner, or those that came by one affiliate link. The narrowest rule applies",
  examples: ["programme"],
});

/** Whose sales a rule is for. It stays as it was created. */
const subject = {
  scope: Scope,
  grade: nullable(Grade),
  partner_id: nullable(Id("partner")),
  link_id: nullable(Id("link")),
};

const terms = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: "\\S",
    description: "1 to 200 characters, not whitespace only",
    examples: ["Growth plan, spring campaign"],
  }),
  priority: Type.Integer({
    minimum: -1000,
    maximum: 1000,
    description: "Of several rules of one scope that match, the one with the highest priority applies, then the oldest",
    examples: [10],
  }),
  active: Type.Boolean({ description: "false ends the rule: it applies to no further sale", examples: [true] }),
  plan: nullable(
    Type.String({ minLength: 1, maxLength: 100, pattern: "\\S", description: "Only sales of this plan", examples: ["Growth"] }),
  ),
  currency: nullable(Type.String({ ...Currency, description: "Only sales in this currency: an ISO 4217 code in lower case" })),
  min_mrr_cents: nullable(Cents("Only sales of at least this monthly recurring revenue, in minor units of currency", 10_000)),
  first: Rate,
  recurring: Rate,
  months: Months,
  applies_to: Type.Enum([...APPLIES_TO], {
    description:
      "new_deals: a sale keeps the terms that it was won with. all_charges: the rule is chosen again for each charge, so that a change applies to sales that were won before",
    examples: ["new_deals"],
  }),
};

/** What a version consists of. */
export const SUBJECT_FIELDS = Object.keys(subject) as (keyof typeof subject)[];
export const TERM_FIELDS = Object.keys(terms) as (keyof typeof terms)[];

export const CommissionRuleCreate = Type.Object(
  {
    name: terms.name,
    scope: Scope,
    grade: Type.Optional(subject.grade),
    partner_id: Type.Optional(subject.partner_id),
    link_id: Type.Optional(subject.link_id),
    priority: Type.Optional(terms.priority),
    active: Type.Optional(terms.active),
    plan: Type.Optional(terms.plan),
    currency: Type.Optional(terms.currency),
    min_mrr_cents: Type.Optional(terms.min_mrr_cents),
    first: Rate,
    recurring: Rate,
    months: Type.Optional(terms.months),
    applies_to: Type.Optional(terms.applies_to),
  },
  { ...closed, title: "CommissionRuleCreate" },
);
export type CommissionRuleCreate = Type.Static<typeof CommissionRuleCreate>;

export const CommissionRulePatch = Type.Partial(Type.Object(terms), {
  ...closed,
  title: "CommissionRulePatch",
  minProperties: 1,
});
export type CommissionRulePatch = Type.Static<typeof CommissionRulePatch>;

export const CommissionRule = Type.Object(
  {
    id: Id("rule"),
    ...subject,
    ...terms,
    created_by: Type.String({ description: "Who made this version", examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
    created_at: Type.String({ ...Time, description: "When this version was made" }),
    version: Version,
  },
  { ...closed, title: "CommissionRule", description: "What sales earn. Each change is a new version; earlier ones are kept." },
);
export type CommissionRuleShown = Type.Static<typeof CommissionRule>;

export const CommissionRuleList = listOf(CommissionRule, "CommissionRuleList");

export const VersionsQuery = Type.Object(page, closed);
export type VersionsQuery = Type.Static<typeof VersionsQuery>;

export const CommissionRuleListQuery = Type.Object(
  {
    ...page,
    scope: Type.Optional(Type.Array(Scope, { minItems: 1, maxItems: SCOPES.length, uniqueItems: true })),
    grade: Type.Optional(Grade),
    partner_id: Type.Optional(Id("partner")),
    link_id: Type.Optional(Id("link")),
    active: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type CommissionRuleListQuery = Type.Static<typeof CommissionRuleListQuery>;
