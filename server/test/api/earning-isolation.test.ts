import { beforeAll, describe, expect, test } from "vitest";
import { PREFIXES } from "../../src/kernel/ids.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { generalV1 } from "../../src/surfaces/general-v1.ts";
import { partnerV1 } from "../../src/surfaces/partner-v1.ts";
import { earning, earningLines } from "../harness/earning.ts";
import { changes, feed } from "../harness/lists.ts";
import { paying } from "../harness/payouts.ts";
import { documentAt } from "../harness/pdf.ts";
import { isEndless } from "../harness/reply-schema.ts";
import { DAY_MS, reclaim } from "../harness/sales.ts";
import { BASE, type TestPartner, useWorld } from "../harness/world.ts";

/** What a partner can learn of the sales below it: amounts, and through whom they came. Never whose, of what, or an id. */
const world = useWorld();
let operator: string;
const money = earning(world, () => operator);
const { newLine, sell } = earningLines(world, money);
const pay = paying(world, money);
let seller: TestPartner;
let parent: TestPartner;
let grandparent: TestPartner;

const NAMES = ["Confidential Dental", "Secret plan", "invoice-of-the-seller", "Rule of the seller"];

beforeAll(async () => {
  operator = await world.newOperator();
  const line = await newLine({ name: "Rule of the seller" });
  [seller, parent, grandparent] = [line.seller, line.parent, await world.newPartner({ company: "Above Ltd" })];
  await money.setParent(parent, grandparent);
  await world.newClient(grandparent);
  const { client_id, sale } = await sell(seller, { company: "Confidential Dental", plan: "Secret plan" });
  const first = await money.charge(client_id, { external_id: "invoice-of-the-seller", amount_cents: 40_000, months: 2 });
  await money.refund(first.id, 12_345);
  await money.charge(client_id, { currency: "eur" });
  const lost = await sell(seller);
  await money.charge(lost.client_id);
  world.clock.advance(1);
  await reclaim(world, seller, lost.sale);
  const further = await sell(seller, { client_id, company: sale.company });
  await money.admin("POST", `/registrations/${further.sale.deal_id}/reject`, { reason: "Confidential Dental" });
  const [override] = await money.commissions(parent);
  await money.admin("POST", `/commissions/${override?.id}/hold`, { reason: "Disputed" });
  world.clock.advance(40 * DAY_MS);
  await money.runJob("commission_approval");
  // What the partners above sell themselves, so that every list has something of their own.
  for (const above of [parent, grandparent]) await money.charge((await sell(above)).client_id);
  // Everybody is paid, with a statement.
  for (const partner of [seller, parent, grandparent]) {
    await pay.setMethod(partner);
    await pay.earn(partner, 10_000);
  }
  await pay.run();
});

const ID = /\b[a-z]{3,4}_[0-9a-hjkmnp-tv-z]{26}\b/g;

/** Every id that stands in the rows of a partner, whichever table they are in. One transaction writes the books of several partners. */
async function idsOf({ partner_id }: TestPartner): Promise<Set<string>> {
  const tables = await world.db.sql<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'partner_id' and t.table_type = 'BASE TABLE'`,
  );
  const ids = new Set<string>();
  for (const { name } of tables)
    for (const { row } of await world.db.sql<{ row: string }>(
      `select to_jsonb(t)::text as row from ${name} t where partner_id = $1`,
      [partner_id],
    ))
      for (const [id] of row.matchAll(ID)) ids.add(id);
  // The operator and the rules of the programme are the same for everybody.
  const shared = await world.db.sql<{ id: string }>(
    "select id from keys where partner_id is null union all select id from commission_rules where partner_id is null",
  );
  for (const { id } of shared) ids.delete(id);
  for (const id of ids) if (/^(ltx|ptr|prn)_/.test(id)) ids.delete(id);
  return ids;
}

const READS: { prefix: string; route: Route }[] = [partnerV1, generalV1].flatMap(({ prefix, routes }) =>
  routes.filter(({ method, path }) => method === "GET" && !isEndless("GET", prefix + path)).map((route) => ({ prefix, route })),
);

/** The addresses of an operation, with up to three of some ids for its parameters. */
function addressesOf({ prefix, route }: (typeof READS)[number], ids: Iterable<string>): string[] {
  const known = [...ids];
  const [name, ...others] = Object.keys(route.params);
  if (name === undefined) return [prefix + route.path];
  if (others.length > 0) return [];
  const kind = route.params[name] as keyof typeof PREFIXES;
  const own = known.filter((id) => id.startsWith(`${PREFIXES[kind]}_`)).slice(0, 3);
  return own.map((id) => prefix + route.path.replace(`{${name}}`, id));
}

/** Everything that a partner can read: all its lists with their exports, what it has, its events and its changes. */
async function everythingFor(partner: TestPartner): Promise<string[]> {
  const { key } = partner;
  const own = await idsOf(partner);
  const texts = [JSON.stringify(await feed(world, key)), JSON.stringify(await changes(world, key))];
  for (const read of READS)
    for (const address of addressesOf(read, own)) {
      const formats =
        read.route.exportable === true && Object.keys(read.route.params).length === 0 ? ["", "csv", "ndjson"] : [""];
      for (const format of formats) {
        const { status, text } = await world.call("GET", `${address}${format === "" ? "" : `?format=${format}`}`, { key });
        expect([address, status < 500]).toEqual([address, true]);
        if (status !== 200) continue;
        const shown = read.route.reply.stream === "pdf" ? (await documentAt(world, address, key)).text : text;
        texts.push(`${address} ${shown}`);
      }
    }
  return texts;
}

describe.each([
  { name: "the partner above", of: () => parent, below: () => [seller], hidden: () => [] as TestPartner[] },
  { name: "the one above that", of: () => grandparent, below: () => [seller, parent], hidden: () => [seller] },
])("$name", ({ of, below, hidden }) => {
  const secrets = async () => {
    const ids = (await Promise.all(below().map(idsOf))).flatMap((some) => [...some]);
    return [...ids, ...hidden().map(({ partner_id }) => partner_id)];
  };

  test("finds no id and no name of a sale below it, in no reply, export, event or change", async () => {
    const seen = await everythingFor(of());
    const ids = await secrets();
    expect(ids.length).toBeGreaterThan(50);
    expect(seen.length).toBeGreaterThan(40);
    // Texts of documents have no blanks.
    const names = [...NAMES, ...NAMES.map((name) => name.replaceAll(" ", ""))];
    const leaks = [...ids, ...names].flatMap((secret) =>
      seen.filter((text) => text.includes(secret)).map((text) => `${secret} in ${text.slice(0, 120)}`),
    );
    expect(leaks).toEqual([]);
    expect(seen.filter((text) => /^\S+\/statement(\.csv)? /.test(text))).toHaveLength(2);
    // It does see what it earned, and through whom.
    expect(seen.some((text) => text.includes('"kind":"override"'))).toBe(true);
  });

  test("is not shown anything by an id of a sale below it, nor finds its own commissions by one", async () => {
    const { key } = of();
    const ids = await secrets();
    const shown: string[] = [];
    for (const read of READS)
      for (const address of Object.keys(read.route.params).length === 0 ? [] : addressesOf(read, ids)) {
        const { status } = await world.call("GET", address, { key });
        if (status !== 404) shown.push(`${address} ${status}`);
      }
    expect(shown).toEqual([]);
    for (const [filter, prefix] of [
      ["deal_id", "deal_"],
      ["client_id", "cli_"],
      ["charge_id", "chr_"],
    ] as const)
      for (const id of ids.filter((one) => one.startsWith(prefix))) {
        const { body } = await world.call("GET", `${BASE}/deals/commissions?${filter}=${id}`, { key });
        expect([filter, body.data]).toEqual([filter, []]);
      }
  });
});
