import fc from "fast-check";
import { expect, test } from "vitest";
import { addHay, type Hay, histories, nameOf, type Straw, strawsOf } from "../harness/haystack.ts";
import { walk } from "../harness/lists.ts";
import { sized } from "../harness/size.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const { runs, queries, rows_max } = sized({ runs: 2, queries: 15, rows_max: 1_000 }, { runs: 15, queries: 40, rows_max: 6_000 });
const ACCOUNTS = 3;
const YEAR_MS = 365 * 86_400_000;

/** How similar words are that a search finds where nothing has its text. */
const SIMILAR_MIN = 0.5;

type Scan = { path: string; text: string; rows: string; fuzzy: boolean; sorts: Record<string, string> };
const NEWEST = { "": "c.id desc", "-created_at": "c.id desc", created_at: "c.id", "-updated_at": "c.updated_at desc, c.id desc" };

/** What a search of each kind means, said in the plainest way: a function of each row, which no index answers. */
const SCANS: Record<Hay, Scan> = {
  contact: {
    path: "/v1/contacts",
    text: "contact_search_text(c.name, c.email, c.phone, c.company, c.notes)",
    rows: "contacts c where c.deleted_at is null",
    fuzzy: true,
    sorts: { ...NEWEST, name: "lower(c.name), c.id" },
  },
  lead: {
    path: "/v1/leads",
    text: "contact_search_text(coalesce(c.name, ''), c.email, c.phone, c.company, c.notes)",
    rows: "leads c where c.deleted_at is null",
    fuzzy: true,
    sorts: { ...NEWEST, name: "lower(coalesce(c.name, '')), c.id", "-score": "c.score desc, c.id desc" },
  },
  deal: {
    path: "/v1/deals",
    text: "deal_search_text(c.name, c.company, c.notes)",
    rows: "deals c where c.deleted_at is null",
    fuzzy: true,
    sorts: { ...NEWEST, name: "lower(c.name), c.id", "-amount_cents": "coalesce(c.amount_cents, -1) desc, c.id desc" },
  },
  client: {
    path: "/clients",
    text: "client_search_text(c.company, c.external_id, c.contact)",
    rows: "clients c where not c.house",
    fuzzy: false,
    sorts: { ...NEWEST, company: "lower(c.company), c.id", "-company": "lower(c.company) desc, c.id desc" },
  },
};

/** What people type, made from somebody who is there. */
const TYPED: Record<string, (straw: Straw, cut: number) => string> = {
  family: ({ family }) => family,
  "in capitals": ({ family }) => family.toUpperCase(),
  "whole name": nameOf,
  "names the other way round": ({ given, family }) => `${family} ${given}`,
  "two words that are not together": ({ given, company }) => `${given} ${company ?? "nobody"}`,
  "part of a name": (straw, cut) => nameOf(straw).slice(cut % 5, (cut % 5) + 2 + (cut % 6)),
  "a letter or two": ({ family }, cut) => family.slice(0, 1 + (cut % 2)),
  company: ({ company }) => company ?? "Harbour",
  "two companies": ({ company }) => `${company ?? "Harbour"} Dental`,
  email: ({ email }) => email ?? "@lund.example",
  "mail domain": ({ email }) => email?.replace(/^.*@/, "") ?? "quay.example",
  phone: ({ phone }, cut) => phone.slice(cut % 4),
  "two letters swapped": ({ family }, cut) => family.replace(new RegExp(`^(.{${cut % 4}})(.)(.)`), "$1$3$2"),
  "a letter missing": ({ family }, cut) => family.slice(0, 1 + (cut % 4)) + family.slice(2 + (cut % 4)),
  sign: (_, cut) => ["%", "_", "\\", "'", "%_", "100%_", "& s"][cut % 7] ?? "%",
  "what nobody has": () => "Xyzzyqwop",
};

const queryOf = fc.record({
  typed: fc.constantFrom(...Object.keys(TYPED)),
  of: fc.nat(),
  cut: fc.nat(20),
  partner: fc.nat(3).map((number) => (number === 0 ? 1 : 0)),
  account: fc.option(fc.nat(ACCOUNTS - 1), { freq: 2 }),
  bound: fc.boolean(),
  tag: fc.option(fc.constantFrom("common", "rare"), { freq: 2 }),
  after: fc.option(fc.nat(), { freq: 2 }),
  before: fc.option(fc.nat(), { freq: 2 }),
  sort: fc.nat(30),
  limit: fc.constantFrom(9, 50, 100),
});
type Query = typeof queryOf extends fc.Arbitrary<infer T> ? T : never;
type Scene = { partner: TestPartner; accounts: string[]; bound_keys: string[]; straws: Straw[] };

async function sceneOf(kind: Hay, straws: Straw[]): Promise<Scene> {
  const partner = await world.newPartner();
  const accounts: string[] = [];
  for (let account = 0; account < ACCOUNTS; account += 1) accounts.push((await world.newClient(partner)).id);
  const bound_keys: string[] = [];
  for (const id of accounts) bound_keys.push(await world.newKey(partner, { clients: [id] }));
  await addHay(world, kind, partner, accounts, straws);
  return { partner, accounts, bound_keys, straws };
}

/** The ids that a scan of all rows finds, in their order. */
async function scanned(kind: Hay, partner_id: string, q: string, where: Where, sort: string): Promise<string[]> {
  const { rows, text, fuzzy, sorts } = SCANS[kind];
  const values: unknown[] = [partner_id, q];
  const place = (value: unknown) => `$${values.push(value)}`;
  const wanted = [
    ...(where.account_id === undefined ? [] : [`c.account_id = ${place(where.account_id)}`]),
    ...(where.tag === undefined ? [] : [`${place(where.tag)} = any (c.tags)`]),
    ...(where.created_after === undefined ? [] : [`c.created_at >= ${place(where.created_after)}`]),
    ...(where.created_before === undefined ? [] : [`c.created_at < ${place(where.created_before)}`]),
  ];
  const having = async (match: string) => {
    const conditions = ["c.partner_id = $1", ...wanted, match].join(" and ");
    const found = await world.db.sql<{ id: string }>(
      `select c.id from ${rows} and ${conditions} order by ${sorts[sort]}`,
      values,
    );
    return found.map(({ id }) => id);
  };
  const exact = await having(`strpos(${text}, lower($2)) > 0`);
  return exact.length > 0 || !fuzzy ? exact : having(`word_similarity(lower($2), ${text}) >= ${SIMILAR_MIN}`);
}

type Where = Partial<Record<"account_id" | "tag" | "created_after" | "created_before", string>>;

/** A search through the API and by a scan: what each found. */
async function searchedTwice(kind: Hay, { partner, accounts, bound_keys, straws }: Scene, query: Query) {
  const { path, sorts } = SCANS[kind];
  const straw = straws[query.of % straws.length] as Straw;
  const q = TYPED[query.typed]?.(straw, query.cut).trim() || "a";
  const sort = Object.keys(sorts)[query.sort % (2 * Object.keys(sorts).length)] ?? "";
  const timeOf = (of: number) => new Date(straws[of % straws.length]?.at_ms ?? 0).toISOString();
  const account = kind === "client" || query.account === null ? null : query.account;
  const where: Where = {
    ...(account === null ? {} : { account_id: accounts[account] ?? "" }),
    ...(query.tag === null ? {} : { tag: query.tag }),
    ...(query.after === null ? {} : { created_after: timeOf(query.after) }),
    ...(query.before === null ? {} : { created_before: timeOf(query.before) }),
  };
  const { account_id: _, ...unbound } = where;
  const bound = account !== null && query.bound;
  const asked = { q, limit: query.limit, ...(bound ? unbound : where), ...(sort === "" ? {} : { sort }) };
  const rows = await walk(world, (bound ? bound_keys[account] : undefined) ?? partner.key, path, asked);
  return { asked, rows, ids: await scanned(kind, partner.partner_id, q, where, sort) };
}

test.each(Object.keys(SCANS) as Hay[])(
  "whatever %ss there are, each search finds what a scan of all rows finds, in its order, each row once, over all pages",
  async (kind) => {
    const asked = fc.array(queryOf, { minLength: queries, maxLength: queries });
    await fc.assert(
      fc.asyncProperty(histories(rows_max), asked, async (history, queries) => {
        const begun_ms = world.clock.now().getTime() - YEAR_MS;
        const straws = strawsOf(history, begun_ms, ACCOUNTS);
        const scenes = [await sceneOf(kind, straws), await sceneOf(kind, straws.slice(0, Math.ceil(straws.length / 5)))];
        const rowsOf = async ({ partner }: Scene) =>
          new Map<string, Json>((await walk(world, partner.key, SCANS[kind].path, { limit: 100 })).map((row) => [row.id, row]));
        const listed = [await rowsOf(scenes[0] as Scene), await rowsOf(scenes[1] as Scene)];
        for (const query of queries) {
          const { asked, rows, ids } = await searchedTwice(kind, scenes[query.partner] as Scene, query);
          expect({ asked, ids: rows.map(({ id }) => id) }).toEqual({ asked, ids });
          expect(rows).toEqual(ids.map((id) => listed[query.partner]?.get(id)));
        }
      }),
      { numRuns: runs, endOnFailure: true },
    );
  },
);
