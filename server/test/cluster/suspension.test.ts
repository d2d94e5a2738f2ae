import { beforeAll, describe, expect, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import { halfChanges } from "../harness/consistency.ts";
import { ADVISORY_LOCKS, ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { sized } from "../harness/size.ts";
import { ADMIN, BASE, type Reply } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const ROUNDS = sized(5, 25);
const PROCESSES = 3;

const cluster = useCluster(PROCESSES);
const hold = useHolds(() => cluster.db.connect());
let client_id: string;

beforeAll(async () => {
  const { body } = await cluster.service(0).call("POST", `${BASE}/clients`, { key: cluster.key, body: { company: "Shared" } });
  client_id = body.id;
});

const suspend = (turn: number) => move(turn, "suspend");
const move = (turn: number, verb: "suspend" | "reactivate") =>
  cluster.service(turn).call("POST", `${ADMIN}/partners/${cluster.partner_id}/${verb}`, { key: cluster.operator_key });

/** What each process is loaded with: a read, a creation, and changes that contend for one row. */
const REQUESTS: ((service: ServiceProcess, key: string, turn: number) => Promise<Reply>)[] = [
  (service, key) => service.call("GET", `${BASE}/clients/${client_id}`, { key }),
  (service, key) => service.call("POST", `${BASE}/clients`, { key, body: { company: "Loaded" } }),
  (service, key, turn) =>
    service.call("POST", `${BASE}/clients/${client_id}/${turn % 2 === 0 ? "suspend" : "reactivate"}`, { key }),
];

type Load = { admitted: number; suspended: boolean; admittedLate: string[] };

/** Sends one request after the other until one that was started after the suspension has been answered. */
async function keepSending(load: Load, send: (turn: number) => Promise<Reply>): Promise<void> {
  for (let turn = 0, last = false; !last; turn += 1) {
    last = load.suspended;
    const { status, body, text } = await send(turn);
    if (status !== 403) load.admitted += 1;
    else if (body.code !== "partner_suspended") throw new Error(text);
    if (last && status !== 403) load.admittedLate.push(text);
  }
}

const WRITES = `
  select count(*)::int as count from audit_entries
  where partner_id = $1 and outcome = 'success' and action in ('clients.create', 'clients.suspend', 'clients.reactivate')`;

async function writes(): Promise<number> {
  const [row] = await cluster.db.sql<{ count: number }>(WRITES, [cluster.partner_id]);
  return row?.count ?? 0;
}

test(`when suspend has answered, no process admits any key of the partner and no write commits, ${ROUNDS} times under load`, async () => {
  const keys = [cluster.key, (await cluster.newKey(["clients:read", "clients:write"])).api_key];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await writes();
    const load: Load = { admitted: 0, suspended: false, admittedLate: [] };
    const loops = cluster.services.flatMap((service) =>
      REQUESTS.map((request, index) =>
        keepSending(load, (turn) => request(service, keys[(index + turn) % keys.length] ?? "", turn + round)),
      ),
    );
    const running = Promise.all(loops);
    await Promise.race([eventually("the keys to be in use", () => load.admitted > loops.length || null), running]);
    const { status } = await suspend(round);
    load.suspended = true;
    const written = await writes();
    expect(status).toBe(200);
    await running;
    expect(load.admittedLate).toEqual([]);
    expect(await writes()).toBe(written);
    expect(written).toBeGreaterThan(before);
    expect((await move(round, "reactivate")).status).toBe(200);
  }
  expect(await halfChanges(cluster.db.sql)).toEqual([]);
});

const HOLD_CLIENT = "select 1 from clients where partner_id = $1 and id = $2 for update";
const HOLD_PARTNER = "select 1 from partners where id = $1 for update";

describe("a write and the suspension of its partner", () => {
  test("the suspension waits for a write under way, which commits before it answers", async () => {
    const client = await hold(HOLD_CLIENT, [cluster.partner_id, client_id]);
    const write = cluster
      .service(0)
      .call("PATCH", `${BASE}/clients/${client_id}`, { key: cluster.key, body: { external_id: "before" } });
    await untilWaiting(cluster.db.sql, ROW_LOCKS, 1);
    const answered: string[] = [];
    const suspended = suspend(1).then(({ status }) => {
      answered.push("suspend");
      return status;
    });
    await untilWaiting(cluster.db.sql, ADVISORY_LOCKS, 1);
    expect(answered).toEqual([]);
    await client.release();
    expect(await suspended).toBe(200);
    expect((await write).status).toBe(200);
    await move(0, "reactivate");
  });

  test("writes of several keys that were waiting when the partner was suspended are refused and change nothing", async () => {
    const { api_key } = await cluster.newKey(["clients:write"]);
    const partner = await hold(HOLD_PARTNER, [cluster.partner_id]);
    const suspended = suspend(0);
    await untilWaiting(cluster.db.sql, ROW_LOCKS, 1);
    const late = cluster.services.flatMap((service) =>
      [cluster.key, api_key].map((key) =>
        service.call("PATCH", `${BASE}/clients/${client_id}`, { key, body: { external_id: "after" } }),
      ),
    );
    await untilWaiting(cluster.db.sql, ADVISORY_LOCKS, late.length);
    await partner.release();
    expect((await suspended).status).toBe(200);
    for (const { status, body } of await Promise.all(late)) expect([status, body.code]).toEqual([403, "partner_suspended"]);
    await move(0, "reactivate");
    const { body } = await cluster.service(0).call("GET", `${BASE}/clients/${client_id}`, { key: cluster.key });
    expect(body.external_id).toBe("before");
  });
});
