import { beforeAll, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { walk } from "../harness/lists.ts";
import { openBook, type TestBook } from "../harness/money.ts";
import { ADMIN, BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const MINUTE_MS = 60_000;

let partner: TestPartner;
let book: TestBook;
/** Between the first transfers and the later ones. */
let between: string;

const read = async (path: string, key = partner.key) => (await world.call("GET", `${BASE}${path}`, { key })).body;
const balancesIn = (data: Json[], currency = "usd") =>
  Object.fromEntries(
    data
      .filter((row) => row.currency === currency && row.balance_cents !== 0)
      .map(({ account, balance_cents }) => [account, balance_cents]),
  );

beforeAll(async () => {
  partner = await world.newPartner();
  book = await openBook(world, partner.partner_id);
  await book.move("expense", "pending", 7493);
  await book.move("pending", "expense", 750);
  world.clock.advance(MINUTE_MS);
  between = world.clock.now().toISOString();
  world.clock.advance(MINUTE_MS);
  await book.move("pending", "approved", 6743);
  await book.move("expense", "approved", 1000, { currency: "eur" });
  await book.move("approved", "expense", 8000);
  world.clock.advance(MINUTE_MS);
});

test("balances are those of the last transfer of each account, in each currency", async () => {
  const { data } = await read("/ledger/accounts");
  expect(data).toHaveLength(14);
  expect(balancesIn(data)).toEqual({ expense: 1257, approved: -1257 });
  expect(balancesIn(data, "eur")).toEqual({ expense: -1000, approved: 1000 });
});

test("balances at an instant are those recorded by then", async () => {
  const { data, as_of } = await read(`/ledger/accounts?as_of=${between}`);
  expect(as_of).toBe(between);
  expect(balancesIn(data)).toEqual({ expense: -6743, pending: 6743 });
  expect(balancesIn(data, "eur")).toEqual({});
  const before = await read("/ledger/accounts?as_of=2020-01-01T00:00:00Z");
  expect(balancesIn(before.data)).toEqual({});
});

test("an instant within the last 60 seconds is refused, with the rule", async () => {
  const recent = new Date(world.clock.now().getTime() - MINUTE_MS + 1).toISOString();
  for (const path of ["/ledger/accounts", "/ledger/trial-balance", "/deals/commissions"]) {
    const { code, errors } = await read(`${path}?as_of=${recent}`);
    expect([code, errors[0].pointer, errors[0].detail]).toEqual([
      "invalid_parameter",
      "#/as_of",
      expect.stringMatching(/60 seconds/),
    ]);
  }
});

test("the trial balance has equal debits and credits, now and at an instant", async () => {
  const now = await read("/ledger/trial-balance");
  expect(now.totals).toEqual([
    { currency: "eur", debit_cents: 1000, credit_cents: 1000 },
    { currency: "usd", debit_cents: 1257, credit_cents: 1257 },
  ]);
  expect(now.data.find((row: Json) => row.account === "approved" && row.currency === "usd")).toMatchObject({
    debit_cents: 1257,
    credit_cents: 0,
    balance_cents: -1257,
  });
  const then = await read(`/ledger/trial-balance?as_of=${between}`);
  expect(then.totals.at(-1)).toEqual({ currency: "usd", debit_cents: 6743, credit_cents: 6743 });
});

test("each transfer has a debit and a credit with the balances after it", async () => {
  const entries = await walk(world, partner.key, "/ledger/entries", { limit: 3 });
  expect(entries.map(({ seq, account }) => `${seq} ${account}`)).toEqual([
    "5 approved",
    "5 expense",
    "4 expense",
    "4 approved",
    "3 pending",
    "3 approved",
    "2 pending",
    "2 expense",
    "1 expense",
    "1 pending",
  ]);
  expect(entries[0]).toMatchObject({ debit_cents: 8000, credit_cents: 0, balance_cents: -1257, currency: "usd" });
  expect(entries[1]).toMatchObject({ debit_cents: 0, credit_cents: 8000, balance_cents: 1257 });
});

test("entries are found by account, currency, commission and time, page by page", async () => {
  const seqs = async (query: Record<string, string>) =>
    (await walk(world, partner.key, "/ledger/entries", { limit: 1, ...query })).map(({ seq, account }) => `${seq} ${account}`);
  expect(await seqs({ account: "pending" })).toEqual(["3 pending", "2 pending", "1 pending"]);
  expect(await seqs({ account: "approved" })).toEqual(["5 approved", "4 approved", "3 approved"]);
  expect(await seqs({ account: "approved", currency: "eur" })).toEqual(["4 approved"]);
  expect(await seqs({ currency: "eur" })).toEqual(["4 expense", "4 approved"]);
  expect(await seqs({ currency: "chf" })).toEqual([]);
  expect(await seqs({ at_after: between, account: "approved" })).toEqual(["5 approved", "4 approved", "3 approved"]);
  expect(await seqs({ at_before: between })).toEqual(["2 pending", "2 expense", "1 expense", "1 pending"]);
  expect(await seqs({ at_after: "2030-01-01T00:00:00Z" })).toEqual([]);
  expect(await seqs({ at_before: "2020-01-01T00:00:00Z" })).toEqual([]);
});

test("entries keep their place on later pages while others are posted", async () => {
  const writer = await world.newPartner();
  const busy = await openBook(world, writer.partner_id);
  for (let amount = 1; amount <= 6; amount += 1) await busy.move("expense", "pending", amount);
  const seen = await walk(world, writer.key, "/ledger/entries", { limit: 5 }, () => busy.move("expense", "pending", 100));
  expect(seen.map(({ seq }) => seq)).toEqual([6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1]);
  const id = await busy.accrue({ amount_cents: 5 });
  const mine = await walk(world, writer.key, "/ledger/entries", { commission_id: id });
  expect(mine.map(({ account }) => account)).toEqual(["expense", "pending"]);
});

test("a walk through a long book gives every entry once, of all accounts or of one", async () => {
  const writer = await world.newPartner();
  await openBook(world, writer.partner_id);
  await world.db.sql(
    `insert into ledger_transfers (partner_id, transaction_id, at, debit, credit, currency, amount_cents, seq, debit_after,
       credit_after, fact, actor_id)
     select $1, $2, $3::timestamptz, 'expense', 'pending', 'usd', 1, n, -n, n, 'accrued', 'system' from generate_series(1, 150) n`,
    [writer.partner_id, newId("ledger_transaction", 0), world.clock.now()],
  );
  const newestFirst = Array.from({ length: 150 }, (_, index) => 150 - index);
  const seqs = async (query: Record<string, string>) =>
    (await walk(world, writer.key, "/ledger/entries", { limit: 100, ...query })).map(({ seq }) => seq);
  expect(await seqs({})).toEqual(newestFirst.flatMap((seq) => [seq, seq]));
  expect(await seqs({ account: "pending" })).toEqual(newestFirst);
});

test("a book without transfers has no accounts, and adds up", async () => {
  const { key } = await world.newPartner();
  expect((await read("/ledger/accounts", key)).data).toEqual([]);
  expect(await read("/ledger/trial-balance", key)).toMatchObject({ data: [], totals: [] });
  expect((await read("/ledger/entries", key)).data).toEqual([]);
  expect((await read("/ledger/entries?account=pending", key)).data).toEqual([]);
});

test("the operator reads the book of a partner as the partner does", async () => {
  const operator = await world.newOperator();
  for (const path of ["ledger/accounts", "ledger/entries", "ledger/trial-balance"]) {
    const { body } = await world.call("GET", `${ADMIN}/partners/${partner.partner_id}/${path}`, { key: operator });
    expect(body).toEqual(await read(`/${path}`));
  }
});

test("a ledger is exported as CSV", async () => {
  const { text } = await world.call("GET", `${BASE}/ledger/entries?format=csv&currency=eur`, { key: partner.key });
  const [header = "", ...rows] = text.trim().split("\r\n");
  expect(header.split(",").slice(3, 8)).toEqual(["account", "currency", "debit_cents", "credit_cents", "balance_cents"]);
  expect(rows.map((row) => row.split(",").slice(3, 8).join())).toEqual(["expense,eur,1000,0,-1000", "approved,eur,0,1000,1000"]);
  const balances = await world.call("GET", `${BASE}/ledger/trial-balance?format=csv`, { key: partner.key });
  expect(balances.text.trim().split("\r\n")).toHaveLength(15);
});
