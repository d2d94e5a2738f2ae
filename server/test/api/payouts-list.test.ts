import { beforeAll, expect, test } from "vitest";
import { earning } from "../harness/earning.ts";
import { walk } from "../harness/lists.ts";
import { paying } from "../harness/payouts.ts";
import { ADMIN, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let operator: string;
const money = earning(world, () => operator);
const pay = paying(world, money);
let one: TestPartner;
let two: TestPartner;
let all: Json[];

/** Payouts of two partners in two runs: one that failed, one in a file, one that was paid and one that is scheduled. */
beforeAll(async () => {
  operator = await world.newOperator();
  [one, two] = [await world.newPartner({ company: "One Agency" }), await world.newPartner({ company: "Two Agency" })];
  for (const partner of [one, two]) {
    await pay.setMethod(partner);
    await pay.earn(partner, 20_000);
  }
  const { id } = await pay.run();
  await pay.act((await pay.payouts(one))[0]?.id, "failed", { failure: "Account closed" });
  await pay.export(id);
  await pay.earn(one, 9000, { currency: "eur" });
  await pay.earn(two, 30_000);
  await pay.run();
  await pay.act((await pay.payouts(two))[1]?.id, "paid");
  all = await walk(world, operator, `${ADMIN}/payouts`, { limit: 1 });
});

const list = (query: Record<string, string>) => walk(world, operator, `${ADMIN}/payouts`, query);

test("the operator lists the payouts of all partners, newest first, each as it is by its id", async () => {
  const shown = all.map(({ partner_company, currency, status, failure }) => [partner_company, currency, status, failure]);
  expect(shown.toSorted()).toEqual([
    ["One Agency", "eur", "scheduled", null],
    ["One Agency", "usd", "failed", "Account closed"],
    ["Two Agency", "usd", "paid", null],
    ["Two Agency", "usd", "processing", null],
  ]);
  const ids = all.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted().reverse());
  for (const row of all) {
    const { attempts, ...payout } = (await money.admin("GET", `/payouts/${row.id}`)).body;
    expect([row, attempts.length]).toEqual([payout, 1]);
  }
  expect(all.filter(({ export_id }) => export_id !== null).map(({ status }) => status)).toEqual(["processing"]);
});

test("by partner, run, status, currency and time it lists those that match", async () => {
  for (const name of ["partner_id", "run_id", "status", "currency"] as const)
    for (const value of new Set(all.map((row) => row[name] as string)))
      expect(await list({ [name]: value })).toEqual(all.filter((row) => row[name] === value));
  expect(await list({ partner_id: one.partner_id, currency: "eur" })).toEqual(all.filter(({ currency }) => currency === "eur"));
  const second = all[0]?.created_at;
  expect(await list({ created_after: second })).toEqual(all.filter(({ created_at }) => created_at >= second));
  expect(await list({ created_before: second })).toEqual(all.filter(({ created_at }) => created_at < second));
});

test("a partner lists its own as the operator sees them, but for what is the operator's", async () => {
  const own = async (query: Record<string, string> = {}) => walk(world, one.key, "/payouts", query);
  const seen = all
    .filter(({ partner_id }) => partner_id === one.partner_id)
    .map(({ partner_id: _, partner_company: __, run_id: ___, export_id: ____, ...payout }) => payout);
  expect(await own({ limit: "1" })).toEqual(seen);
  expect(await own({ status: "failed" })).toEqual(seen.filter(({ status }) => status === "failed"));
  expect(await own({ currency: "eur" })).toEqual(seen.filter(({ currency }) => currency === "eur"));
});
