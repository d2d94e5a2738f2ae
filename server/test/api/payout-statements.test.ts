import { beforeAll, describe, expect, test } from "vitest";
import { earning, earningLines } from "../harness/earning.ts";
import { paying } from "../harness/payouts.ts";
import { documentAt } from "../harness/pdf.ts";
import { DAY_MS } from "../harness/sales.ts";
import { ADMIN, BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let operator: string;
const money = earning(world, () => operator);
const { newLine, sell } = earningLines(world, money);
const pay = paying(world, money);
let seller: TestPartner;
let parent: TestPartner;

/** A sale with a refund and a bonus for the seller; an override, its reversal and a bonus for the partner above. */
beforeAll(async () => {
  operator = await world.newOperator();
  ({ seller, parent } = await newLine());
  const { client_id } = await sell(seller, { company: "Harbour Dental" });
  const { id } = await money.charge(client_id, { external_id: "INV-2041", amount_cents: 150_000, months: 3 });
  await money.refund(id, 12_345);
  world.clock.advance(40 * DAY_MS);
  for (const partner of [seller, parent]) {
    await pay.setMethod(partner);
    await pay.earn(partner, 123_456);
  }
  await pay.run();
});

const rowsOf = async ({ key }: TestPartner, id: string): Promise<Json[]> =>
  (await world.call("GET", `${BASE}/payouts/${id}/commissions?limit=100`, { key })).body.data;

/** An amount as it is on paper, without its sign. */
const figure = (cents: number) => new Intl.NumberFormat("en-US", { minimumFractionDigits: 2 }).format(Math.abs(cents) / 100);

async function payoutOf(partner: TestPartner): Promise<Json> {
  return (await pay.payouts(partner))[0];
}

/** The rows of a statement in CSV, by commission. */
async function csvOf({ key }: TestPartner, id: string): Promise<Map<string, Record<string, string>>> {
  const { status, text } = await world.call("GET", `${BASE}/payouts/${id}/statement.csv`, { key });
  expect(status).toBe(200);
  const [header = [], ...lines] = text
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  return new Map(
    lines.map((cells) => {
      const row = Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""]));
      return [row.commission_id ?? "", row];
    }),
  );
}

async function expectStatement(partner: TestPartner, state: string): Promise<string> {
  const payout = await payoutOf(partner);
  const rows = await rowsOf(partner, payout.id);
  expect(rows).toHaveLength(payout.commission_count);
  const csv = await csvOf(partner, payout.id);
  expect([...csv.keys()].toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  const { bytes, text } = await documentAt(world, `${BASE}/payouts/${payout.id}/statement`, partner.key);
  for (const { id, amount_cents, kind } of rows) {
    expect(csv.get(id)).toMatchObject({
      statement_number: payout.statement_number,
      payout_id: payout.id,
      kind,
      amount_cents: String(amount_cents),
      currency: "usd",
    });
    expect(text).toContain(id);
    expect(text).toContain(figure(amount_cents));
  }
  const sum = [...csv.values()].reduce((total, { amount_cents }) => total + Number(amount_cents), 0);
  expect(sum).toBe(payout.net_cents);
  for (const part of [payout.statement_number, payout.id, figure(payout.net_cents), figure(payout.gross_cents), state])
    expect(text).toContain(part);
  const ofOperator = await documentAt(world, `${ADMIN}/payouts/${payout.id}/statement`, operator);
  expect(ofOperator.bytes.equals(bytes)).toBe(true);
  const lines = await Promise.all(
    [[BASE, partner.key] as const, [ADMIN, operator] as const].map(async ([base, key]) => {
      const { status, text: csvText } = await world.call("GET", `${base}/payouts/${payout.id}/statement.csv`, { key });
      return [status, csvText];
    }),
  );
  expect(lines[1]).toEqual(lines[0]);
  return text;
}

describe("the statement of a payout, as PDF and as CSV, for the partner and the operator", () => {
  test("has every commission of it, with what it was earned for", async () => {
    const text = await expectStatement(seller, "Scheduled");
    expect(text).toContain("HarbourDental");
    expect(text).toContain("INV-2041");
  });

  test("has overrides of the partner above, with nothing of the sales that they came of", async () => {
    const text = await expectStatement(parent, "Scheduled");
    const [secrets] = await world.db.sql<{ ids: string[] }>(
      `select array_agg(v.id) as ids from commissions c cross join lateral (values (c.id), (c.deal_id), (c.client_id), (c.charge_id)) as v (id)
       where c.partner_id = $1 and v.id is not null`,
      [seller.partner_id],
    );
    const csv = JSON.stringify([...(await csvOf(parent, (await payoutOf(parent)).id)).values()]);
    for (const secret of [...(secrets?.ids ?? []), "Harbour", "INV-2041"]) {
      expect(text).not.toContain(secret);
      expect(csv).not.toContain(secret);
    }
    expect(csv).toContain('"kind":"override"');
  });

  test("stays as it was when the payout is cancelled, and says so", async () => {
    const { id } = await payoutOf(parent);
    expect((await pay.act(id, "cancel")).status).toBe(200);
    await expectStatement(parent, "Cancelled");
    await pay.run();
    expect((await pay.payouts(parent)).map(({ status }) => status)).toEqual(["cancelled", "scheduled"]);
    await expectStatement(parent, "Cancelled");
  });

  test("says when it was paid, and by which reference", async () => {
    const { id } = await payoutOf(seller);
    await pay.act(id, "paid", { reference: "TRB-2026-12-0001" });
    const text = await expectStatement(seller, "Paidon");
    expect(text).toContain("TRB-2026-12-0001");
  });

  test("is for keys of the whole partner alone", async () => {
    const { id } = await payoutOf(seller);
    const client = await world.newClient(seller);
    const key = await world.newKey(seller, { clients: [client.id] });
    for (const path of ["", "/upcoming", `/${id}`, `/${id}/commissions`, `/${id}/statement`, `/${id}/statement.csv`]) {
      const { status } = await world.call("GET", `${BASE}/payouts${path}`, { key });
      expect([path, status]).toEqual([path, 403]);
      const other = await world.call("GET", `${BASE}/payouts${path}`, { key: parent.key });
      expect([path, other.status]).toEqual([path, path.length > "/upcoming".length ? 404 : 200]);
    }
  });
});
