import { newId } from "@tributary/server/src/kernel/ids.ts";
import pg from "pg";

const DAY_MS = 86_400_000;
const CHUNK = 50_000;

/** Clients of one partner, created evenly over the last year. Returns their ids. */
export async function seedClients(owner: pg.Pool, partner_id: string, count: number): Promise<string[]> {
  const now_ms = Date.now();
  const instants = Array.from({ length: count }, (_, index) => now_ms - Math.floor(((count - index) / count) * 365 * DAY_MS));
  const ids = instants.map((instant_ms) => newId("client", instant_ms));
  for (let start = 0; start < count; start += CHUNK) {
    await owner.query(
      `insert into clients (partner_id, id, company, external_id, contact, plan, mrr_cents, currency, metadata, tags, status,
         status_changed_at, activated_at, created_at, updated_at)
       select $1, s.id, 'Harbour Dental ' || $4 + s.n, 'seed-' || $4 + s.n,
         jsonb_build_object('name', 'Ada Okafor', 'email', 'ada' || $4 + s.n || '@harbour.example', 'phone', '+14155552671'),
         'Growth', 49900, 'usd', '{"region": "emea"}', case when s.n % 10 = 0 then array['vip'] else '{}' end, 'active',
         s.at, s.at, s.at, s.at
       from unnest($2::text[], $3::timestamptz[]) with ordinality as s (id, at, n)`,
      [
        partner_id,
        ids.slice(start, start + CHUNK),
        instants.slice(start, start + CHUNK).map((instant_ms) => new Date(instant_ms)),
        start,
      ],
    );
  }
  return ids;
}

/** What the creation of every seeded client would have left: an event with its place in the feed, and an audit entry. */
export async function seedHistory(owner: pg.Pool, partner_id: string): Promise<void> {
  const seeded = "from clients c where c.partner_id = $1 and c.external_id like 'seed-%'";
  await owner.query(
    `insert into events (partner_id, id, body)
     select $1, 'evt_' || substr(c.id, 5), convert_to(json_build_object('id', 'evt_' || substr(c.id, 5), 'type', 'client.created',
       'created', extract(epoch from c.created_at)::int, 'data', json_build_object('client_id', c.id, 'partner_id', $1::text,
       'company', c.company, 'plan', c.plan, 'mrr_cents', c.mrr_cents, 'currency', c.currency, 'status', c.status,
       'external_id', c.external_id, 'snapshots', '[]'::json, 'deal_id', null))::text, 'UTF8') ${seeded}`,
    [partner_id],
  );
  await owner.query(
    `with head as (
       insert into feed_heads (partner_id, seq) select $1, count(*) ${seeded}
       on conflict (partner_id) do update set seq = feed_heads.seq + excluded.seq
       returning seq
     )
     insert into event_feed (partner_id, event_id, type, client_id, subject, subject_version, transaction_id, ordinal, seq)
     select $1, 'evt_' || substr(c.id, 5), 'client.created', c.id, c.id, 1, 'evt_' || substr(c.id, 5), 0,
       head.seq + 1 - row_number() over (order by c.id desc) ${seeded.replace("c where", "c, head where")}`,
    [partner_id],
  );
  await owner.query(
    `insert into audit_entries (partner_id, id, action, actor_id, client_id, target, outcome, body, leaf_hash)
     select $1, 'aud_' || substr(c.id, 5), 'clients.create', 'system', c.id, c.id, 'success', b.body, sha256(b.body)
     from clients c, lateral (select convert_to(json_build_object('id', 'aud_' || substr(c.id, 5), 'occurred_at', wire_time(c.created_at),
       'actor', json_build_object('type', 'system', 'id', 'system'), 'action', 'clients.create', 'outcome', 'success', 'target', c.id,
       'client_id', c.id, 'changes', null, 'count', 1, 'code', null, 'request_id', null, 'nonce', 'seed')::text, 'UTF8') as body) b
     where c.partner_id = $1 and c.external_id like 'seed-%'`,
    [partner_id],
  );
}

/** More keys of the same partner, with all that the first one may do: callers are rarely one. */
export async function createKeys(base_url: string, key: string, count: number): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const { scopes } = (await (await fetch(`${base_url}/v1/partners/me`, { headers })).json()) as { scopes: string[] };
  const makeKey = async (_: unknown, index: number) => {
    const body = JSON.stringify({ name: `Bench ${index}`, scopes, clients: "all" });
    const reply = await fetch(`${base_url}/v1/partners/keys`, { method: "POST", headers, body });
    if (reply.status !== 201) throw new Error(`no key was made: ${await reply.text()}`);
    return ((await reply.json()) as { api_key: string }).api_key;
  };
  return Promise.all(Array.from({ length: count }, makeKey));
}

/** Limits that no load here reaches: they are counted all the same. */
export async function raiseLimits(owner: pg.Pool, partner_id: string): Promise<void> {
  await owner.query("update partners set rate_limit_per_minute = 10000000, rate_limit_burst = 1000000 where id = $1", [
    partner_id,
  ]);
}

/** The table of the create floor: the shape, checks and indexes of the product's. */
export async function createFloorTable(owner: pg.Pool, login: string): Promise<void> {
  await owner.query("create table bench_clients (like clients including all)");
  await owner.query(`grant select, insert on bench_clients to ${pg.escapeIdentifier(login)}`);
}
