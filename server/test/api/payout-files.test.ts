import { beforeAll, describe, expect, test } from "vitest";
import { workExport } from "../../src/features/money/payouts/export.commands.ts";
import { earning } from "../harness/earning.ts";
import { paying } from "../harness/payouts.ts";
import { setProgramme } from "../harness/sales.ts";
import { type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let operator: string;
const money = earning(world, () => operator);
const pay = paying(world, money);

beforeAll(async () => {
  operator = await world.newOperator();
});

async function newPayee(amount_cents = 20_000): Promise<TestPartner> {
  const partner = await world.newPartner();
  await pay.setMethod(partner);
  await pay.earn(partner, amount_cents);
  return partner;
}

describe("a file for the bank", () => {
  test("contains each scheduled payout once, which is processing then", async () => {
    const [one, two] = [await newPayee(), await newPayee(30_000)];
    const { id } = await pay.run();
    const [cancelled] = await pay.payouts(two);
    await pay.act(cancelled?.id, "cancel");
    const made = await pay.export(id);
    const [payout] = await pay.payouts(one);
    expect(payout?.status).toBe("processing");
    expect(made.text).toContain(payout?.id);
    expect(made.text).not.toContain(cancelled?.id);
    expect((await pay.act(payout?.id, "cancel")).body.code).toBe("invalid_state_transition");
    const none = await money.admin("POST", `/payout-runs/${id}/export`, { format: "csv" });
    expect([none.status, none.body.code]).toEqual([409, "nothing_to_export"]);
    expect((await money.admin("GET", `/payout-exports/${made.export.id}/file`)).text).toBe(made.text);
    const audited = await world.db.sql("select 1 from audit_entries where action = 'payout_exports.download' and target = $1", [
      made.export.id,
    ]);
    expect(audited).toHaveLength(2);
  });

  test("is made one at a time of a run, and pays a partner in each of its currencies", async () => {
    const partner = await newPayee(12_345);
    await pay.earn(partner, 9000, { currency: "eur" });
    const { id } = (await money.admin("POST", "/payout-runs")).body;
    const early = await money.admin("POST", `/payout-runs/${id}/export`, { format: "csv" });
    expect([early.status, early.body.code, early.body.run_id]).toEqual([409, "payout_run_in_progress", id]);
    await pay.work();
    const { body: started } = await money.admin("POST", `/payout-runs/${id}/export`, { format: "csv" });
    const second = await money.admin("POST", `/payout-runs/${id}/export`, { format: "csv" });
    expect([second.status, second.body.code, second.body.run_id]).toEqual([409, "payout_run_in_progress", id]);
    const unmade = await money.admin("GET", `/payout-exports/${started.id}/file`);
    expect([unmade.status, unmade.body.code]).toEqual([409, "invalid_state_transition"]);
    await pay.work();
    const { text } = await money.admin("GET", `/payout-exports/${started.id}/file`);
    const [header = [], ...lines] = text
      .trim()
      .split("\r\n")
      .map((line) => line.split(","));
    const cell = (line: string[], name: string) => line[header.indexOf(name)];
    const [euros, dollars] = await pay.payouts(partner);
    const own = lines.filter((line) => [euros?.id, dollars?.id].includes(cell(line, "payout_id")));
    expect(own.map((line) => ["payout_id", "amount", "currency", "statement_number"].map((name) => cell(line, name)))).toEqual([
      [euros?.id, "90.00", "EUR", "S-000001"],
      [dollars?.id, "123.45", "USD", "S-000002"],
    ]);
    // A sum of several currencies would be none.
    expect((await money.admin("GET", `/payout-exports/${started.id}`)).body).toMatchObject({
      payouts: lines.length,
      amount_cents: 0,
    });
  });

  test("leaves out what is decided by hand before it is made, and counts the rest", async () => {
    const payees = [await newPayee(10_000), await newPayee(20_000), await newPayee(30_000)];
    const { id } = await pay.run();
    const [by_hand, again, rest] = (await Promise.all(payees.map(pay.payouts))).map(([payout]) => payout);
    const { body: started } = await money.admin("POST", `/payout-runs/${id}/export`, { format: "csv" });
    await workExport(world.app.services, new AbortController().signal);
    const acts = [
      await pay.act(by_hand?.id, "paid"),
      await pay.act(again?.id, "failed", { failure: "Account closed" }),
      await pay.act(again?.id, "retry"),
    ];
    expect(acts.map(({ status }) => status)).toEqual([200, 200, 200]);
    await pay.work();
    const first = await money.admin("GET", `/payout-exports/${started.id}/file`);
    const idsIn = (text: string) => [by_hand, again, rest].map((payout) => text.includes(payout?.id));
    expect(idsIn(first.text)).toEqual([false, false, true]);
    const { body: made } = await money.admin("GET", `/payout-exports/${started.id}`);
    expect(made).toMatchObject({ state: "finished", payouts: 1, amount_cents: 30_000 });
    expect(idsIn((await pay.export(id)).text)).toEqual([false, true, false]);
  });

  test("of SEPA has the payouts by SEPA alone, and needs the account that pays", async () => {
    const partner = await world.newPartner();
    await pay.setMethod(partner, {
      kind: "sepa",
      iban: "DE89370400440532013000",
      instructions: undefined,
      currencies: undefined,
    });
    await pay.earn(partner, 9000, { currency: "eur" });
    const other = await newPayee();
    const { id } = await pay.run();
    const refused = await money.admin("POST", `/payout-runs/${id}/export`, { format: "sepa" });
    expect([refused.status, refused.body.errors[0].code]).toEqual([422, "debtor_missing"]);
    const debtor = { name: "Programme Ltd", iban: "NL91ABNA0417164300" };
    expect((await money.admin("PATCH", "/programme", { payout_debtor: debtor }, { "if-match": "*" })).status).toBe(200);
    const made = await pay.export(id, { format: "sepa" });
    expect(made.export).toMatchObject({ payouts: 1, amount_cents: 9000 });
    expect(made.text).toContain("DE89370400440532013000");
    const stored = await world.db.sql<{ content: Buffer }>("select content from payout_exports where id = $1", [made.export.id]);
    expect(stored[0]?.content.includes("DE89370400440532013000")).toBe(false);
    expect((await pay.payouts(other))[0]?.status).toBe("scheduled");
    const rest = await pay.export(id);
    expect((await money.admin("GET", `/payout-exports?run_id=${id}`)).body.data).toEqual([rest.export, made.export]);
    await pay.earn(partner, 9000, { currency: "eur" });
    const { body: started } = await money.admin("POST", `/payout-runs/${(await pay.run()).id}/export`, { format: "sepa" });
    await workExport(world.app.services, new AbortController().signal);
    await pay.act((await pay.payouts(partner)).at(-1)?.id, "paid");
    await pay.work();
    const empty = (await money.admin("GET", `/payout-exports/${started.id}`)).body;
    expect(empty).toMatchObject({ state: "finished", payouts: 0, amount_cents: 0 });
  });

  test("is to be executed on the day of the programme's time zone", async () => {
    await newPayee();
    await setProgramme(world, operator, { payout_time_zone: "Europe/Berlin" });
    const { id } = await pay.run({ scheduled_for: "2027-05-18T00:00:00+02:00" });
    const { text } = await pay.export(id);
    await setProgramme(world, operator, { payout_time_zone: "UTC" });
    expect(text).toContain(",2027-05-18,");
    expect(text).not.toContain("2027-05-17");
  });
});
