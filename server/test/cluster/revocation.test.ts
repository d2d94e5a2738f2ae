import { describe, expect, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import { halfChanges } from "../harness/consistency.ts";
import { ADVISORY_LOCKS, ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { sized } from "../harness/size.ts";
import { BASE, type Reply } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const ROUNDS = sized(15, 200);
const PROCESSES = 4;

const cluster = useCluster(PROCESSES);
const hold = useHolds(() => cluster.db.connect());

async function createClient(): Promise<string> {
  const { body } = await cluster.service(0).call("POST", `${BASE}/clients`, { key: cluster.key, body: { company: "Shared" } });
  return body.id;
}

/** What each process is loaded with: a read, a creation, and changes that contend for one row. */
const REQUESTS: ((service: ServiceProcess, key: string, client_id: string, turn: number) => Promise<Reply>)[] = [
  (service, key, client_id) => service.call("GET", `${BASE}/clients/${client_id}`, { key }),
  (service, key) => service.call("POST", `${BASE}/clients`, { key, body: { company: "Loaded" } }),
  (service, key, client_id, turn) =>
    service.call("POST", `${BASE}/clients/${client_id}/${turn % 2 === 0 ? "suspend" : "reactivate"}`, { key }),
];

type Load = { admitted: number; revoked: boolean; admittedLate: string[] };

/** Sends one request after the other until one that was started after the revocation has been answered. */
async function keepSending(load: Load, send: (turn: number) => Promise<Reply>): Promise<void> {
  for (let turn = 0, last = false; !last; turn += 1) {
    last = load.revoked;
    const { status, body, text } = await send(turn);
    if (status === 200 || status === 201) {
      load.admitted += 1;
      if (last) load.admittedLate.push(text);
    } else if (body.code !== "invalid_credentials") throw new Error(text);
  }
}

const WRITES_BY = `
  select count(*)::int as count from audit_entries
  where partner_id = $1 and actor_id = $2 and outcome = 'success' and action in ('clients.create', 'clients.suspend', 'clients.reactivate')`;

async function writesBy(key_id: string): Promise<number> {
  const [row] = await cluster.db.sql<{ count: number }>(WRITES_BY, [cluster.partner_id, key_id]);
  return row?.count ?? 0;
}

test(`when revoke has answered, no process admits the key and none of its writes commits, ${ROUNDS} times under load`, async () => {
  const client_id = await createClient();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, api_key } = await cluster.newKey(["clients:read", "clients:write"]);
    const load: Load = { admitted: 0, revoked: false, admittedLate: [] };
    const loops = cluster.services.flatMap((service) =>
      REQUESTS.map((request) => keepSending(load, (turn) => request(service, api_key, client_id, turn + round))),
    );
    const running = Promise.all(loops);
    const loaded = eventually("the key to be in use", () => load.admitted > loops.length || null);
    await Promise.race([loaded, running]);
    const { status } = await cluster.service(round).call("DELETE", `${BASE}/keys/${id}`, { key: cluster.key });
    load.revoked = true;
    const written = await writesBy(id);
    expect(status).toBe(204);
    await running;
    expect(load.admittedLate).toEqual([]);
    expect(await writesBy(id)).toBe(written);
    expect(written).toBeGreaterThan(0);
  }
  expect(await halfChanges(cluster.db.sql)).toEqual([]);
});

const HOLD_KEY = "select 1 from keys where id = $1 for update";
const HOLD_CLIENT = "select 1 from clients where partner_id = $1 and id = $2 for update";

describe("a write and the revocation of its key", () => {
  test("the revocation waits for a write under way, which commits before it answers", async () => {
    const client_id = await createClient();
    const { id, api_key } = await cluster.newKey(["clients:write"]);
    const client = await hold(HOLD_CLIENT, [cluster.partner_id, client_id]);
    const write = cluster.service(0).call("POST", `${BASE}/clients/${client_id}/suspend`, { key: api_key });
    await untilWaiting(cluster.db.sql, ROW_LOCKS, 1);
    const answered: string[] = [];
    const revoke = cluster
      .service(1)
      .call("DELETE", `${BASE}/keys/${id}`, { key: cluster.key })
      .then(async ({ status }) => {
        answered.push("revoke");
        return { status, written: await writesBy(id) };
      });
    await untilWaiting(cluster.db.sql, ADVISORY_LOCKS, 1);
    expect(answered).toEqual([]);
    await client.release();
    expect(await revoke).toEqual({ status: 204, written: 1 });
    expect((await write).status).toBe(200);
  });

  test("writes that were waiting when the key was revoked are refused and change nothing", async () => {
    const client_id = await createClient();
    const { id, api_key } = await cluster.newKey(["clients:write"]);
    const key = await hold(HOLD_KEY, [id]);
    const client = await hold(HOLD_CLIENT, [cluster.partner_id, client_id]);
    const revoke = cluster.service(0).call("DELETE", `${BASE}/keys/${id}`, { key: cluster.key });
    await untilWaiting(cluster.db.sql, ROW_LOCKS, 1);
    const writes = cluster.services.flatMap((service) => [
      service.call("POST", `${BASE}/clients/${client_id}/suspend`, { key: api_key }),
      service.call("PATCH", `${BASE}/clients/${client_id}`, { key: api_key, body: { company: "Changed" } }),
    ]);
    await untilWaiting(cluster.db.sql, ADVISORY_LOCKS, writes.length);
    await key.release();
    expect((await revoke).status).toBe(204);
    await client.release();
    for (const { status } of await Promise.all(writes)) expect(status).toBe(401);
    const { body } = await cluster.service(0).call("GET", `${BASE}/clients/${client_id}`, { key: cluster.key });
    expect([body.company, body.status, body.version]).toEqual(["Shared", "active", 1]);
    expect(await halfChanges(cluster.db.sql)).toEqual([]);
  });
});
