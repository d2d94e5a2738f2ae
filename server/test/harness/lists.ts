import { BASE, type Json, type Reply, type World } from "./world.ts";

/** Every row of a list, page after page: of the partner API, unless the path says otherwise. `between` runs while each page after the first is asked for. */
export async function walk(
  world: World,
  key: string,
  path: string,
  query: Record<string, string | number> = {},
  between: () => Promise<unknown> = async () => undefined,
): Promise<Json[]> {
  const rows: Json[] = [];
  let cursor: string | null = null;
  do {
    const given: [string, string][] = Object.entries(query).map(([name, value]) => [name, String(value)]);
    if (cursor !== null) given.push(["cursor", cursor]);
    const asked = world.call("GET", `${path.startsWith("/v1/") ? "" : BASE}${path}?${new URLSearchParams(given)}`, { key });
    if (cursor !== null) await between();
    const { status, body, text }: Reply = await asked;
    if (status !== 200) throw new Error(`${path} answered ${text}`);
    if (body.has_more !== (body.next_cursor !== null)) throw new Error(`${path} says has_more ${body.has_more} with its cursor`);
    if (cursor !== null && body.next_cursor === cursor) throw new Error(`${path} does not get past ${cursor}`);
    rows.push(...body.data);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return rows;
}

/** The whole feed of a key, oldest first. */
export async function feed(world: World, key: string, query = "limit=100"): Promise<Json[]> {
  const events: Json[] = [];
  let after = "";
  for (;;) {
    const { status, body, text } = await world.call("GET", `${BASE}/events?${query}${after}`, { key });
    if (status !== 200) throw new Error(`the feed answered ${text}`);
    events.push(...body.data);
    if (!body.has_more) return events;
    after = `&after=${body.next_cursor}`;
  }
}

/** The whole change feed of a key, oldest first. */
export async function changes(world: World, key: string, query = "limit=100"): Promise<Json[]> {
  const found: Json[] = [];
  let after = "";
  for (;;) {
    const { status, body, text } = await world.call("GET", `/v1/changes?${query}${after}`, { key });
    if (status !== 200) throw new Error(`the change feed answered ${text}`);
    found.push(...body.data);
    if (!body.has_more) return found;
    after = `&after=${body.next_cursor}`;
  }
}

/** The audit entries of a key's partner, oldest first, those counted in memory included. */
export async function auditLog(world: World, key: string, query: Record<string, string> = {}): Promise<Json[]> {
  await world.app.tally.flush();
  return (await walk(world, key, "/audit-log", { limit: 100, ...query })).reverse();
}

/** The requests that changed something, as the audit logs of all partners and of the operator have them. */
export async function auditedRequests(world: World): Promise<ReadonlySet<string>> {
  const entries = await world.db.sql<{ request_id: string }>(
    "select convert_from(body, 'UTF8')::json ->> 'request_id' as request_id from audit_entries where outcome = 'success'",
  );
  return new Set(entries.map(({ request_id }) => request_id));
}
