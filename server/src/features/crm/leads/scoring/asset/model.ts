import type { Fault } from "../../../../../kernel/errors.ts";
import { type Asset, equal, type Spec } from "../../../../accounts/configuring/index.ts";
import { CUSTOM, DEFAULT_RULES, faultOf, type Rule } from "../model.ts";
import { ScoringSpec as ScoringSchema } from "../schema.ts";

/** A rule as a manifest has it: no value is null. */
type RuleSpec = Spec & Omit<Rule, "value"> & { value: NonNullable<Rule["value"]> | null };
type ScoringSpec = Spec & { rules: RuleSpec[] };

/** The singleton has always the same key. */
export const SCORING_KEY = "rules";

/** What rules are sorted by, as the database does it: by the code points of these texts. */
const orderOf = ({ name, field, op, value }: RuleSpec) => [name, field, op, textOf(value)].map((text) => Buffer.from(text));

/** The text of a value as the database writes it. */
function textOf(value: RuleSpec["value"]): string {
  return Array.isArray(value) ? `[${value.map((one) => JSON.stringify(one)).join(", ")}]` : JSON.stringify(value);
}

function compareRules(a: RuleSpec, b: RuleSpec): number {
  const others = orderOf(b);
  const differences = orderOf(a).map((text, index) => text.compare(others[index] ?? Buffer.alloc(0)));
  return differences.find((difference) => difference !== 0) ?? a.points - b.points;
}

function complete({ rules }: Spec): ScoringSpec {
  return { rules: (rules as RuleSpec[]).map((rule) => ({ ...rule, value: rule.value ?? null })).sort(compareRules) };
}

const BUILTIN = complete({ rules: DEFAULT_RULES } as unknown as Spec);

/** The rules of a spec as an account has them. The built-in ones are in their own order. */
export function rulesOf(spec: Spec): Rule[] {
  return equal(spec, BUILTIN) ? DEFAULT_RULES : (spec as ScoringSpec).rules.map(ruleOf);
}

function ruleOf({ name, field, op, value, points }: RuleSpec): Rule {
  return { name, field, op, ...(value === null ? {} : { value }), points };
}

const lower = ({ name }: Pick<Rule, "name">) => name.toLowerCase();

/** The index of each rule whose name an earlier one has. */
function repeated(rules: readonly RuleSpec[]): Set<number> {
  const names = rules.map(lower);
  return new Set(names.flatMap((name, index) => (names.indexOf(name) < index ? [index] : [])));
}

const OWNER = "owner_id";

function validate(spec: Spec): Fault[] {
  const { rules } = spec as ScoringSpec;
  const again = repeated(rules);
  return rules.flatMap((rule, index): Fault[] => {
    const { name, field } = rule;
    const at = (member: string, code: string, detail: string): Fault => ({
      in: "body",
      pointer: `/rules/${index}/${member}`,
      code,
      detail,
    });
    const fault = faultOf(ruleOf(rule), [field.slice(CUSTOM.length)]);
    return [
      ...(fault === null ? [] : [at(fault.member, fault.code, fault.detail)]),
      ...(field === OWNER ? [at("field", "not_portable", `${name} is about a user, whom other accounts do not have.`)] : []),
      ...(again.has(index) ? [at("name", "duplicate_name", `Two rules have the name ${name}.`)] : []),
    ];
  });
}

export const scoringRules = {
  type: "lead_scoring",
  after: ["custom_field"],
  spec: ScoringSchema,
  complete,
  keys: new RegExp(`^${SCORING_KEY}$`),
  merge: {
    rules: {
      name: (rule) => lower(rule as RuleSpec),
      ordered: false,
      parts: false,
      members: { name: "value", field: "value", op: "value", value: "value", points: "value" },
    },
  },
  natural: () => SCORING_KEY,
  references: (spec) =>
    (spec as ScoringSpec).rules.flatMap(({ field }, index) =>
      field.startsWith(CUSTOM)
        ? [{ pointer: `/rules/${index}/field`, type: "custom_field", key: `lead.${field.slice(CUSTOM.length)}` }]
        : [],
    ),
  validate,
  portable(spec) {
    const { rules } = spec as ScoringSpec;
    const again = repeated(rules);
    const reasonOf = ({ name, field }: RuleSpec, index: number) => {
      if (field === OWNER) return `The rule ${name} is about a user, whom other accounts do not have.`;
      return again.has(index) ? `Another rule has the name ${name}.` : null;
    };
    const reasons = rules.map(reasonOf);
    return {
      spec: { rules: rules.filter((_, index) => reasons[index] === null) },
      left_out: reasons.filter((reason) => reason !== null),
    };
  },
  builtin: [BUILTIN],
  builtinIds: (account_id) => [account_id],
  exclusive: null,
  limit: { max: 1, group: () => "", archived: false },
  archived_holds_name: false,
} satisfies Partial<Asset>;
