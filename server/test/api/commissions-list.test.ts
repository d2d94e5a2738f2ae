import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { walk } from "../harness/lists.ts";
import { openBook, type TestBook } from "../harness/money.ts";
import { ADMIN, BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let partner: TestPartner;
let seller: TestPartner;
let book: TestBook;
let client: Json;
/** Commissions by what they are in the tests. */
const com: Record<string, string> = {};
const deal_id = newId("deal", 0);
const charge_id = newId("charge", 0);
/** Between the first commissions and the rest. */
let between: string;

/** What an override must not tell: the sale of another partner. */
const SECRETS = {
  deal_id: newId("deal", 0),
  client_id: newId("client", 0),
  charge_id: newId("charge", 0),
  refund_id: newId("refund", 0),
  source_commission_id: newId("commission", 0),
  origin_partner_id: newId("partner", 0),
  origin_commission_id: newId("commission", 0),
  rule: JSON.stringify({ id: newId("rule", 0), version: 1, name: "Rule of the seller" }),
  calculation: JSON.stringify([
    { step: "refund", input: { base_cents: 33_300, charge_cents: 987_654 }, rule: null, result: 999 },
  ]),
};

const get = (path: string, key = partner.key) => world.call("GET", path, { key });
const list = async (query: Record<string, string> = {}) =>
  (await walk(world, partner.key, "/deals/commissions", { limit: 2, ...query })).map(
    ({ id }) => Object.entries(com).find(([, known]) => known === id)?.[0] ?? id,
  );

beforeAll(async () => {
  partner = await world.newPartner();
  seller = await world.newPartner({ company: "Northwind Agency" });
  client = await world.newClient(partner);
  book = await openBook(world, partner.partner_id);
  com.first = await book.accrue({ kind: "first", deal_id, client_id: client.id, reason_code: null });
  com.recurring = await book.accrue({ deal_id, client_id: client.id, charge_id, status: "approved" });
  world.clock.advance(MINUTE_MS);
  between = world.clock.now().toISOString();
  world.clock.advance(MINUTE_MS);
  com.refund = await book.accrue({ kind: "reversal", amount_cents: -2500, root_id: com.first, client_id: client.id });
  com.override = await book.accrue({
    ...SECRETS,
    kind: "override",
    level: 2,
    source_partner_id: seller.partner_id,
    amount_cents: 999,
    currency: "eur",
  });
  await book.move("pending", "approved", 7500, { commission_id: com.first });
  await book.move("approved", "pending", 2500, { commission_id: com.refund });
  await world.db.sql("update commissions set status = 'approved' where id = any ($1)", [[com.first, com.refund]]);
  world.clock.advance(MINUTE_MS);
});

describe("list", () => {
  test("newest first, by every filter", async () => {
    expect(await list()).toEqual(["override", "refund", "recurring", "first"]);
    expect(await list({ deal_id })).toEqual(["recurring", "first"]);
    expect(await list({ client_id: client.id })).toEqual(["refund", "recurring", "first"]);
    expect(await list({ charge_id })).toEqual(["recurring"]);
    expect(await list({ status: "pending" })).toEqual(["override"]);
    expect(await list({ kind: "reversal" })).toEqual(["refund"]);
    expect(await list({ level: "2" })).toEqual(["override"]);
    expect(await list({ currency: "eur" })).toEqual(["override"]);
    expect(await list({ payout_id: newId("payout", 0) })).toEqual([]);
    expect(await list({ source_partner_id: seller.partner_id })).toEqual(["override"]);
    expect(await list({ accrued_after: between })).toEqual(["override", "refund"]);
    expect(await list({ accrued_before: between })).toEqual(["recurring", "first"]);
  });

  test("rows keep their place on later pages while others accrue", async () => {
    const busy = await world.newPartner();
    const other = await openBook(world, busy.partner_id);
    for (let amount = 1; amount <= 5; amount += 1) await other.accrue({ amount_cents: amount });
    const seen = await walk(world, busy.key, "/deals/commissions", { limit: 2 }, () => other.accrue({ amount_cents: 100 }));
    expect(seen.map(({ amount_cents }) => amount_cents)).toEqual([5, 4, 3, 2, 1]);
  });

  test("has the balances of the ledger if they are asked for", async () => {
    const { body } = await get(`${BASE}/deals/commissions?summary=true&kind=first`);
    expect(body.data).toHaveLength(1);
    expect(body.summary).toEqual([
      { currency: "eur", pending_cents: 999, held_cents: 0, approved_cents: 0, scheduled_cents: 0, paid_cents: 0 },
      { currency: "usd", pending_cents: 0, held_cents: 0, approved_cents: 12_500, scheduled_cents: 0, paid_cents: 0 },
    ]);
    expect((await get(`${BASE}/deals/commissions`)).body.summary).toBeUndefined();
  });

  test("is exported as CSV", async () => {
    const { text } = await get(`${BASE}/deals/commissions?format=csv&deal_id=${deal_id}`);
    const [header = "", ...rows] = text.trim().split("\r\n");
    expect(header).toMatch(/^id,kind,level,deal_id,client_id,client_company,/);
    expect(rows.map((row) => row.split(",")[0])).toEqual([com.recurring, com.first]);
    expect(rows[0]).toContain("Harbour Dental");
  });
});

describe("as of an instant", () => {
  const statuses = async (query: string) =>
    Object.fromEntries(
      (await get(`${BASE}/deals/commissions?${query}`)).body.data.map(({ id, status }: Json) => [
        Object.keys(com).find((name) => com[name] === id),
        status,
      ]),
    );

  test("shows what was recorded by then, with the status of that time", async () => {
    expect(await statuses(`as_of=${between}`)).toEqual({ first: "pending", recurring: "approved" });
    expect(await statuses(`as_of=${between}&status=pending`)).toEqual({ first: "pending" });
    expect(await statuses(`as_of=${between}&status=approved&status=void`)).toEqual({ recurring: "approved" });
    const later = new Date(world.clock.now().getTime() - MINUTE_MS).toISOString();
    expect(await statuses(`as_of=${later}&currency=usd`)).toEqual({
      first: "approved",
      recurring: "approved",
      refund: "approved",
    });
    for (const long_ago of ["2020", "1900", "0001"]) expect(await statuses(`as_of=${long_ago}-01-01T00:00:00Z`)).toEqual({});
  });

  test("balances are those of that time too", async () => {
    const { body } = await get(`${BASE}/deals/commissions?summary=true&as_of=${between}`);
    expect(body.summary.at(-1)).toMatchObject({ currency: "usd", pending_cents: 7500, approved_cents: 7500 });
  });

  test("a commission is void from when it was taken back whole", async () => {
    const voided = await world.newPartner();
    const other = await openBook(world, voided.partner_id);
    const root = await other.accrue({ status: "held", hold_reason: "Disputed" });
    world.clock.advance(MINUTE_MS);
    const before = world.clock.now().toISOString();
    world.clock.advance(MINUTE_MS);
    await other.accrue({ kind: "reversal", amount_cents: -7500, root_id: root, status: "held" });
    await world.db.sql("update commissions set status = 'void' where partner_id = $1", [voided.partner_id]);
    world.clock.advance(MINUTE_MS);
    const now = new Date(world.clock.now().getTime() - MINUTE_MS).toISOString();
    const at = async (as_of: string) =>
      (await get(`${BASE}/deals/commissions?as_of=${as_of}`, voided.key)).body.data.map(({ status, hold_reason }: Json) => [
        status,
        hold_reason,
      ]);
    expect(await at(before)).toEqual([["held", null]]);
    expect(await at(now)).toEqual([
      ["void", null],
      ["void", "Disputed"],
    ]);
  });
});

describe("one", () => {
  test("shows how it was calculated, and the rows of its root", async () => {
    const first = await get(`${BASE}/deals/commissions/${com.first}`);
    // Of the row and the one that changed it: another row is another ETag.
    expect(first.headers.etag).toBe('"1-2"');
    expect(first.body.calculation).toEqual([
      { step: "rate", input: { base_cents: 50_000, bps: 1500 }, rule: "Silver, version 1", result: 7500 },
    ]);
    expect(first.body.related.map(({ id }: Json) => id)).toEqual([com.refund]);
    const refund = await get(`${BASE}/deals/commissions/${com.refund}`);
    expect(refund.body).toMatchObject({ root_id: com.first, client_company: "Harbour Dental", related: [{ id: com.first }] });
  });

  test("an override shows what it was taken of and the direct sub-partner, and nothing of the sale", async () => {
    const { body, text } = await get(`${BASE}/deals/commissions/${com.override}`);
    expect(body).toMatchObject({
      base_cents: 50_000,
      rate_bps: 1500,
      amount_cents: 999,
      level: 2,
      source_partner_id: seller.partner_id,
      source_company: "Northwind Agency",
      deal_id: null,
      client_id: null,
      client_company: null,
      charge_id: null,
      refund_id: null,
      source_commission_id: null,
      rule: null,
    });
    const listed = await get(`${BASE}/deals/commissions?level=2`);
    const exported = await get(`${BASE}/deals/commissions?level=2&format=csv`);
    for (const secret of [...Object.values(SECRETS), "Rule of the seller", "987654"]) {
      for (const shown of [text, listed.text, exported.text]) expect(shown).not.toContain(secret);
    }
    for (const name of ["deal_id", "client_id", "charge_id"] as const) {
      expect((await get(`${BASE}/deals/commissions?${name}=${SECRETS[name]}`)).body.data).toEqual([]);
    }
  });

  test("the path of commissions is not the id of a deal", async () => {
    expect((await world.call("POST", `${BASE}/deals/commissions`, { key: partner.key, body: {} })).body.code).toBe(
      "method_not_allowed",
    );
  });
});

test("another partner finds none of it", async () => {
  const other = await world.newPartner();
  expect((await get(`${BASE}/deals/commissions?client_id=${client.id}`, other.key)).body.data).toEqual([]);
  expect((await get(`${BASE}/deals/commissions?summary=true`, other.key)).body).toMatchObject({ data: [], summary: [] });
  expect((await get(`${BASE}/deals/commissions/${com.first}`, other.key)).body.code).toBe("not_found");
  expect((await get(`${BASE}/deals/commissions/summary`, other.key)).body.data).toEqual([]);
  expect((await get(`${BASE}/ledger/entries?commission_id=${com.first}`, other.key)).body.data).toEqual([]);
});

describe("summary", () => {
  test("has amounts by month, client, kind and sub-partner of the last twelve months", async () => {
    const other = await world.newPartner();
    const busy = await openBook(world, other.partner_id);
    const theirs = await world.newClient(other, { company: "Quayside Vets" });
    const long_ago = new Date(world.clock.now().getTime() - 400 * DAY_MS);
    const last_month = new Date(world.clock.now().getTime() - 20 * DAY_MS);
    const at = (time: Date) => ({ id: newId("commission", time.getTime()), accrued_at: time });
    await busy.accrue({ ...at(long_ago), amount_cents: 1 });
    await busy.accrue({ ...at(last_month), amount_cents: 200, client_id: theirs.id });
    await busy.accrue({ amount_cents: 300, client_id: theirs.id, kind: "first" });
    await busy.accrue({ amount_cents: -100, client_id: theirs.id, kind: "reversal" });
    await busy.accrue({
      ...SECRETS,
      amount_cents: 40,
      currency: "eur",
      kind: "override",
      level: 1,
      source_partner_id: seller.partner_id,
    });
    const by = async (query: string) =>
      (await get(`${BASE}/deals/commissions/summary?${query}`, other.key)).body.data.map(
        ({ key, name, currency, count, amount_cents }: Json) => [key, name, currency, count, amount_cents],
      );
    expect(await by("")).toEqual([
      ["2026-10", null, "usd", 1, 200],
      ["2026-11", null, "eur", 1, 40],
      ["2026-11", null, "usd", 2, 200],
    ]);
    expect(await by("group_by=client")).toEqual([
      [theirs.id, "Quayside Vets", "usd", 3, 400],
      [null, null, "eur", 1, 40],
    ]);
    expect(await by("group_by=kind&currency=usd")).toEqual([
      ["first", null, "usd", 1, 300],
      ["recurring", null, "usd", 1, 200],
      ["reversal", null, "usd", 1, -100],
    ]);
    expect(await by("group_by=sub_partner")).toEqual([[seller.partner_id, "Northwind Agency", "eur", 1, 40]]);
    expect(await by("accrued_after=2020-01-01T00:00:00Z&accrued_before=2026-01-01T00:00:00Z")).toHaveLength(1);
    expect(await by("accrued_after=0001-01-01T00:00:00Z&accrued_before=9999-12-31T00:00:00Z")).toHaveLength(4);
    expect(await by("accrued_after=9999-01-01T00:00:00Z")).toEqual([]);
  });
});

describe("operator", () => {
  let operator: string;
  beforeAll(async () => {
    operator = await world.newOperator();
  });

  test("finds a commission by its id alone, with where it came from", async () => {
    const { body } = await get(`${ADMIN}/commissions/${com.override}`, operator);
    expect(body).toMatchObject({
      partner_id: partner.partner_id,
      partner_company: "Test Agency",
      origin_partner_id: SECRETS.origin_partner_id,
      deal_id: SECRETS.deal_id,
      rule: { name: "Rule of the seller" },
      related: [],
    });
  });

  test("lists those of a partner with every filter, and of all partners by time", async () => {
    const path = `${ADMIN}/partners/${partner.partner_id}/commissions`;
    const found = await get(`${path}?deal_id=${SECRETS.deal_id}&summary=true`, operator);
    expect(found.body.data.map(({ id }: Json) => id)).toEqual([com.override]);
    expect(found.body.summary).toHaveLength(2);
    expect((await get(`${path}/summary?group_by=kind`, operator)).body.data).toHaveLength(4);
    const all = await walk(world, operator, `${ADMIN}/commissions`, { limit: 3 });
    expect(new Set(all.map(({ partner_id }) => partner_id)).size).toBeGreaterThan(1);
    const one = await walk(world, operator, `${ADMIN}/commissions`, { partner_id: partner.partner_id, accrued_before: between });
    expect(one.map(({ id }) => id)).toEqual([com.recurring, com.first]);
  });

  test("lists those of all partners by status, kind and currency", async () => {
    const all = await walk(world, operator, `${ADMIN}/commissions`, {});
    for (const name of ["status", "kind", "currency"] as const) {
      for (const value of new Set(all.map((row) => row[name] as string))) {
        const found = await walk(world, operator, `${ADMIN}/commissions`, { [name]: value, limit: 2 });
        expect(found).toEqual(all.filter((row) => row[name] === value));
      }
    }
  });
});
