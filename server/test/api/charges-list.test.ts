import { beforeAll, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { walk } from "../harness/lists.ts";
import { openBook } from "../harness/money.ts";
import { ADMIN, BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");

let operator: string;
let partner: TestPartner;
let client: Json;
let other: Json;
/** The charges of the partner, the latest first. */
let charges: string[];

beforeAll(async () => {
  operator = await world.newOperator();
  partner = await world.newPartner();
  client = await world.newClient(partner);
  other = await world.newClient(partner, { company: "Quayside Vets" });
  const book = await openBook(world, partner.partner_id);
  const march = await book.charge({ client_id: client.id, charged_at: "2026-03-01T00:00:00Z", refunded_cents: 500 });
  const april = await book.charge({ client_id: other.id, charged_at: "2026-04-01T00:00:00Z", outcome: "no_sale" });
  const back_dated = await book.charge({
    client_id: client.id,
    charged_at: "2026-02-01T00:00:00Z",
    amount_cents: 0,
    outcome: "zero",
  });
  charges = [april, march, back_dated];
  await book.accrue({ charge_id: march, client_id: client.id });
  await book.accrue({ charge_id: march, kind: "override", level: 1, amount_cents: 5 });
  await world.db.sql(
    `insert into refunds (partner_id, id, external_id, client_id, charge_external_id, amount_cents, refunded_at, created_at, charge_id, applied_cents, status)
     values ($1, $2, 'r-1', $3, $4, 500, now(), now(), $4, 500, 'applied')`,
    [partner.partner_id, newId("refund", 0), client.id, march],
  );
});

const ids = async (path: string, key: string, query: Record<string, string | number> = {}) =>
  (await walk(world, key, path, { limit: 1, ...query })).map(({ id }) => id);

test("charges are listed the latest first, by client, outcome and time", async () => {
  const [april, march, back_dated] = charges;
  const list = (query = {}) => ids("/charges", partner.key, query);
  expect(await list()).toEqual(charges);
  expect(await list({ client_id: client.id })).toEqual([march, back_dated]);
  expect(await list({ outcome: "no_sale" })).toEqual([april]);
  expect(await list({ charged_after: "2026-03-01T00:00:00Z" })).toEqual([april, march]);
  expect(await list({ charged_before: "2026-03-01T00:00:00Z" })).toEqual([back_dated]);
  const { text } = await world.call("GET", `${BASE}/charges?format=csv&outcome=no_sale`, { key: partner.key });
  expect(text).toContain("Quayside Vets");
});

test("another partner sees no charge of it", async () => {
  const stranger = await world.newPartner();
  expect(await ids("/charges", stranger.key, { client_id: client.id })).toEqual([]);
  expect((await world.call("GET", `${BASE}/charges/${charges[1]}`, { key: stranger.key })).status).toBe(404);
});

test("the operator lists charges of all partners, of one, and of a client", async () => {
  const [april, march, back_dated] = charges;
  const list = (query = {}) => ids(`${ADMIN}/charges`, operator, query);
  expect(await list({ partner_id: partner.partner_id })).toEqual(charges);
  expect(await list({ client_id: other.id })).toEqual([april]);
  expect(await list({ client_id: newId("client", 0) })).toEqual([]);
  expect(await list()).toEqual(charges);
  expect(await list({ outcome: "no_sale" })).toEqual([april]);
  expect(await list({ charged_after: "2026-03-01T00:00:00Z", charged_before: "2026-04-01T00:00:00Z" })).toEqual([march]);
  expect(await list({ partner_id: partner.partner_id, outcome: "zero" })).toEqual([back_dated]);
  expect(await ids(`${ADMIN}/partners/${partner.partner_id}/charges`, operator)).toEqual(charges);
});

test.each([
  ["the operator", ADMIN],
  ["the partner", BASE],
])("%s sees the refunds of a charge and what the seller earned by it", async (_, base) => {
  const key = base === ADMIN ? operator : partner.key;
  const { body } = await world.call("GET", `${base}/charges/${charges[1]}`, { key });
  expect(body).toMatchObject({
    client_company: "Harbour Dental",
    refunded_cents: 500,
    refunds: [{ external_id: "r-1", status: "applied", applied_cents: 500 }],
    commissions: [{ level: 0, amount_cents: 7500 }],
  });
  expect(body.commissions).toHaveLength(1);
});
