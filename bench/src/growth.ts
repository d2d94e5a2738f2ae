import { cycle, requestBytes } from "./requests.ts";
import type { Row } from "./rows.ts";
import { createKeys, raiseLimits, seedClients, seedHistory } from "./seed.ts";
import type { Stage } from "./stage.ts";

export const SMALL = 1_000;
/** At a thousand times the rows a request may cost 1.15 times as much. */
const GOAL = 1 / 1.15;
const PAGE = "limit=50";

const LISTS: Record<string, string> = {
  "list 50": `/clients?${PAGE}`,
  "list, three filters": `/clients?${PAGE}&status=active&plan=Growth&tag=vip`,
  "list by company": `/clients?${PAGE}&sort=company`,
  search: `/clients?${PAGE}&q=ada777@`,
  "audit log by action": `/audit-log?${PAGE}&action=clients.create`,
};

type Grown = { keys: string[]; client_ids: string[] };

/** One partner with so many clients, each with the events and the audit entry of its creation. */
export async function grow({ owner, secrets }: Stage, count: number): Promise<Grown> {
  await raiseLimits(owner, secrets.partner_id);
  const keys = await createKeys(secrets.base_url, secrets.api_key, 8);
  const client_ids = await seedClients(owner, secrets.partner_id, count);
  await seedHistory(owner, secrets.partner_id);
  await owner.query("vacuum analyze");
  return { keys, client_ids };
}

/** The same requests to a grown installation and, as its floor, to a small one. */
export function growthRows(large: Grown, small: Grown): Row[] {
  const lists = Object.entries(LISTS).map(([name, path]) => ({
    name,
    nextRequest: requests(large.keys, () => path),
    floorRequest: requests(small.keys, () => path),
  }));
  const get = ({ keys, client_ids }: Grown) => requests(keys, spread(client_ids));
  const feed = (grown: Grown) => requests(grown.keys, () => `/events?${PAGE}`);
  return [
    { name: "get", nextRequest: get(large), floorRequest: get(small) },
    ...lists,
    { name: "event feed", nextRequest: feed(large), floorRequest: feed(small) },
  ].map((row) => ({ ...row, name: `grown: ${row.name}`, goal: GOAL }));
}

function requests(keys: readonly string[], nextPath: () => string): () => Buffer {
  const nextKey = cycle(keys);
  return () => requestBytes(nextKey(), "GET", `/v1/partners${nextPath()}`);
}

/** Clients from all over, a thousand of them. */
function spread(client_ids: readonly string[]): () => string {
  const every = Math.max(1, Math.floor(client_ids.length / 1_000));
  return cycle(client_ids.filter((_, index) => index % every === 0).map((id) => `/clients/${id}`));
}
