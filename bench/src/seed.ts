import { newId } from "@tributary/server/src/kernel/ids.ts";
import pg from "pg";

const DAY_MS = 86_400_000;

/** Clients of one partner, created evenly over the last year. Returns their ids. */
export async function seedClients(owner: pg.Pool, partner_id: string, count: number): Promise<string[]> {
  const now_ms = Date.now();
  const instants = Array.from({ length: count }, (_, index) => now_ms - Math.floor(((count - index) / count) * 365 * DAY_MS));
  const ids = instants.map((instant_ms) => newId("client", instant_ms));
  await owner.query(
    `insert into clients (partner_id, id, company, external_id, contact, plan, mrr_cents, currency, metadata, status,
       status_changed_at, activated_at, created_at, updated_at)
     select $1, s.id, 'Harbour Dental ' || s.n, 'seed-' || s.n,
       jsonb_build_object('name', 'Ada Okafor', 'email', 'ada' || s.n || '@harbour.example', 'phone', '+14155552671'),
       'Growth', 49900, 'usd', '{"region": "emea"}', 'active', s.at, s.at, s.at, s.at
     from unnest($2::text[], $3::timestamptz[]) with ordinality as s (id, at, n)`,
    [partner_id, ids, instants.map((instant_ms) => new Date(instant_ms))],
  );
  return ids;
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
