import { beforeAll, expect, test } from "vitest";
import { workExport } from "../../src/features/money/payouts/export.commands.ts";
import { workRun } from "../../src/features/money/payouts/run.commands.ts";
import type { Services } from "../../src/platform/record/context.ts";
import { brokenBooks } from "../harness/books.ts";
import { earning, earningLines } from "../harness/earning.ts";
import { countDeadlocks, ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { paying } from "../harness/payouts.ts";
import { DAY_MS } from "../harness/sales.ts";
import { type TestPartner, useWorld } from "../harness/world.ts";

/** In the role `api`, so that nothing is worked off but by these tests. */
const world = useWorld({}, "api");
const hold = useHolds(() => world.db.connect());
let operator: string;
const money = earning(world, () => operator);
const { newLine, sell } = earningLines(world, money);
const pay = paying(world, money);
const PAYEES = 20;

beforeAll(async () => {
  operator = await world.newOperator();
});

const never = new AbortController().signal;
const failed = (error: unknown) => {
  throw error;
};
const holdBook = ({ partner_id }: TestPartner) => hold("select 1 from books where partner_id = $1 for update", [partner_id]);

async function newPayees(count: number, amount_cents = 20_000): Promise<TestPartner[]> {
  const payees: TestPartner[] = [];
  for (let index = 0; index < count; index += 1) {
    const payee = await world.newPartner();
    await pay.setMethod(payee);
    await pay.earn(payee, amount_cents);
    payees.push(payee);
  }
  return payees;
}

async function start(path: string, body: object = {}): Promise<string> {
  world.clock.advance(1);
  const { status, body: started, text } = await money.admin("POST", path, body);
  if (status !== 202) throw new Error(text);
  return started.id;
}

/** Sends calls that all wait for the book of a partner, one after the other, so that the first is the first to get it. */
async function atOnce(partner: TestPartner, calls: (() => Promise<unknown>)[]): Promise<unknown[]> {
  const held = await holdBook(partner);
  const sent: Promise<unknown>[] = [];
  for (const [index, call] of calls.entries()) {
    sent.push(call());
    await untilWaiting(world.db.sql, ROW_LOCKS, index + 1);
  }
  await held.release();
  return Promise.all(sent);
}

/** A process that is stopped before its transactions until it is let go. */
function stopped(): { services: Services; go(): void } {
  const { services } = world.app;
  const { promise, resolve } = Promise.withResolvers<void>();
  const transaction: Services["db"]["transaction"] = async (plan) => {
    await promise;
    return services.db.transaction(plan);
  };
  return { services: { ...services, db: { ...services.db, transaction } }, go: () => resolve() };
}

test("of several runs that are started at once, one is", async () => {
  const [payee] = await newPayees(1);
  const replies = await Promise.all([1, 2, 3].map(() => money.admin("POST", "/payout-runs")));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 409, 409]);
  await pay.work();
  expect(await pay.payouts(payee as TestPartner)).toHaveLength(1);
});

test("several processes work one run off: everybody is paid once, and its totals are what it scheduled", async () => {
  const payees = await newPayees(PAYEES);
  const preview = (await money.admin("POST", "/payout-runs/preview")).body;
  const id = await start("/payout-runs");
  const work = async () => {
    while (await workRun(world.app.services, never, failed));
  };
  await Promise.all([work(), work(), work()]);
  for (const payee of payees) expect((await pay.payouts(payee)).map(({ net_cents }) => net_cents)).toEqual([20_000]);
  const { body: run } = await money.admin("GET", `/payout-runs/${id}`);
  expect(run).toMatchObject({ state: "finished", scheduled: preview.scheduled, blocked: preview.blocked });
  expect(await brokenBooks(world.db.sql)).toEqual([]);
});

test("a step that was broken off is counted once, with what it had done before", async () => {
  const payees = await newPayees(PAYEES);
  const preview = (await money.admin("POST", "/payout-runs/preview")).body;
  const id = await start("/payout-runs");
  const stopping = new AbortController();
  const held = await holdBook(payees[0] as TestPartner);
  const broken = workRun(world.app.services, stopping.signal, failed);
  await untilWaiting(world.db.sql, ROW_LOCKS, 1);
  stopping.abort();
  await held.release();
  expect(await broken).toBe(false);
  expect(await pay.payouts(payees[0] as TestPartner)).toHaveLength(1);
  await pay.work();
  const { body: run } = await money.admin("GET", `/payout-runs/${id}`);
  expect([run.scheduled, run.blocked]).toEqual([preview.scheduled, preview.blocked]);
  expect([run.partners_done, run.partners_total]).toEqual([preview.rows_total, preview.rows_total]);
});

test.each(["gone on", "finished"])(
  "a process that comes late adds nothing to a run that has %s, and takes nothing off it",
  async (now) => {
    const [payee] = (await newPayees(1)) as [TestPartner];
    const unpayable = await world.newPartner();
    await pay.earn(unpayable, 20_000);
    const id = await start("/payout-runs");
    const late = stopped();
    const work = workRun(late.services, never, failed);
    if (now === "finished") await pay.work();
    else await workRun(world.app.services, never, failed);
    const { body: run } = await money.admin("GET", `/payout-runs/${id}`);
    await pay.setMethod(unpayable);
    late.go();
    await work;
    expect([(await pay.payouts(payee)).length, (await pay.payouts(unpayable)).length]).toEqual([1, 0]);
    expect((await money.admin("GET", `/payout-runs/${id}`)).body).toEqual(run);
    expect(run.blocked).toEqual([{ code: "no_payout_method", partners: 1 }]);
    await pay.work();
    await pay.run();
  },
);

test("a partner whose book another transaction keeps for too long is not left out", async () => {
  const payees = await newPayees(2);
  const id = await start("/payout-runs");
  const { services } = world.app;
  let turns = 0;
  const transaction: Services["db"]["transaction"] = async (plan) => {
    turns += 1;
    if (turns === 2) throw Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" });
    return services.db.transaction(plan);
  };
  const impatient = { ...services, db: { ...services.db, transaction } };
  const left: unknown[] = [];
  await expect(workRun(impatient, never, (error) => left.push(error))).rejects.toThrow("lock timeout");
  expect(left).toEqual([]);
  await pay.work();
  for (const payee of payees) expect(await pay.payouts(payee)).toHaveLength(1);
  expect((await money.admin("GET", `/payout-runs/${id}`)).body).toMatchObject({ state: "finished", blocked: [] });
});

test.each(["the run", "the refund"])("a refund during a run, %s first: taken off this payout or off the next", async (first) => {
  const { seller } = await newLine();
  await pay.setMethod(seller);
  const { client_id } = await sell(seller);
  const charge = await money.charge(client_id, { amount_cents: 50_000 });
  world.clock.advance(40 * DAY_MS);
  await money.runJob("commission_approval");
  await pay.earn(seller, 10_000);
  const id = await start("/payout-runs");
  const run = () => workRun(world.app.services, never, failed);
  const refund = () => money.refund(charge.id, 25_000);
  await atOnce(seller, first === "the run" ? [run, refund] : [refund, run]);
  await pay.work();
  const [payout] = await pay.payouts(seller);
  // 20 % of the first charge and the bonus, less half of the former.
  expect(payout).toMatchObject({ net_cents: first === "the run" ? 20_000 : 15_000 });
  expect(await money.balances(seller)).toMatchObject(
    first === "the run" ? { scheduled: 20_000, approved: -5000 } : { scheduled: 15_000 },
  );
  expect((await money.admin("GET", `/payout-runs/${id}`)).body.state).toBe("finished");
  expect(await brokenBooks(world.db.sql)).toEqual([]);
});

test.each(["the export", "the cancellation"])(
  "a cancellation during an export, %s first: in the file or cancelled",
  async (first) => {
    const [payee] = (await newPayees(1)) as [TestPartner];
    const run = await pay.run();
    const [payout] = await pay.payouts(payee);
    const export_id = await start(`/payout-runs/${run.id}/export`, { format: "csv" });
    const work = () => workExport(world.app.services, never);
    const cancel = async () => (await pay.act(payout?.id, "cancel")).status;
    const calls = first === "the export" ? [work, cancel] : [cancel, work];
    const replies = await atOnce(payee, calls);
    await pay.work();
    const { text } = await money.admin("GET", `/payout-exports/${export_id}/file`);
    const [after] = await pay.payouts(payee);
    const seen = [replies[calls.indexOf(cancel)], after?.status, text.includes(payout?.statement_number)];
    expect(seen).toEqual(first === "the export" ? [409, "processing", true] : [200, "cancelled", false]);
    expect(await brokenBooks(world.db.sql)).toEqual([]);
  },
);

test.each(["the run", "the change"])(
  "a payout method that changes during a run, %s first: paid to one of them",
  async (first) => {
    const [payee] = (await newPayees(1)) as [TestPartner];
    await start("/payout-runs");
    const run = () => workRun(world.app.services, never, failed);
    const change = () => pay.setMethod(payee, { holder: "Another Holder" });
    await atOnce(payee, first === "the run" ? [run, change] : [change, run]);
    await pay.work();
    const holders = await world.db.sql("select holder from payout_attempts where partner_id = $1", [payee.partner_id]);
    expect(holders).toEqual([{ holder: first === "the run" ? "Ada Okafor" : "Another Holder" }]);
  },
);

test("a process that comes late puts nothing into a file that has been made", async () => {
  const [payee] = (await newPayees(1)) as [TestPartner];
  const run = await pay.run();
  const [payout] = await pay.payouts(payee);
  const export_id = await start(`/payout-runs/${run.id}/export`, { format: "csv" });
  const late = stopped();
  const work = workExport(late.services, never);
  await pay.work();
  const { text } = await money.admin("GET", `/payout-exports/${export_id}/file`);
  await pay.act(payout?.id, "failed", { failure: "Account closed" });
  expect((await pay.act(payout?.id, "retry")).status).toBe(200);
  late.go();
  await work;
  expect((await pay.payouts(payee))[0]).toMatchObject({ status: "scheduled", attempt: 2 });
  expect((await money.admin("GET", `/payout-exports/${export_id}/file`)).text).toBe(text);
  const again = await pay.export(run.id);
  expect(again.export.payouts).toBe(1);
  expect(again.text).toContain(`${payout?.id.replace("_", "-")}-2`);
});

test("no transaction was ended by a deadlock", async () => {
  expect(await countDeadlocks(world.db)).toBe(0);
});
