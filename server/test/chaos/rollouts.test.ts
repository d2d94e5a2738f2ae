import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import { expectSum, fleetAssets } from "../harness/rollouts.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { sized } from "../harness/size.ts";
import { BASE, GENERAL, type Json, type Reply } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const CLIENTS = sized(200, 10_000);
const EDITORS = 4;
const SUSPENDED = 5;
const WORKERS = sized(1, 2);
const KILLS_MAX = sized(1, 12);
const TIMEOUT_MS = sized(600_000, 3_600_000);
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

const getRollouts = (ids: readonly string[]) => Promise.all(ids.map(getRollout));
const isActive = ({ status }: Json) => ACTIVE.includes(status);
const left = (rollouts: readonly Json[]) =>
  rollouts.reduce(
    (sum, { counts, status }) => sum + (status === "rolling_back" ? counts.succeeded + counts.partial : counts.queued),
    0,
  );

const startWorkers = (): Promise<ServiceProcess[]> =>
  Promise.all(Array.from({ length: WORKERS }, () => cluster.start({ ROLE: "worker" })));

/** Has workers work on rollouts, killed a moment after they have got somewhere, until all are through. */
async function workUnderFire(...ids: string[]): Promise<{ over: Json[]; kills: number }> {
  for (let kills = 0; ; kills += 1) {
    const workers = await startWorkers();
    const before = left(await getRollouts(ids));
    await eventually(
      "the work to go on",
      async () => {
        const now = await getRollouts(ids);
        return !now.some(isActive) || (kills < KILLS_MAX && left(now) < before);
      },
      TIMEOUT_MS,
    );
    if (kills < KILLS_MAX) await sleep(randomInt(1, 40));
    for (const worker of workers) await worker.kill();
    const over = await getRollouts(ids);
    if (!over.some(isActive)) return { over, kills };
  }
}

/** Staff who rename the field of one of their own clients after the other, all the while. Gives the last label that each was told. */
function edit(clients: readonly string[]) {
  const labels = new Map<string, string>();
  const stopping = new AbortController();
  const editors = Array.from({ length: EDITORS }, async (_, editor) => {
    const own = clients.filter((_, index) => index % EDITORS === editor);
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const client_id = own[turn % own.length] ?? "";
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
const INSTALLED = `
  select count(*)::int as count from snapshot_installs i
  where i.partner_id = $1 and i.snapshot_id = $2 and i.version = $3`;

let snapshot_id: string;
const clients: string[] = [];
const target = { filter: { q: "Fleet" } };
const manifest = (version: number) => ({ manifest: { format: 1, assets: fleetAssets(version) } });
const rollOut = (of: string, more: object = {}) => made(`${BASE}/snapshots/${of}/rollouts`, { target, ...more });
const installs = async (of: string, version: number) =>
  (await cluster.db.sql<{ count: number }>(INSTALLED, [cluster.partner_id, of, version]))[0]?.count;

beforeAll(async () => {
  while (clients.length < CLIENTS) {
    const some = Array.from({ length: 10 }, (_, index) =>
      made(`${BASE}/clients`, { company: `Fleet ${clients.length + index}` }),
    );
    clients.push(...(await Promise.all(some)).map(({ id }) => id));
  }
  snapshot_id = (await made(`${BASE}/snapshots`, { name: "Fleet", ...manifest(1) })).id;
}, TIMEOUT_MS);

test("a version that fails at its canary halts with nobody else touched", { timeout: TIMEOUT_MS }, async () => {
  const [bad = ""] = clients;
  const field = await made(`${GENERAL}/custom-fields`, {
    ...{ resource: "deal", key: "budget", label: "Ours", type: "text" },
    account_id: bad,
  });
  const { id } = await rollOut(snapshot_id, { conflict_policy: "fail", canary: { client_ids: [bad] } });
  const workers = await startWorkers();
  const halted = await eventually("the canary to fail", async () => {
    const now = await getRollout(id);
    return isActive(now) ? null : now;
  });
  for (const worker of workers) await worker.kill();
  expect(halted).toMatchObject({ status: "halted", total: CLIENTS, counts: { failed: 1, queued: CLIENTS - 1 } });
  expect(await installs(snapshot_id, 1)).toBe(0);
  expect(await cluster.db.sql(STORED, [cluster.partner_id, clients])).toHaveLength(1);
  expect(await made(`${BASE}/rollouts/${id}/cancel`)).toMatchObject({ counts: { failed: 1, cancelled: CLIENTS - 1 } });
  await cluster.db.sql("delete from custom_fields where partner_id = $1 and id = $2", [cluster.partner_id, field.id]);
});

/** Pauses a rollout that workers are amid, and suspends clients that it has not reached. Gives how many. */
async function pauseAndSuspend(id: string): Promise<number> {
  const workers = await startWorkers();
  await eventually("the work to begin", async () => (await getRollout(id)).counts.succeeded > 0);
  const { status, body: paused } = await call("POST", `${BASE}/rollouts/${id}/pause`);
  // On a slow machine all may be over before the request arrives.
  if (status === 409) return 0;
  const waiting = await call("GET", `${BASE}/rollouts/${id}/deployments?status=queued&limit=${SUSPENDED}`);
  for (const { client_id } of waiting.body.data) await made(`${BASE}/clients/${client_id}/suspend`, { reason: "Late" });
  expect(await getRollout(id)).toEqual(paused);
  expect(await installs(snapshot_id, 1)).toBe(paused.counts.succeeded);
  for (const worker of workers) await worker.kill();
  await made(`${BASE}/rollouts/${id}/resume`);
  return waiting.body.data.length;
}

test("kill -9 of workers in the middle of rollouts and of a rollback: everybody once, and no edit of the clients' staff lost", {
  timeout: TIMEOUT_MS,
}, async () => {
  const { db, partner_id } = cluster;
  const first = await rollOut(snapshot_id);
  const skipped = await pauseAndSuspend(first.id);
  const { over, kills } = await workUnderFire(first.id);
  const reached = CLIENTS - skipped;
  expect(over).toMatchObject([{ status: "completed", total: CLIENTS, counts: { succeeded: reached, skipped } }]);
  expect(kills).toBeGreaterThanOrEqual(1);
  expect(await installs(snapshot_id, 1)).toBe(reached);

  await made(`${BASE}/snapshots/${snapshot_id}/versions`, manifest(2));
  const active = (await db.sql<Json>(STORED, [partner_id, clients])).map(({ account_id }) => account_id);
  expect(active).toHaveLength(reached);
  const edited = active.slice(0, Math.ceil(CLIENTS / 3));
  const staff = edit(edited);
  await eventually("everybody to have edited", async () => staff.labels.size === edited.length, TIMEOUT_MS);
  const other = await made(`${BASE}/snapshots`, {
    name: "Other",
    manifest: { format: 1, assets: [{ type: "tag", key: "emea", spec: { name: "EMEA" } }] },
  });
  // Both want the same clients at the same time.
  const [second, beside] = await Promise.all([rollOut(snapshot_id), rollOut(other.id)]);
  const updated = (await workUnderFire(second.id, beside.id)).over;
  await staff.stop();
  expect(updated).toMatchObject([
    { total: CLIENTS, counts: { failed: 0, queued: 0, skipped } },
    { total: CLIENTS, counts: { succeeded: reached, skipped } },
  ]);
  const labels = new Map((await db.sql<Json>(STORED, [partner_id, clients])).map(({ account_id, label }) => [account_id, label]));
  for (const client_id of active) expect(labels.get(client_id)).toBe(staff.labels.get(client_id) ?? "Budget v2");
  expect([await installs(snapshot_id, 2), await installs(other.id, 1)]).toEqual([reached, reached]);
  const told = await db.sql<Json>(
    `select count(*)::int as count, count(distinct f.client_id)::int as clients from event_feed f
     where f.partner_id = $1 and f.type = 'snapshot.deployed' and f.client_id = any ($2)`,
    [partner_id, clients],
  );
  expect(told).toEqual([{ count: 3 * reached, clients: reached }]);

  await made(`${BASE}/rollouts/${second.id}/rollback`);
  const [reverted] = (await workUnderFire(second.id)).over;
  expect(reverted).toMatchObject({ status: "rolled_back", counts: { rolled_back: reached, skipped } });
  const after = await db.sql<Json>(STORED, [partner_id, clients]);
  expect(after.every(({ live }) => live)).toBe(true);
  for (const { account_id, label } of after) expect(label).toBe(staff.labels.get(account_id) ?? "Budget v1");
});
