import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_RULES, faultOf, OPS, RULE_FIELDS, type Rule, type Scored, scoreOf } from "./model.ts";

const NOW = new Date("2026-11-15T12:00:00.000Z");
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);

const LEAD: Scored = {
  status: "working",
  source: { kind: "form", name: "Contact form", utm: { campaign: "Spring-Sale" } },
  name: "Ada Okafor",
  phone: null,
  email: "ada@harbour.example",
  company: "Harbour Dental",
  title: null,
  country: "DE",
  owner_id: null,
  tags: ["vip", "Emea"],
  custom: { budget: 5_000, plans: ["growth"], returning: true },
  activity_count: 3,
  created_at: daysAgo(10),
  last_activity_at: daysAgo(2),
};

const matches = (field: string, op: Rule["op"], value?: Rule["value"]) =>
  scoreOf([{ name: "r", field, op, points: 1, ...(value === undefined ? {} : { value }) }], LEAD, NOW).score === 1;

test.each<[string, Rule["op"], Rule["value"], boolean]>([
  ["status", "is", "working", true],
  ["status", "is", "new", false],
  ["status", "is_not", "new", true],
  ["phone", "exists", undefined, false],
  ["phone", "missing", undefined, true],
  ["phone", "is", "+1", false],
  ["phone", "is_not", "+1", true],
  ["email", "contains", "HARBOUR", true],
  ["source.utm.campaign", "is", "spring-sale", true],
  ["source.utm.medium", "exists", undefined, false],
  ["source.kind", "in", ["ad", "form"], true],
  ["country", "in", ["FR"], false],
  ["tags", "contains", "emea", true],
  ["tags", "contains", "eme", false],
  ["tags", "is", "VIP", true],
  ["tags", "in", ["none", "vip"], true],
  ["tags", "is_not", "vip", false],
  ["custom.budget", "gt", 4_999, true],
  ["custom.budget", "lt", 5_000, false],
  ["custom.budget", "lt", 5_001, true],
  ["custom.budget", "is", 5_000, true],
  ["name", "is", "ada okafor", true],
  ["company", "contains", "dental", true],
  ["country", "is", "de", true],
  ["source.name", "is", "contact form", true],
  ["activity_count", "is", 3, true],
  ["email", "lt", 9, false],
  ["custom.plans", "contains", "growth", true],
  ["custom.returning", "is", true, true],
  ["custom.unheard_of", "missing", undefined, true],
  ["custom.unheard_of", "gt", 0, false],
  ["age_days", "gt", 9, true],
  ["age_days", "lt", 10, false],
  ["idle_days", "is", 2, true],
  ["activity_count", "gt", 3, false],
])("%s %s %j is %j", (field, op, value, expected) => {
  expect(matches(field, op, value)).toBe(expected);
});

const scalar = fc.oneof(fc.constantFrom("vip", "working", "form", "DE"), fc.integer({ min: -5, max: 20 }), fc.boolean());
const rule: fc.Arbitrary<Rule> = fc
  .record({
    name: fc.string(),
    field: fc.constantFrom(...RULE_FIELDS, "custom.budget", "custom.plans", "custom.unheard_of"),
    op: fc.constantFrom(...OPS),
    value: fc.oneof(scalar, fc.array(scalar, { minLength: 1, maxLength: 3 })),
    points: fc.integer({ min: -100, max: 100 }),
  })
  .filter((candidate) => faultOf(candidate, ["budget", "plans", "unheard_of"]) === null || candidate.op === "exists");
const lead: fc.Arbitrary<Scored> = fc
  .record({
    status: fc.constantFrom("new" as const, "working" as const, "qualified" as const),
    phone: fc.option(fc.constant("+14155552671")),
    tags: fc.uniqueArray(fc.constantFrom("vip", "emea", "DE")),
    activity_count: fc.nat(20),
    created_at: fc.nat(400).map(daysAgo),
    last_activity_at: fc.nat(400).map(daysAgo),
  })
  .map((some) => ({ ...LEAD, ...some }));

describe("whatever the rules and the lead", () => {
  test("the breakdown adds up to the score, before it is kept between 0 and 100", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 50 }), lead, (rules, one) => {
        const { score, breakdown } = scoreOf(rules, one, NOW);
        const sum = breakdown.filter(({ matched }) => matched).reduce((total, { points }) => total + points, 0);
        expect(score).toBe(Math.min(Math.max(sum, 0), 100));
        expect(breakdown.map(({ points }) => points)).toEqual(rules.map(({ points }) => points));
      }),
    );
  });

  test("their order does not matter, and the same again is the same", () => {
    const shuffled = fc
      .array(rule, { maxLength: 20 })
      .chain((rules) =>
        fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length, maxLength: rules.length })),
      );
    fc.assert(
      fc.property(shuffled, lead, ([rules, others], one) => {
        expect(scoreOf(others, one, NOW).score).toBe(scoreOf(rules, one, NOW).score);
        expect(scoreOf(rules, one, NOW)).toEqual(scoreOf(rules, one, NOW));
      }),
    );
  });

  test("a rule matches or its opposite does", () => {
    fc.assert(
      fc.property(rule, lead, ({ value, ...one }, scored) => {
        const matched = (op: Rule["op"]) =>
          scoreOf([{ ...one, op, value: Array.isArray(value) ? "vip" : (value ?? 1) }], scored, NOW).breakdown[0]?.matched;
        expect(matched("exists")).toBe(!matched("missing"));
        expect(matched("is")).toBe(!matched("is_not"));
      }),
    );
  });
});

test("every account begins with rules that fit their own kinds", () => {
  expect(DEFAULT_RULES.map((one) => faultOf(one, []))).toEqual(DEFAULT_RULES.map(() => null));
});

test.each<[Rule["op"], Rule["value"], string, string | null]>([
  ["exists", 1, "phone", "value"],
  ["is", undefined, "phone", "value"],
  ["in", "one", "phone", "value"],
  ["is", ["one"], "phone", "value"],
  ["contains", 7, "phone", "value"],
  ["gt", "7", "age_days", "value"],
  ["gt", 7, "phone", "field"],
  ["is", 7, "custom.strange", "field"],
  ["gt", 7, "custom.known", null],
])("a rule with %s %j about %s is wrong in its %j", (op, value, field, member) => {
  const fault = faultOf({ name: "r", field, op, points: 1, ...(value === undefined ? {} : { value }) }, ["known"]);
  expect(fault?.member ?? null).toBe(member);
});

test("each field of a rule is that of the lead", () => {
  const source = {
    kind: "form",
    name: "n",
    url: "u",
    referrer: "r",
    click_id: "c",
    utm: { source: "us", medium: "um", campaign: "uc" },
  } as const;
  const texts = {
    status: "new",
    name: "Ada",
    phone: "+1",
    email: "e",
    company: "co",
    title: "t",
    country: "DE",
    owner_id: "usr_1",
  };
  const lead = { ...LEAD, ...texts, source, tags: ["one"] } as unknown as Scored;
  const is = (field: string, value: string | number) =>
    scoreOf([{ name: "r", field, op: "is", points: 1, value }], lead, NOW).score === 1;
  const values = {
    ...texts,
    tags: "one",
    "source.kind": "form",
    "source.name": "n",
    "source.url": "u",
    "source.referrer": "r",
    "source.click_id": "c",
    "source.utm.source": "us",
    "source.utm.medium": "um",
    "source.utm.campaign": "uc",
    activity_count: 3,
    age_days: 10,
    idle_days: 2,
  };
  expect(Object.keys(values).sort()).toEqual([...RULE_FIELDS].sort());
  for (const [field, value] of Object.entries(values)) expect(is(field, value), field).toBe(true);
});

test("a lead without a campaign has none, and an empty text is no value", () => {
  const lead = { ...LEAD, source: { kind: "form" }, company: "" } as unknown as Scored;
  const missing = (field: string) => scoreOf([{ name: "r", field, op: "missing", points: 1 }], lead, NOW).score === 1;
  for (const field of ["source.utm.source", "source.utm.medium", "source.utm.campaign", "company"])
    expect(missing(field), field).toBe(true);
});

test("the default rules give these points", () => {
  const scores = (rest: object) => {
    const { breakdown } = scoreOf(DEFAULT_RULES, { ...BARE, ...rest } as Scored, NOW);
    return breakdown.filter(({ matched }) => matched).map(({ rule, points }) => `${rule} ${points}`);
  };
  const BARE = {
    ...LEAD,
    status: "new",
    source: { kind: "form" },
    phone: null,
    email: null,
    company: null,
    activity_count: 1,
  } as Scored;
  expect(scores({})).toEqual([]);
  expect(scores({ phone: "+1", email: "e", company: "c" })).toEqual([
    "Can be called 15",
    "Can be written to 10",
    "Named a company 10",
  ]);
  for (const kind of ["referral", "affiliate"]) expect(scores({ source: { kind } })).toEqual(["Was sent by somebody 15"]);
  expect(scores({ source: { kind: "ad", utm: { campaign: "x" } } })).toEqual(["Came by a campaign 5"]);
  expect(scores({ status: "working" })).toEqual(["Is worked on 10"]);
  expect(scores({ status: "qualified" })).toEqual(["Is qualified 30"]);
  expect(scores({ status: "disqualified" })).toEqual(["Is disqualified -60"]);
  expect(scores({ activity_count: 2 })).toEqual(["Was spoken to 10"]);
  expect(scores({ last_activity_at: daysAgo(31) })).toEqual(["Has gone quiet -15"]);
  expect(scores({ last_activity_at: daysAgo(30) })).toEqual([]);
});

test.each<[string, Rule["op"], Rule["value"] | undefined, string | null]>([
  ["name", "missing", undefined, null],
  ["name", "missing", "x", "value not_of_op"],
  ["name", "exists", "x", "value not_of_op"],
  ["name", "is", undefined, "value required_by_op"],
  ["name", "in", "x", "value not_of_op"],
  ["name", "in", ["x"], null],
  ["name", "is", ["x"], "value not_of_op"],
  ["name", "contains", 5, "value not_of_op"],
  ["name", "contains", "x", null],
  ["activity_count", "gt", "5", "value not_of_op"],
  ["activity_count", "lt", "5", "value not_of_op"],
  ["activity_count", "lt", 5, null],
  ["name", "gt", 5, "field not_of_op"],
  ["name", "is_not", 5, null],
])("a rule %s %s %j has the fault %s", (field, op, value, expected) => {
  const fault = faultOf({ name: "r", field, op, points: 1, ...(value === undefined ? {} : { value }) }, []);
  expect(fault === null ? null : `${fault.member} ${fault.code}`).toBe(expected);
});
