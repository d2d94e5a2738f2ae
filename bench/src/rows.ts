import { cycle, requestBytes } from "./requests.ts";

export type Row = {
  name: string;
  /** The share of the floor's rate that the product is to reach, if one is set. */
  goal: number | null;
  nextRequest(): Buffer;
  /** How much the lengths of the replies may differ, if more than by a twentieth. */
  same_within?: number;
  /** Where the floor is asked something else. */
  floorRequest?(): Buffer;
};

/** The file under floors/ that says what the floor is. */
export type FloorRow = Row & { floor: string };

const BASE = "/v1/partners";

/** What is measured, in an order that leaves the rows that change the database for last. */
export function benchRows(keys: readonly string[], client_ids: readonly string[]): FloorRow[] {
  const nextKey = cycle(keys);
  const get = (path: string) => requestBytes(nextKey(), "GET", BASE + path);
  const every = Math.max(1, Math.floor(client_ids.length / 500));
  const some_ids = client_ids.filter((_, index) => index % every === 0);
  return [
    { name: "authenticate only", goal: 0.8, floor: "authenticate", nextRequest: cycle(keys.map(() => get("/me"))) },
    { name: "get one client", goal: 0.8, floor: "get-client", nextRequest: cycle(some_ids.map((id) => get(`/clients/${id}`))) },
    {
      name: "list 50 clients",
      goal: 0.85,
      floor: "list-clients",
      nextRequest: cycle(keys.map(() => get("/clients?limit=50"))),
    },
    { name: "create a client", goal: 0.6, floor: "create-client", nextRequest: () => createRequest(nextKey()) },
  ];
}

let created = 0;

/** Its own Idempotency-Key and external_id each time, so that every one is new. */
export function createRequest(key: string): Buffer {
  created += 1;
  const body = JSON.stringify({
    company: `Harbour Dental ${created}`,
    external_id: `bench-${created}`,
    contact: { name: "Ada Okafor", email: `ada${created}@harbour.example`, phone: "+14155552671" },
    plan: "Growth",
    mrr_cents: 49_900,
    metadata: { region: "emea" },
  });
  return requestBytes(key, "POST", `${BASE}/clients`, body, { "idempotency-key": `bench-${created}` });
}
