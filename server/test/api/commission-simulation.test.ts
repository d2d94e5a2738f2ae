import { beforeAll, expect, test } from "vitest";
import { earning, earningLines } from "../harness/earning.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let operator: string;
const money = earning(world, () => operator);
const { newLine, sell, total } = earningLines(world, money);
let seller: TestPartner;
let other: TestPartner;
/** The charges of the seller: the first, then another one of which a part was refunded. */
let first: Json;
let second: Json;
let range: { from: string; to: string };

beforeAll(async () => {
  operator = await world.newOperator();
  [seller, other] = [await world.newPartner(), await world.newPartner()];
  await money.setGrade(seller, "silver");
  const from = world.clock.now().toISOString();
  const { client_id } = await sell(seller, { company: "Harbour Dental" });
  first = await money.charge(client_id, { amount_cents: 50_000 });
  second = await money.charge(client_id, { amount_cents: 50_000 });
  await money.refund(second.id, 10_000);
  await money.charge((await sell(other)).client_id, { amount_cents: 50_000 });
  world.clock.advance(1);
  range = { from, to: world.clock.now().toISOString() };
});

const simulate = async (body: object) =>
  (await world.call("POST", `${BASE}/deals/commissions/simulate`, { key: seller.key, body: { ...range, ...body } })).body;
const amounts = ({ data }: Json) =>
  data.map(({ charge_id, current_cents, simulated_cents, difference_cents }: Json) => [
    charge_id,
    current_cents,
    simulated_cents,
    difference_cents,
  ]);
const terms = { first: { bps: 3000 }, recurring: { bps: 1000 } };

test("a partner sees what its own charges would have earned on other terms, less refunds, newest first; nothing is written", async () => {
  const result = await simulate({ rule: terms });
  expect(amounts(result)).toEqual([
    [second.id, 6000, 4000, -2000],
    [first.id, 7500, 15_000, 7500],
  ]);
  expect(result.totals).toEqual([
    { currency: "usd", charges: 2, current_cents: 13_500, simulated_cents: 19_000, difference_cents: 5500 },
  ]);
  expect(result.complete).toBe(true);
  expect(result.data[0]).toMatchObject({
    partner_id: seller.partner_id,
    client_company: "Harbour Dental",
    amount_cents: 50_000,
    rule: null,
  });
  expect(await total(seller)).toBe(13_500);
});

test("the terms of another grade are those of its rules; without one it is the partner's own", async () => {
  const own = await simulate({});
  expect(own.data.map(({ rule, difference_cents }: Json) => [rule, difference_cents])).toEqual([
    ["Silver, version 1", 0],
    ["Silver, version 1", 0],
  ]);
  const gold = await simulate({ grade: "gold" });
  expect(gold.data.map(({ rule, simulated_cents }: Json) => [rule, simulated_cents])).toEqual([
    ["Gold, version 1", 8000],
    ["Gold, version 1", 10_000],
  ]);
  expect(amounts(await simulate({ grade: "no-such-grade" })).map(([, , simulated]: number[]) => simulated)).toEqual([0, 0]);
});

test("charges count from the beginning of the time on and before its end", async () => {
  const ids = async (body: object) => amounts(await simulate({ rule: terms, ...body })).map(([id]: string[]) => id);
  expect(await ids({ from: second.charged_at })).toEqual([second.id]);
  expect(await ids({ to: second.charged_at })).toEqual([first.id]);
  const { code, errors } = await simulate({ rule: terms, to: range.from });
  expect([code, errors[0].pointer, errors[0].code]).toEqual(["validation_failed", "#/to", "range"]);
});

test("the operator tries a rule with the charges of all partners or of one, beside the others or instead of one", async () => {
  const rule = { name: "Try", scope: "programme", ...terms };
  const tried = async (body: object) => (await money.admin("POST", "/rules/simulate", { rule, ...range, ...body })).body;
  const all = await tried({});
  expect(new Set(all.data.map(({ partner_id }: Json) => partner_id))).toEqual(new Set([seller.partner_id, other.partner_id]));
  expect(all.totals).toMatchObject([{ charges: 3, difference_cents: 0 }]);
  const rules = (await money.admin("GET", "/rules?limit=100")).body.data;
  const { id: rule_id } = rules.find(({ grade }: Json) => grade === "silver");
  const one = await tried({ partner_id: seller.partner_id, rule_id });
  expect(one.data.map(({ rule: name, simulated_cents }: Json) => [name, simulated_cents])).toEqual([
    ["Try", 4000],
    ["Try", 15_000],
  ]);
  expect(await total(seller)).toBe(13_500);
});

test("what was earned is what the charges earned on the rule of their day, less what was taken back", async () => {
  const { seller: mine, rule_id } = await newLine({ first: { bps: 1000 }, applies_to: "all_charges" });
  const from = world.clock.now().toISOString();
  const { client_id } = await sell(mine);
  await money.admin("PATCH", `/rules/${rule_id}`, { first: { bps: 2000 }, recurring: { bps: 2000 } }, { "if-match": "*" });
  const charges: Json[] = [];
  for (const amount_cents of [1000, 2000, 3000]) charges.push(await money.charge(client_id, { amount_cents }));
  await money.refund(charges[1]?.id, 500);
  const voided = (await money.commissions(mine)).at(-2);
  await money.admin("POST", `/commissions/${voided?.id}/void`, { reason_code: "other" });
  world.clock.advance(1);
  const body = { rule: terms, from, to: world.clock.now().toISOString() };
  const result = await world.call("POST", `${BASE}/deals/commissions/simulate`, { key: mine.key, body });
  expect(amounts(result.body).map(([id, current]: [string, number]) => [id, current])).toEqual([
    [charges[2]?.id, 0],
    [charges[1]?.id, 300],
    [charges[0]?.id, 200],
  ]);
  expect(await total(mine)).toBe(500);
});
