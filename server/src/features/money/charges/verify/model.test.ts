import { describe, expect, test } from "vitest";
import type { Earning } from "../../commissions/index.ts";
import {
  type AppliedRefund,
  causeOf,
  chargeShares,
  checkGroup,
  checkRefunds,
  expectedRoots,
  type Facts,
  type PaidCharge,
  type Row,
  roundKey,
  ruleKey,
  shareAt,
  winShares,
} from "./model.ts";

const at = (text: string) => new Date(`${text}T00:00:00Z`);
const RULE = { id: "rul_1", version: 1, name: "Silver" };

const level = (number: number, rest: object = {}) => ({
  level: number,
  partner_id: `par_up${number}`,
  via: "par_1",
  bps: 1_000,
  open: true,
  ...rest,
});
const earning = (rest: Partial<Earning> = {}, terms: object = {}) =>
  ({
    partner_id: "par_1",
    deal_id: "deal_1",
    round: 1,
    currency: "eur",
    mrr_cents: 10_000,
    opened_at: at("2026-01-01"),
    first_charge_id: "chg_1",
    window_until: null,
    terms: {
      rule: RULE,
      first: { bps: 5_000 },
      recurring: { bps: 2_000 },
      applies_to: "new_deals",
      cap_bps: 10_000,
      upline: [level(1)],
      continues: false,
      ...terms,
    },
    ...rest,
  }) as unknown as Earning;
const charge = (rest: Partial<PaidCharge> = {}) =>
  ({
    id: "chg_1",
    amount_cents: 12_000,
    currency: "eur",
    months: 1,
    charged_at: at("2026-01-15"),
    deal_id: "deal_1",
    round: 1,
    levels: 1,
    refunded_cents: 0,
    ...rest,
  }) as PaidCharge;
const row = (rest: Partial<Row> = {}): Row => ({
  id: "com_1",
  cause: "win:deal_1:1:0",
  level: 0,
  root_id: null,
  origin_partner_id: null,
  base_cents: 10_000,
  rate_bps: 5_000,
  amount_cents: 5_000,
  currency: "eur",
  rule: RULE,
  reason_code: null,
  status: "approved",
  ...rest,
});
const refund = (applied_cents: number): AppliedRefund => ({
  id: "ref_1",
  charge_id: "chg_1",
  amount_cents: applied_cents,
  applied_cents,
  status: "applied",
});

type Given = { earnings?: Earning[]; charges?: PaidCharge[]; refunds?: AppliedRefund[]; rules?: Facts["rules"] };
const facts = ({ earnings = [earning()], charges = [charge()], refunds = [], rules = new Map() }: Given = {}): Facts => ({
  earnings: new Map(earnings.map((one) => [roundKey(one.deal_id, one.round), one])),
  charges: new Map(charges.map((one) => [one.id, one])),
  refunds: new Map([["chg_1", refunds]]),
  rules,
});

test("what was refunded of a charge is the sum of its refunds", () => {
  const refunds = [refund(300), refund(200)];
  expect(checkRefunds(facts({ charges: [charge({ refunded_cents: 500 })], refunds }))).toEqual([]);
  expect(
    checkRefunds(facts({ charges: [charge({ refunded_cents: 500 }), charge({ id: "chg_2" })], refunds: [refund(300)] })),
  ).toEqual([{ table: "charges", id: "chg_1", problem: "it is not the sum of its refunds", expected: 300, found: 500 }]);
  expect(checkRefunds(facts({ charges: [charge({ id: "chg_2", refunded_cents: 1 })] }))).toMatchObject([
    { id: "chg_2", expected: 0, found: 1 },
  ]);
});

test.each([
  ["win:deal_1:2:1", { kind: "win", deal_id: "deal_1", round: 2, level: 1 }],
  ["charge:chg_1:deal_1:2:first:0", { kind: "first", charge_id: "chg_1", deal_id: "deal_1", round: 2, level: 0 }],
  ["charge:chg_1:deal_1:2:recurring:3", { kind: "recurring", charge_id: "chg_1", deal_id: "deal_1", round: 2, level: 3 }],
  ["charge:chg_1:deal_1:2:other:3", null],
  ["charge:chg_1:deal_1:2:first", null],
  ["charge:chg_1:deal_1:2:first:0:1", null],
  ["win:deal_1:2", null],
  ["win:deal_1:2:0:0", null],
  ["adjust:1:2:3", null],
  ["sale:chg_1:deal_1:2:first:0", null],
  ["", null],
])("the cause %s", (cause, expected) => {
  expect(causeOf(cause)).toEqual(expected);
});

describe("what a win earns", () => {
  const amounts = (one: Earning) => winShares(one).map(({ level: of, amount_cents }) => [of?.level ?? 0, amount_cents]);

  test("the seller at the first rate, and the levels that were open", () => {
    expect(amounts(earning())).toEqual([
      [0, 5_000],
      [1, 1_000],
    ]);
    expect(amounts(earning({}, { upline: [level(1, { open: false }), level(2)] }))).toEqual([
      [0, 5_000],
      [2, 1_000],
    ]);
  });

  test("a later sale at the recurring rate, while the window of the former is open", () => {
    const later = { continues: true, upline: [] };
    expect(amounts(earning({}, later))).toEqual([[0, 2_000]]);
    expect(amounts(earning({ window_until: at("2026-01-02") }, later))).toEqual([[0, 2_000]]);
    expect(amounts(earning({ window_until: at("2026-01-01") }, later))).toEqual([]);
    expect(amounts(earning({ window_until: at("2026-01-01") }, { upline: [] }))).toEqual([[0, 5_000]]);
  });
});

describe("what a charge earns", () => {
  const year = charge({ amount_cents: 120_000, months: 12 });
  const amounts = (
    one: Earning,
    of: PaidCharge | null,
    kind: "first" | "recurring",
    rule: Row["rule"] = null,
    rules: Facts["rules"] = new Map(),
  ) =>
    chargeShares(one, of, { rule }, kind, { rules }).map(({ level: above, amount_cents }) => [above?.level ?? 0, amount_cents]);

  test("the first month at the first rate, the others at the recurring one", () => {
    expect(amounts(earning(), year, "first")).toEqual([
      [0, 5_000],
      [1, 1_000],
    ]);
    expect(amounts(earning(), year, "recurring")).toEqual([
      [0, 22_000],
      [1, 11_000],
    ]);
    expect(amounts(earning({ first_charge_id: "chg_0" }), year, "recurring")[0]).toEqual([0, 24_000]);
  });

  test("months within the window alone", () => {
    expect(amounts(earning({ window_until: at("2026-02-16") }), year, "recurring")[0]).toEqual([0, 2_000]);
  });

  test("nothing where nothing was paid", () => {
    expect(amounts(earning(), null, "first")).toEqual([]);
    expect(amounts(earning(), charge({ amount_cents: 0 }), "first")).toEqual([]);
  });

  test("recurring ones at the levels that the charge noted, by its bits", () => {
    const upline = [level(1), level(2), level(3)];
    const levels = (bits: number) =>
      amounts(earning({}, { upline }), { ...year, levels: bits }, "recurring").map(([number]) => number);
    expect([0, 1, 2, 4, 5, 7].map(levels)).toEqual([[0], [0, 1], [0, 2], [0, 3], [0, 1, 3], [0, 1, 2, 3]]);
    const closed = [level(1, { open: false })];
    expect(amounts(earning({}, { upline: closed }), { ...year, levels: 1 }, "recurring").length).toBe(2);
    expect(amounts(earning({}, { upline: closed }), year, "first").length).toBe(1);
  });

  test("by the rule of its row where rules are chosen for each charge", () => {
    const anew = { id: "rul_2", version: 4, name: "Gold" };
    const rules: Facts["rules"] = new Map([[ruleKey(anew), { first: { bps: 100 }, recurring: { bps: 200 } }]]);
    const all = earning({}, { applies_to: "all_charges", upline: [] });
    expect(amounts(all, year, "first", anew, rules)).toEqual([[0, 100]]);
    expect(amounts(all, year, "recurring", anew, rules)).toEqual([[0, 2_200]]);
    expect(amounts(all, year, "first", null, rules)).toEqual([[0, 5_000]]);
    expect(amounts(all, year, "first", { ...anew, version: 5 }, rules)).toEqual([[0, 5_000]]);
    expect(amounts(earning({}, { upline: [] }), year, "first", anew, rules)).toEqual([[0, 5_000]]);
    expect(chargeShares(all, year, { rule: anew }, "first", { rules })[0]?.steps[0]?.rule).toBe("Gold, version 4");
  });

  test("the share of a level; nothing at one that has none", () => {
    const shares = winShares(earning());
    expect([0, 1, 2].map((of) => shareAt(shares, of))).toEqual([5_000, 1_000, 0]);
  });
});

describe("a root and its rows", () => {
  const settle = (amount_cents: number, rest: Partial<Row> = {}) =>
    row({ id: "com_2", cause: "settle:com_1", amount_cents, ...rest });
  const taken = (amount_cents: number, id = "com_3") => row({ id, cause: `refund:${id}:com_1`, amount_cents });
  const reverse = (amount_cents: number) => row({ id: "com_9", cause: "reverse:com_1", amount_cents });
  const problems = (root: Row, rest: Row[], of: Facts = facts()) =>
    checkGroup(root, rest, of).map(({ table, id, problem, expected, found }) => {
      expect(table).toBe("commissions");
      return [id, problem, expected, found];
    });
  const NOT_MADE = "the amount is not what the facts make";
  // The first charge paid 120.00 for a month, of which the seller earns a half: 10.00 more than at the win.
  const settled = [row(), settle(1_000)] as const;

  test("are what the facts make: the win, and the first charge settles it", () => {
    expect(problems(settled[0], [settled[1]])).toEqual([]);
    expect(problems(row(), [], facts({ earnings: [earning({ first_charge_id: null })], charges: [] }))).toEqual([]);
  });

  test("another amount is found", () => {
    expect(problems(row({ amount_cents: 5_001 }), [settle(999)])).toEqual([["com_1", NOT_MADE, 5_000, 5_001]]);
    expect(problems(row(), [settle(999)])).toEqual([["com_2", NOT_MADE, 1_000, 999]]);
    expect(problems(row(), [])).toMatchObject([["com_1", NOT_MADE, 1_000, 5_000]]);
  });

  test("the first charge takes it back where no rule was found for it", () => {
    const all = facts({ earnings: [earning({}, { applies_to: "all_charges" })] });
    const none = settle(-5_000, { rule: null });
    expect(problems(row(), [none], all)).toEqual([]);
    expect(problems(row(), [settle(-4_999, { rule: null })], all)).toMatchObject([["com_2", NOT_MADE, -5_000, -4_999]]);
    expect(problems(row(), [none])).toMatchObject([["com_2", NOT_MADE, 1_000, -5_000]]);
    const override = row({ cause: "win:deal_1:1:1", level: 1, rate_bps: 1_000, amount_cents: 1_000, rule: null });
    expect(problems(override, [settle(-1_000, { rule: null })], all)).toEqual([]);
    expect(problems(override, [settle(-999, { rule: null })], all)).toMatchObject([["com_2", NOT_MADE, 200, -999]]);
    expect(problems(override, [settle(-1_000, { rule: null })])).toMatchObject([["com_2", NOT_MADE, 200, -1_000]]);
  });

  test("refunds together leave what is kept of the settled root", () => {
    const half = facts({ refunds: [refund(4_000), refund(2_000)] });
    expect(problems(settled[0], [settled[1], taken(-3_000)], half)).toEqual([]);
    expect(problems(settled[0], [settled[1], taken(-1_000), taken(-2_000, "com_4")], half)).toEqual([]);
    expect(problems(settled[0], [taken(-2_000, "com_4"), taken(-999), settled[1]], half)).toEqual([
      ["com_4", NOT_MADE, -2_001, -2_000],
    ]);
    expect(problems(settled[0], [settled[1]], half)).toMatchObject([["com_1", NOT_MADE, -3_000, 5_000]]);
  });

  test("a reversal brings it to nothing, whatever came before", () => {
    expect(problems(settled[0], [settled[1], reverse(-6_000)])).toEqual([]);
    expect(problems(settled[0], [settled[1], taken(-500), reverse(-5_500)])).toEqual([]);
    expect(problems(settled[0], [settled[1], reverse(-5_000)])).toEqual([["com_9", NOT_MADE, -6_000, -5_000]]);
  });

  test("one that is void sums to nothing", () => {
    const root = row({ status: "void" });
    expect(problems(root, [reverse(-5_000)])).toEqual([]);
    const wrong = "it is void, but its rows do not sum to 0";
    expect(problems(root, [reverse(-4_000)])).toEqual([["com_9", wrong, -5_000, -4_000]]);
    expect(problems(root, [])).toEqual([["com_1", wrong, 0, 5_000]]);
    expect(problems(root, [settle(10), reverse(-5_000)])).toEqual([["com_9", wrong, -5_010, -5_000]]);
  });

  test("of a charge earn while the charge is assigned to the sale", () => {
    const root = row({ cause: "charge:chg_1:deal_1:1:recurring:0", amount_cents: 22_000, base_cents: 110_000, rate_bps: 2_000 });
    const year = charge({ amount_cents: 120_000, months: 12 });
    expect(problems(root, [], facts({ charges: [year] }))).toEqual([]);
    expect(problems(root, [taken(-5_500)], facts({ charges: [year], refunds: [refund(30_000)] }))).toEqual([]);
    const gone = "its charge no longer earns for the sale";
    for (const elsewhere of [
      { ...year, deal_id: "deal_2" },
      { ...year, round: 2 },
      { ...year, id: "chg_9" },
    ]) {
      expect(problems(root, [], facts({ charges: [elsewhere] }))).toEqual([["com_1", gone, -22_000, 22_000]]);
      expect(problems(root, [reverse(-22_000)], facts({ charges: [elsewhere] }))).toEqual([]);
    }
  });

  test("of a level above are checked at that level", () => {
    const root = row({ cause: "win:deal_1:1:1", level: 1, amount_cents: 1_000, rate_bps: 1_000 });
    expect(problems(root, [settle(200)])).toEqual([]);
    expect(problems(root, [settle(1_000)])).toEqual([["com_2", NOT_MADE, 200, 1_000]]);
  });

  test("of a win are not settled by a charge of another sale", () => {
    expect(problems(row(), [], facts({ charges: [charge({ round: 2 })] }))).toEqual([]);
  });

  test("what others entered is taken as it is, and its reversal is checked", () => {
    for (const cause of ["adjust:1", "purchase:1"]) {
      expect(problems(row({ cause, amount_cents: 77 }), [])).toEqual([]);
      expect(problems(row({ cause, amount_cents: 77 }), [reverse(-77)])).toEqual([]);
      expect(problems(row({ cause, amount_cents: 77 }), [reverse(-70)])).toEqual([["com_9", NOT_MADE, -77, -70]]);
    }
  });

  test("an unknown cause or a missing sale is found", () => {
    expect(problems(row({ cause: "gift:1" }), [])).toEqual([["com_1", "its cause is unknown", "gift:1", 5_000]]);
    expect(problems(row({ cause: "re-adjust:1" }), [])).toEqual([["com_1", "its cause is unknown", "re-adjust:1", 5_000]]);
    expect(problems(row(), [settle(1_000), row({ id: "com_5", cause: "gift:1", amount_cents: 0 })])).toEqual([
      ["com_5", "its cause is unknown", "gift:1", 0],
    ]);
    expect(problems(row({ cause: "win:deal_7:1:0" }), [])).toEqual([
      ["com_1", "the sale that it was earned for is missing", "deal_7", 5_000],
    ]);
  });
});

describe("the roots that must be there", () => {
  const roots = (given: Given) =>
    expectedRoots("par_1", facts(given)).map(({ partner_id, causes, amount_cents }) => [partner_id, causes, amount_cents]);

  test("of a win, in the book of the seller and in those above", () => {
    expect(roots({ charges: [] })).toEqual([
      ["par_1", ["win:deal_1:1:0"], 5_000],
      ["par_up1", ["win:deal_1:1:1"], 1_000],
    ]);
  });

  test("of the first charge, which may have settled the win, and of every charge", () => {
    const year = charge({ amount_cents: 120_000, months: 12 });
    const later = charge({ id: "chg_2", charged_at: at("2027-01-15") });
    expect(roots({ earnings: [earning({}, { upline: [] })], charges: [year, later] })).toEqual([
      ["par_1", ["win:deal_1:1:0"], 5_000],
      ["par_1", ["charge:chg_1:deal_1:1:recurring:0"], 22_000],
      ["par_1", ["win:deal_1:1:0", "charge:chg_1:deal_1:1:first:0"], 5_000],
      ["par_1", ["charge:chg_2:deal_1:1:recurring:0"], 2_400],
    ]);
  });

  test("none of charges of other sales, of nothing, or where a rule is chosen for each charge", () => {
    const seller = [earning({}, { upline: [] })];
    const win = [["par_1", ["win:deal_1:1:0"], 5_000]];
    expect(roots({ earnings: seller, charges: [charge({ deal_id: "deal_2" }), charge({ id: "chg_2", round: 2 })] })).toEqual(win);
    expect(roots({ earnings: [earning({}, { upline: [], applies_to: "all_charges" })] })).toEqual(win);
    expect(roots({ earnings: [earning({ mrr_cents: 0 }, { upline: [] })], charges: [] })).toEqual([]);
  });
});
