import { describe, expect, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import { halfChanges } from "../harness/consistency.ts";
import { TABLE_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { sized } from "../harness/size.ts";
import { BASE, type Reply } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const REQUESTS = 100;
const ROUNDS = sized(1, 4);

const cluster = useCluster(4);
const hold = useHolds(() => cluster.db.connect());

function create(service: ServiceProcess, name: string): Promise<Reply> {
  const headers = { "idempotency-key": name };
  return service.call("POST", `${BASE}/clients`, { key: cluster.key, body: { company: name }, headers });
}

function isReplayed({ headers }: Reply): boolean {
  return headers["idempotent-replayed"] === "true";
}

async function clientsNamed(company: string): Promise<string[]> {
  const rows = await cluster.db.sql<{ id: string }>("select id from clients where company = $1", [company]);
  return rows.map(({ id }) => id);
}

describe("an Idempotency-Key", () => {
  test.each([1, 4])("sent 100 times at once makes one client and 100 sane answers, over processes: %i", async (processes) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = `parallel-${processes}-${round}`;
      const sent = Array.from({ length: REQUESTS }, (_, turn) => create(cluster.service(turn % processes), name));
      const replies = await Promise.all(sent);
      const made = replies.filter(({ status }) => status === 201);
      const waved = replies.filter(({ status }) => status === 409);
      expect(made.length + waved.length).toBe(REQUESTS);
      expect(made.filter((reply) => !isReplayed(reply))).toHaveLength(1);
      expect(new Set(made.map(({ text }) => text)).size).toBe(1);
      for (const { body, headers } of waved) {
        expect([body.code, headers["retry-after"]]).toEqual(["idempotency_key_in_progress", "1"]);
      }
      expect(await clientsNamed(name)).toEqual([made[0]?.body.id]);

      for (const service of cluster.services.slice(0, processes)) {
        const retry = await create(service, name);
        expect([retry.status, isReplayed(retry), retry.text]).toEqual([201, true, made[0]?.text]);
      }
    }
    expect(await halfChanges(cluster.db.sql)).toEqual([]);
  });
});

/** Keeps every creation of a client waiting inside its transaction. */
const HOLD_CREATIONS = "lock table clients in exclusive mode";

/** The session of the one creation that is being held. */
async function heldSession(): Promise<number> {
  const [pid] = await untilWaiting(cluster.db.sql, TABLE_LOCKS, 1);
  return pid ?? expect.unreachable();
}

function untilGone(pid: number): Promise<boolean> {
  return eventually("its session to end", async () => {
    const rows = await cluster.db.sql("select 1 from pg_stat_activity where pid = $1", [pid]);
    return rows.length === 0 || null;
  });
}

describe("a first attempt that died inside its transaction lets the retry run at once", () => {
  test("when its process was killed", async () => {
    const doomed = await cluster.start();
    const held = await hold(HOLD_CREATIONS);
    const first = create(doomed, "killed").catch((error: unknown) => error);
    const pid = await heldSession();
    const meanwhile = create(cluster.service(0), "killed");
    await untilWaiting(cluster.db.sql, TABLE_LOCKS, 2);
    await doomed.kill();
    await held.release();
    expect(await first).toBeInstanceOf(Error);
    expect((await meanwhile).body.code).toBe("idempotency_key_in_progress");
    await untilGone(pid);

    const retry = await create(cluster.service(1), "killed");
    expect([retry.status, isReplayed(retry)]).toEqual([201, false]);
    expect(await clientsNamed("killed")).toEqual([retry.body.id]);
    expect(await halfChanges(cluster.db.sql)).toEqual([]);
  });

  test("when its connection to the database was cut", async () => {
    const held = await hold(HOLD_CREATIONS);
    const first = create(cluster.service(0), "cut");
    const pid = await heldSession();
    process.kill(pid, "SIGTERM");
    await untilGone(pid);
    await held.release();
    expect((await first).body.code).toBe("service_unavailable");

    const retry = await create(cluster.service(0), "cut");
    expect([retry.status, isReplayed(retry)]).toEqual([201, false]);
    expect(await clientsNamed("cut")).toEqual([retry.body.id]);
    expect(await halfChanges(cluster.db.sql)).toEqual([]);
  });
});
