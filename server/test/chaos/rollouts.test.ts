import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import { assetsOf, expectSum } from "../harness/rollouts.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { sized } from "../harness/size.ts";
import { BASE, GENERAL, type Json, type Reply } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const CLIENTS = sized(200, 10_000);
const EDITORS = 4;
const KILLS_MAX = sized(2, 12);
const TIMEOUT_MS = sized(300_000, 3_600_000);
const ACTIVE = ["queued", "canary", "running", "rolling_back"];

/** Only workers are killed: what is sent and asked goes to a process that lives. */
const cluster = useCluster(1, { ROLE: "api" });

const call = (method: string, path: string, body?: object): Promise<Reply> =>
  cluster
    .service(0)
    .call(method, path, { key: cluster.key, ...(body === undefined ? {} : { body }), headers: { "if-match": "*" } });

async function made(path: string, body?: object): Promise<Json> {
  const reply = await call("POST", path, body);
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
}

/** Reads it, and sees that its counts sum up. */
async function getRollout(id: string): Promise<Json> {
  const { body } = await call("GET", `${BASE}/rollouts/${id}`);
  expectSum(body);
  return body;
}

const left = ({ counts, status }: Json) => (status === "rolling_back" ? counts.succeeded + counts.partial : counts.queued);

/** Has two workers at a time work on it, each pair killed a moment after it has got somewhere, until it is through. */
async function workUnderFire(id: string): Promise<{ over: Json; kills: number }> {
  for (let kills = 0; ; kills += 1) {
    const workers: ServiceProcess[] = await Promise.all([cluster.start({ ROLE: "worker" }), cluster.start({ ROLE: "worker" })]);
    const before = left(await getRollout(id));
    const patience_ms = kills < KILLS_MAX ? 60_000 : TIMEOUT_MS;
    await eventually(
      "the work to go on",
      async () => {
        const now = await getRollout(id);
        return !ACTIVE.includes(now.status) || (kills < KILLS_MAX && left(now) < before) ? true : null;
      },
      patience_ms,
    );
    if (kills < KILLS_MAX) await sleep(randomInt(1, 40));
    for (const worker of workers) await worker.kill();
    const now = await getRollout(id);
    if (!ACTIVE.includes(now.status)) return { over: now, kills };
  }
}

/** Staff who rename the field of one client after the other, all the while. Gives the last label that each was told. */
function edit(clients: readonly string[]) {
  const labels = new Map<string, string>();
  const stopping = new AbortController();
  const editors = Array.from({ length: EDITORS }, async (_, editor) => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const client_id = clients[(turn * EDITORS + editor) % clients.length] ?? "";
      const { body } = await call("GET", `${GENERAL}/custom-fields?account_id=${client_id}&resource=deal`);
      const field = body.data.find(({ key }: Json) => key === "budget");
      if (field === undefined) continue;
      const label = `Edited ${editor}.${turn}`;
      const { status } = await call("PATCH", `${GENERAL}/custom-fields/${field.id}`, { label });
      if (status === 200) labels.set(client_id, label);
    }
  });
  return {
    labels,
    async stop() {
      stopping.abort();
      await Promise.all(editors);
    },
  };
}

const STORED = `
  select f.account_id, f.label, not f.archived as live from custom_fields f
  where f.partner_id = $1 and f.account_id = any ($2) and f.resource = 'deal' and f.key = 'budget'`;

test("kill -9 of workers in the middle of a rollout and of its rollback: everybody once, and no edit of the clients' staff lost", {
  timeout: TIMEOUT_MS,
}, async () => {
  const { db, partner_id } = cluster;
  const clients: string[] = [];
  while (clients.length < CLIENTS) {
    const some = Array.from({ length: 10 }, (_, index) =>
      made(`${BASE}/clients`, { company: `Fleet ${clients.length + index}` }),
    );
    clients.push(...(await Promise.all(some)).map(({ id }) => id));
  }
  const manifest = (version: number) => ({ manifest: { format: 1, assets: assetsOf(version) } });
  const snapshot = await made(`${BASE}/snapshots`, { name: "Fleet", ...manifest(1) });
  const target = { filter: { q: "Fleet" } };
  const first = await made(`${BASE}/snapshots/${snapshot.id}/rollouts`, { target });
  const { over: installed, kills } = await workUnderFire(first.id);
  expect(installed).toMatchObject({ status: "completed", total: CLIENTS, counts: { succeeded: CLIENTS } });
  expect(kills).toBeGreaterThanOrEqual(1);

  await made(`${BASE}/snapshots/${snapshot.id}/versions`, manifest(2));
  const edited = clients.slice(0, Math.ceil(CLIENTS / 3));
  const staff = edit(edited);
  await eventually("everybody to have edited", async () => (staff.labels.size === edited.length ? true : null), TIMEOUT_MS);
  const second = await made(`${BASE}/snapshots/${snapshot.id}/rollouts`, { target });
  const { over: updated } = await workUnderFire(second.id);
  await staff.stop();
  expect(updated).toMatchObject({ total: CLIENTS, counts: { failed: 0, queued: 0 } });
  expect(updated.counts.partial + updated.counts.succeeded).toBe(CLIENTS);
  const labels = new Map((await db.sql<Json>(STORED, [partner_id, clients])).map(({ account_id, label }) => [account_id, label]));
  for (const client_id of clients) expect(labels.get(client_id)).toBe(staff.labels.get(client_id) ?? "Budget v2");
  const runs = await db.sql<Json>(
    "select count(*)::int as count from snapshot_installs where partner_id = $1 and snapshot_id = $2 and version = 2",
    [partner_id, snapshot.id],
  );
  expect(runs).toEqual([{ count: CLIENTS }]);
  const told = await db.sql<Json>(
    `select count(*)::int as count, count(distinct f.client_id)::int as clients from event_feed f
     where f.partner_id = $1 and f.type = 'snapshot.deployed' and f.client_id = any ($2)`,
    [partner_id, clients],
  );
  expect(told).toEqual([{ count: 2 * CLIENTS, clients: CLIENTS }]);

  await made(`${BASE}/rollouts/${second.id}/rollback`);
  const { over: reverted } = await workUnderFire(second.id);
  expect(reverted).toMatchObject({ status: "rolled_back", counts: { rolled_back: CLIENTS } });
  const after = await db.sql<Json>(STORED, [partner_id, clients]);
  expect(after.every(({ live }) => live)).toBe(true);
  for (const { account_id, label } of after) expect(label).toBe(staff.labels.get(account_id) ?? "Budget v1");
});
