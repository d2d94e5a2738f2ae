import { beforeAll, expect, test } from "vitest";
import { brokenBooks, verifyLedger } from "../harness/books.ts";
import { earning, earningLines } from "../harness/earning.ts";
import { trading } from "../harness/marketplace.ts";
import { onCluster } from "../harness/reads.ts";
import { BASE, type TestPartner, useWorld } from "../harness/world.ts";

/** Transactions over several partners, whose rows a cluster has on several nodes. */
const world = useWorld();
let operator: string;
const money = earning(world, () => operator);
const { newLine, sell, total } = earningLines(world, money);
const trade = trading(world, () => operator);

beforeAll(async () => {
  operator = await world.newOperator();
});

/** The tests' cluster has one shard on each worker. */
const SHARD = "select get_shard_id_for_distribution_column('clients', $1::text)::int as shard";

/** Makes partners until two of them lie on different nodes, if there are several. */
async function apart<Made>(make: () => Promise<Made>, pick: (made: Made) => TestPartner[]): Promise<Made> {
  for (;;) {
    const made = await make();
    if (!onCluster()) return made;
    const shards = await Promise.all(pick(made).map(({ partner_id }) => world.db.sql<{ shard: number }>(SHARD, [partner_id])));
    if (new Set(shards.map(([row]) => row?.shard)).size === shards.length) return made;
  }
}

/** Runs something while the database refuses new rows of one partner in a table. */
async function refusing<Result>(table: string, { partner_id }: TestPartner, run: () => Promise<Result>): Promise<Result> {
  await world.db.sql(`
    create or replace function refuse_${table}() returns trigger language plpgsql as
      $$ begin if new.partner_id = '${partner_id}' then raise exception 'out of order'; end if; return new; end $$`);
  await world.db.sql(`create trigger refuse_${table} before insert on ${table} for each row execute function refuse_${table}()`);
  try {
    return await run();
  } finally {
    await world.db.sql(`drop trigger refuse_${table} on ${table}`);
  }
}

test("a charge whose override fails earns nobody anything; repeated, it earns the seller and who stands above it", async () => {
  const { seller, parent } = await apart(
    () => newLine(),
    (line) => [line.seller, line.parent],
  );
  const { client_id } = await sell(seller);
  // The first charge is what the sale has earned already.
  await money.charge(client_id, { amount_cents: 50_000 });
  const before = [await total(seller), await total(parent)];
  const facts = { external_id: "in_both", amount_cents: 50_000 };
  await expect(refusing("commissions", parent, () => money.charge(client_id, facts))).rejects.toThrow("internal_error");
  expect([await total(seller), await total(parent)]).toEqual(before);
  expect(await world.db.sql("select 1 from charges where partner_id = $1", [seller.partner_id])).toHaveLength(1);
  await money.charge(client_id, facts);
  const after = [await total(seller), await total(parent)];
  expect(after[0]).toBeGreaterThan(before[0] ?? 0);
  expect(after[1]).toBeGreaterThan(before[1] ?? 0);
  expect(await brokenBooks(world.db.sql)).toEqual([]);
  expect(await verifyLedger(world, [seller, parent])).toEqual([]);
});

test("a purchase whose row of the seller fails is none; repeated, both sides have it", async () => {
  const { seller, buyer } = await apart(
    async () => ({ seller: await world.newPartner(), buyer: await world.newPartner() }),
    (pair) => [pair.seller, pair.buyer],
  );
  const id = await trade.newOffer(seller);
  const purchases = async ({ key }: TestPartner) =>
    (await world.call("GET", `${BASE}/purchases`, { key })).body.data.map(({ role }: { role: string }) => role);
  expect((await refusing("snapshot_purchases", seller, () => trade.buy(buyer, id))).status).toBe(500);
  expect([await purchases(buyer), await purchases(seller)]).toEqual([[], []]);
  expect((await trade.buy(buyer, id)).status).toBe(201);
  expect([await purchases(buyer), await purchases(seller)]).toEqual([["buyer"], ["seller"]]);
});
