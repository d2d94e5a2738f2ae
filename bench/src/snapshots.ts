import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { type Counts, perRequest } from "./counts.ts";
import { median, type Plan, type Result, ratioOf, settle } from "./rounds.ts";
import { raiseLimits, seedClients } from "./seed.ts";
import type { Stage } from "./stage.ts";
import type { Bounded } from "./start.ts";

const CLIENTS = { quick: 1_000, whole: 10_000 };
const CREATED = { quick: 200, whole: 1_000 };
const ROUNDS = 4;
const POLL_EVERY_MS = 20;
/** As many clients a transaction, and as many transactions at once, as a rollout has. */
const BATCH = 50;
const LANES = 2;
const CREATORS = 8;
const ASKED = 200;

/** What a deployment leaves behind, in the order of the inserts, by the clients in $1. */
const INSERTED = {
  custom_fields: "t.account_id = any ($1)",
  account_tags: "t.account_id = any ($1)",
  message_templates: "t.account_id = any ($1)",
  pipelines: "t.account_id = any ($1)",
  stages: "t.pipeline_id in (select p.id from pipelines p where p.account_id = any ($1))",
  snapshot_installs: "t.client_id = any ($1)",
  deployments: "t.client_id = any ($1)",
  events: "t.id in (select f.event_id from event_feed f where f.client_id = any ($1))",
  event_feed: "t.client_id = any ($1)",
  audit_entries: "t.client_id = any ($1)",
};

type Asset = { type: string; key: string; spec: object };

/** Forty assets: 20 fields, 10 tags, 6 templates, 4 pipelines. The names of one manifest are in no other. */
function assetsOf(name: string): Asset[] {
  const many = (count: number, make: (index: number) => Asset) => Array.from({ length: count }, (_, index) => make(index));
  const stage = (key: string, type: string) => ({ key, name: `${key} ${name}`, type });
  return [
    ...many(20, (n) => ({ type: "custom_field", key: `deal.${name}_${n}`, spec: { label: `Field ${n}`, type: "number" } })),
    ...many(10, (n) => ({ type: "tag", key: `${name}_${n}`, spec: { name: `${name} ${n}` } })),
    ...many(6, (n) => ({
      type: "message_template",
      key: `${name}_${n}`,
      spec: { name: `${name} ${n}`, channel: "sms", text: "Hello {{contact.name}}, your appointment is due." },
    })),
    ...many(4, (n) => ({
      type: "pipeline",
      key: `${name}_${n}`,
      spec: {
        name: `${name} ${n}`,
        stages: [stage("new", "open"), stage("offer", "open"), stage("won", "won"), stage("lost", "lost")],
      },
    })),
  ];
}

/** The rows of snapshots: rollout and creation against bare inserts of the very same rows, diff and plan by themselves. */
export async function measureSnapshots(stage: Stage, plan: Plan & { quick: boolean }): Promise<(Result | Bounded)[]> {
  await raiseLimits(stage.owner, stage.secrets.partner_id);
  for (const table of ["clients", ...Object.keys(INSERTED)])
    await stage.owner.query(`create table if not exists bench_${table} (like ${table} including all)`);
  const call = callerOf(stage);
  const ids: string[] = [];
  for (const name of ["alpha", "beta", "gamma"])
    ids.push((await call("POST", "/snapshots", { name, manifest: { format: 1, assets: assetsOf(name) } })).id);
  const rollout = await measureRollout(stage, ids[0] ?? "", plan.quick ? CLIENTS.quick : CLIENTS.whole);
  const creation = await measureCreation(stage, ids, plan.quick ? CREATED.quick : CREATED.whole);
  return [rollout, creation, ...(await measurePlans(stage, ids[1] ?? ""))];
}

type Replied = { id: string; status: string; counts: { succeeded: number } };

function callerOf({ secrets }: Stage) {
  const headers = { authorization: `Bearer ${secrets.api_key}`, "content-type": "application/json", "if-match": "*" };
  return async (method: string, path: string, body?: object): Promise<Replied> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await fetch(`${secrets.base_url}/v1/partners${path}`, { method, headers, ...sent });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Replied;
  };
}

/** Clients a second of a rollout, from the request to its end. */
async function measureRollout(stage: Stage, snapshot_id: string, clients: number): Promise<Result> {
  const { owner, secrets } = stage;
  const call = callerOf(stage);
  const all = await seedClients(owner, secrets.partner_id, clients);
  const size = clients / ROUNDS;
  return compared(stage, { name: "rollout of 40 assets", goal: 0.5, unit: "rows/s" }, size, async (round) => {
    const ids = all.slice(round * size, (round + 1) * size);
    await owner.query("update clients set tags = $2 where id = any ($1)", [ids, [`round-${round}`]]);
    await owner.query("vacuum analyze");
    return {
      groups: Array.from({ length: Math.ceil(size / BATCH) }, (_, batch) => ids.slice(batch * BATCH, (batch + 1) * BATCH)),
      at_once: LANES,
      tables: INSERTED,
      async run() {
        const { id } = await call("POST", `/snapshots/${snapshot_id}/rollouts`, {
          target: { filter: { tag: [`round-${round}`] } },
        });
        let now = await call("GET", `/rollouts/${id}`);
        for (; ["queued", "canary", "running"].includes(now.status); now = await call("GET", `/rollouts/${id}`))
          await sleep(POLL_EVERY_MS);
        if (now.counts.succeeded !== size)
          throw new Error(`the rollout is ${now.status} with ${now.counts.succeeded} of ${size}`);
        return ids;
      },
    };
  });
}

/** Clients a second that are created with three default snapshots. */
async function measureCreation(stage: Stage, snapshot_ids: readonly string[], clients: number): Promise<Result> {
  const call = callerOf(stage);
  await call("PATCH", "/account", { default_snapshots: snapshot_ids });
  const size = clients / ROUNDS;
  const measured = await compared(stage, { name: "client with 3 snapshots", goal: 0.4, unit: "requests/s" }, size, async () => {
    const ids: string[] = [];
    return {
      get groups() {
        return ids.map((id) => [id]);
      },
      at_once: CREATORS,
      tables: { clients: "t.id = any ($1)", ...INSERTED },
      async run() {
        const creator = async () => {
          while (ids.length < size) {
            const place = ids.push("") - 1;
            ids[place] = (await call("POST", "/clients", { company: "Harbour Dental" })).id;
          }
        };
        await Promise.all(Array.from({ length: CREATORS }, creator));
      },
    };
  });
  await call("PATCH", "/account", { default_snapshots: [] });
  return measured;
}

type Round = {
  /** The clients whose rows are written in one transaction. */
  readonly groups: string[][];
  at_once: number;
  tables: Record<string, string>;
  run(): Promise<unknown>;
};

async function compared(
  stage: Stage,
  row: Pick<Result, "name" | "goal" | "unit">,
  size: number,
  prepare: (round: number) => Promise<Round>,
): Promise<Result> {
  const { owner, counter, service_pid, port } = stage;
  const rounds: { ours: number; floor: number }[] = [];
  const counts: Record<"ours" | "floor", Counts[]> = { ours: [], floor: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const prepared = await prepare(round);
    const endOurs = await counter.begin({ pid: service_pid, port, tells: true });
    const ours = await rateOf(size, prepared.run);
    await settle(owner);
    counts.ours.push(await endOurs());
    const groups = await Promise.all(prepared.groups.map((ids) => rowsOf(owner, prepared.tables, ids)));
    const endFloor = await counter.begin({ pid: process.pid, port, tells: false });
    rounds.push({ ours, floor: await rateOf(size, () => writeAll(owner, groups, prepared.at_once)) });
    counts.floor.push(await endFloor());
  }
  return {
    ...row,
    ours: Math.round(median(rounds.map(({ ours }) => ours))),
    floor: Math.round(median(rounds.map(({ floor }) => floor))),
    ...ratioOf(rounds),
    cost: { ours: perRequest(counts.ours, size * ROUNDS), floor: perRequest(counts.floor, size * ROUNDS) },
  };
}

async function rateOf(count: number, run: () => Promise<unknown>): Promise<number> {
  const started_ms = performance.now();
  await run();
  return (count * 1_000) / (performance.now() - started_ms);
}

/** The rows of some clients: those of each table as JSON. */
type Rows = [table: string, rows: string][];

async function rowsOf(owner: pg.Pool, tables: Record<string, string>, client_ids: readonly string[]): Promise<Rows> {
  const rows: Rows = [];
  for (const [table, condition] of Object.entries(tables)) {
    const found = await owner.query(`select json_agg(row_to_json(t))::text as rows from ${table} t where ${condition}`, [
      client_ids,
    ]);
    if (found.rows[0].rows !== null) rows.push([table, found.rows[0].rows]);
  }
  return rows;
}

async function writeAll(owner: pg.Pool, groups: readonly Rows[], at_once: number): Promise<void> {
  const queue = groups.values();
  const pool = owner.options.max ?? at_once;
  await Promise.all(
    Array.from({ length: Math.min(at_once, pool) }, async () => {
      const client = await owner.connect();
      try {
        for (const rows of queue) await writeGroup(client, rows);
      } finally {
        client.release();
      }
    }),
  );
}

async function writeGroup(client: pg.PoolClient, rows: Rows): Promise<void> {
  await client.query("begin");
  for (const [table, values] of rows) {
    const text = `insert into bench_${table} select * from json_populate_recordset(null::bench_${table}, $1)`;
    await client.query({ name: `insert ${table}`, text, values: [values] });
  }
  await client.query("commit");
}

/** How long a diff of two versions takes, and a plan for one account. */
async function measurePlans(stage: Stage, snapshot_id: string): Promise<Bounded[]> {
  const call = callerOf(stage);
  await call("POST", `/snapshots/${snapshot_id}/versions`, { manifest: { format: 1, assets: assetsOf("delta") } });
  const { id } = await call("POST", "/clients", { company: "Harbour Dental" });
  const timed = async (name: string, ask: () => Promise<unknown>): Promise<Bounded> => {
    const took_ms: number[] = [];
    for (let turn = 0; turn < ASKED; turn += 1) {
      const started_ms = performance.now();
      await ask();
      took_ms.push(performance.now() - started_ms);
    }
    return { name, value: Math.round(median(took_ms) * 1_000), goal: null, unit: "µs" };
  };
  return [
    await timed("diff of 40 assets", () => call("GET", `/snapshots/${snapshot_id}/diff?from=1&to=2`)),
    await timed("plan of one account", () => call("POST", `/clients/${id}/snapshots`, { snapshot_id, dry_run: true })),
  ];
}
