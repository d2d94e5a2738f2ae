import { newId } from "@tributary/server/src/kernel/ids.ts";
import pg from "pg";
import { personOf } from "./people.ts";
import { cycle, requestBytes } from "./requests.ts";
import type { FloorRow, Row } from "./rows.ts";
import { createKeys, raiseLimits } from "./seed.ts";
import type { Stage } from "./stage.ts";

/** A name that four or five in a thousand have, and the same with a typo. */
export const SEARCHED = "okafor";
const MISSPELT = "okafro";
/** The company of twenty contacts, however many there are. */
const COMPANY = "Harbour Dental 7";
const COLLEAGUES = 20;
export const CHANGES_READ = 50;

const DAY_MS = 86_400_000;
const CHUNK = 50_000;
const GOAL_GROWN = 1 / 1.15;
const GOAL_SEARCH = 0.5;
/** The number of the first person who is no seeded contact. */
const NEW = 2_000_000;
const PAGE = "limit=50";
/** PostgreSQL writes blanks into JSON, the service does not. */
const WITHOUT_BLANKS = 0.1;

export type Book = { keys: string[]; account_id: string; contact_ids: string[] };

/** The contacts of one account, created evenly over the last year, each with its place in the change feed. */
export async function seedContacts({ owner, secrets, login }: Stage, count: number): Promise<Book> {
  const { partner_id } = secrets;
  await raiseLimits(owner, partner_id);
  const keys = await createKeys(secrets.base_url, secrets.api_key, 8);
  const { rows } = await owner.query<{ id: string }>("select id from clients where partner_id = $1 and house", [partner_id]);
  const account_id = rows[0]?.id ?? "";
  const now_ms = Date.now();
  const instants = Array.from({ length: count }, (_, index) => now_ms - Math.floor(((count - index) / count) * 365 * DAY_MS));
  const contact_ids = instants.map((instant_ms) => newId("contact", instant_ms));
  for (let start = 0; start < count; start += CHUNK) {
    await owner.query(
      `insert into contacts (partner_id, id, account_id, name, phone, email, company, tags, external_id, created_at, updated_at)
       select $1, s.id, $5, s.name, s.phone, s.email, s.company, case when s.n % 10 = 0 then array['vip'] else '{}' end,
         'seed-' || $4 + s.n, s.at, s.at
       from unnest($2::text[], $3::timestamptz[], $6::text[], $7::text[], $8::text[], $9::text[])
         with ordinality as s (id, at, name, phone, email, company, n)`,
      [
        partner_id,
        contact_ids.slice(start, start + CHUNK),
        instants.slice(start, start + CHUNK).map((instant_ms) => new Date(instant_ms)),
        start,
        account_id,
        ...columnsOf(start, Math.min(CHUNK, count - start)),
      ],
    );
  }
  const { rows: heads } = await owner.query<{ seq: string }>(
    `insert into change_heads (partner_id, seq) values ($1, $2)
     on conflict (partner_id) do update set seq = change_heads.seq + excluded.seq returning seq`,
    [partner_id, count],
  );
  await owner.query(
    `insert into change_feed (partner_id, change_id, resource, account_id, subject, subject_version, change, transaction_id, ordinal, seq)
     select $1, 'chg_' || substr(c.id, 5), 'contact', c.account_id, c.id, 1, 'created', 'chg_' || substr(c.id, 5), 0,
       $2::bigint + 1 - row_number() over (order by c.id desc)
     from contacts c where c.partner_id = $1 and c.external_id like 'seed-%'`,
    [partner_id, heads[0]?.seq],
  );
  await owner.query("create table bench_contacts (like contacts including all)");
  await owner.query(`grant select, insert, update on bench_contacts to ${pg.escapeIdentifier(login)}`);
  await owner.query("insert into bench_contacts select * from contacts where partner_id = $1 limit 2000", [partner_id]);
  await owner.query("vacuum analyze");
  return { keys, account_id, contact_ids };
}

/** The names, phones, e-mail addresses and companies of some seeded contacts. */
function columnsOf(start: number, length: number): string[][] {
  const people = Array.from({ length }, (_, index) => personOf(start + index));
  return [
    people.map(({ name }) => name),
    people.map(({ phone }) => phone),
    people.map(({ email }) => email),
    people.map(({ company }, index) => (start + index < COLLEAGUES ? COMPANY : company)),
  ];
}

let made = 0;

/** What is measured of contacts, in an order that leaves the rows that change the database for last. */
export function contactRows({ keys, account_id, contact_ids }: Book): FloorRow[] {
  const nextKey = cycle(keys);
  const get = (path: string) => requestBytes(nextKey(), "GET", `/v1${path}`);
  const post = (path: string, body: object) =>
    requestBytes(nextKey(), "POST", `/v1${path}`, JSON.stringify(body), { "idempotency-key": `contact-${made}` });
  const every = Math.max(1, Math.floor(contact_ids.length / 500));
  const some_ids = contact_ids.filter((_, index) => index % every === 0);
  return [
    {
      name: "get one contact",
      goal: 0.8,
      floor: "get-contact",
      nextRequest: cycle(some_ids.map((id) => get(`/contacts/${id}`))),
    },
    {
      name: "list 50 contacts",
      goal: 0.85,
      floor: "list-contacts",
      nextRequest: cycle(keys.map(() => get(`/contacts?${PAGE}`))),
    },
    {
      name: "search contacts",
      goal: 0.85,
      floor: "search-contacts",
      nextRequest: cycle(keys.map(() => get(`/contacts?${PAGE}&q=${SEARCHED}`))),
    },
    {
      name: "change feed",
      goal: 0.6,
      floor: "follow-changes",
      nextRequest: cycle(keys.map(() => get(`/changes?limit=${CHANGES_READ}&resource=contact`))),
    },
    {
      name: "create a contact",
      goal: 0.6,
      floor: "create-contact",
      same_within: WITHOUT_BLANKS,
      nextRequest: () => {
        made += 1;
        return post("/contacts", { account_id, ...personOf(NEW + made), tags: ["new"] });
      },
    },
    {
      name: "upsert a contact",
      goal: 0.4,
      floor: "upsert-contact",
      same_within: WITHOUT_BLANKS,
      nextRequest: () => {
        made += 1;
        const { name, company } = personOf(NEW + made);
        return post("/contacts/upsert", { account_id, name, phone: personOf(made % 1_000).phone, company });
      },
    },
  ];
}

const GROWN: Record<string, string> = {
  "list 50 contacts": `/contacts?${PAGE}`,
  "contacts by tag": `/contacts?${PAGE}&tag=vip`,
  "contacts by company": `/contacts?${PAGE}&company=${encodeURIComponent(COMPANY)}`,
  "contacts by name": `/contacts?${PAGE}&sort=name`,
  "search by name": `/contacts?limit=3&q=${SEARCHED}`,
  "search by e-mail": `/contacts?${PAGE}&q=${encodeURIComponent(personOf(777).email)}`,
  "search with a typo": `/contacts?limit=3&q=${MISSPELT}`,
  "change feed": `/changes?${PAGE}&resource=contact`,
};

/** The same requests to a large book and, as its floor, to a small one. */
export function grownContactRows(large: Book, small: Book): Row[] {
  const requests = ({ keys }: Book, nextPath: () => string) => {
    const nextKey = cycle(keys);
    return () => requestBytes(nextKey(), "GET", `/v1${nextPath()}`);
  };
  const spread = ({ contact_ids }: Book) => {
    const every = Math.max(1, Math.floor(contact_ids.length / 1_000));
    return cycle(contact_ids.filter((_, index) => index % every === 0).map((id) => `/contacts/${id}`));
  };
  return [
    { name: "get one contact", nextRequest: requests(large, spread(large)), floorRequest: requests(small, spread(small)) },
    ...Object.entries(GROWN).map(([name, path]) => ({
      name,
      nextRequest: requests(large, () => path),
      floorRequest: requests(small, () => path),
    })),
  ].map((row) => {
    const searches = row.name.startsWith("search");
    // People have names and addresses of different lengths.
    return {
      ...row,
      name: `grown: ${row.name}`,
      goal: searches ? GOAL_SEARCH : GOAL_GROWN,
      ...(searches ? { same_within: 0.2 } : {}),
    };
  });
}
