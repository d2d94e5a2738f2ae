import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressesOf, type Cluster, type Login, type Node, prepareClusterDatabase, startCitus } from "../harness/citus.ts";
import { killCommands, startLine } from "../harness/command.ts";
import { type Receiver, startReceiver } from "../harness/receiver.ts";
import { type Environment, killServices, type ServiceProcess, startService } from "../harness/service-process.ts";
import { BASE, type Json } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const DATABASE = "outage";
const SCOPES = "clients:read,clients:write,contacts:write,webhooks:write,events:read";
let folder: string;
let cluster: Cluster;
let owner: Login;
let environment: Environment;
let receiver: Receiver;
let services: ServiceProcess[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tributary-citus-"));
  cluster = await startCitus(String(process.env.CITUS_BIN), folder);
  ({ owner } = await prepareClusterDatabase(cluster, DATABASE));
  environment = {
    ...addressesOf(cluster, DATABASE),
    SECRET_KEY: "the secret key of a database on a cluster",
    DATA_DIR: join(folder, "data"),
    EGRESS: "development",
    LOG_LEVEL: "error",
  };
  receiver = await startReceiver();
  services = [await startService(environment), await startService(environment)];
});

afterAll(async () => {
  await killCommands();
  await killServices();
  await receiver?.close();
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

async function sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

const PARTNERS = 1_000;

test(`the rows of ${PARTNERS} partners are spread over the nodes`, async () => {
  await sql(`
    insert into partners (id, company, created_at, updated_at)
    select 'ptr_' || n, 'Partner ' || n, now(), now() from generate_series(1, ${PARTNERS}) n`);
  await sql(`
    insert into clients (partner_id, id, company, currency, status, status_changed_at, created_at, updated_at)
    select 'ptr_' || n, 'cli_' || n, 'Client', 'usd', 'active', now(), now(), now() from generate_series(1, ${PARTNERS}) n`);
  const counts = await sql<{ nodeport: number; rows: number }>(`
    select p.nodeport, sum(r.result::int)::int as rows
    from run_command_on_placements('clients', 'select count(*) from %s') r join pg_dist_shard_placement p using (shardid)
    group by 1`);
  expect(counts.map(({ nodeport }) => nodeport).sort()).toEqual(cluster.workers.map(({ port }) => port).sort());
  for (const { rows } of counts) expect(rows).toBeGreaterThan(PARTNERS / 3);
});

type Placed = { id: string; key: string; port: number; client_id: string };

const run = async (line: string): Promise<Json> => {
  const { code, stdout, stderr } = await startLine(`tributary ${line} --json`, environment, folder).ended;
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};

/** A new partner with a client, a webhook and a key, and the worker that has its rows. */
async function newPartner(number: number): Promise<Placed> {
  const person = `--owner-email owner${number}@partner.example --owner-name Owner`;
  const { id } = await run(`partners create --company "Placed ${number}" ${person} --api-access`);
  const { api_key: key } = await run(`keys create --partner ${id} --name Test --scopes ${SCOPES}`);
  const [placed] = await sql<{ nodeport: number }>(
    "select nodeport from pg_dist_shard_placement where shardid = get_shard_id_for_distribution_column('clients', $1::text)",
    [id],
  );
  const call = async (path: string, body: object) => {
    const reply = await (services[0] as ServiceProcess).call("POST", `${BASE}${path}`, { key, body });
    if (reply.status !== 201) throw new Error(reply.text);
    return reply.body;
  };
  // The client is active before there is a webhook, so that only changes are delivered.
  const { id: client_id } = await call("/clients", { company: `Company ${number}` });
  const url = `${receiver.origin}/${id}`;
  await call("/webhooks", { url, event_types: ["client.suspended", "client.activated"], ordering: "strict" });
  return { id, key, port: Number(placed?.nodeport), client_id };
}

/** Suspends and reactivates the client of a partner in turns, asking again with the same key until it is answered. */
async function change({ key, client_id }: Omit<Placed, "port">, step: number): Promise<void> {
  const service = services[step % services.length] as ServiceProcess;
  const move = step % 2 === 0 ? "suspend" : "reactivate";
  const headers = { "idempotency-key": `${client_id}-${step}` };
  await eventually("a change to be answered", async () => {
    const { status, text } = await service.call("POST", `${BASE}/clients/${client_id}/${move}`, { key, body: {}, headers });
    if (status === 200) return true;
    if (status !== 503) throw new Error(text);
    return null;
  });
}

test("a request that waits too long for a row on a worker is refused for now, as on one node", async () => {
  const { id, key, client_id } = await newPartner(PARTNERS);
  const holder = new pg.Client(owner);
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("select 1 from clients where partner_id = $1 and id = $2 for update", [id, client_id]);
    const reply = await (services[0] as ServiceProcess).call("POST", `${BASE}/clients/${client_id}/suspend`, { key, body: {} });
    expect([reply.status, reply.body.code, reply.headers["retry-after"]]).toEqual([503, "service_unavailable", "2"]);
  } finally {
    await holder.end();
  }
  await change({ id, key, client_id }, 0);
});

const delivered = ({ id }: Placed) => [...new Set(receiver.at(`/${id}`).map(({ event_id }) => event_id))];

/** What the feed tells of the changes of a partner's client, in its order. */
async function told({ key }: Placed): Promise<Json[]> {
  const { body } = await (services[1] as ServiceProcess).call("GET", `${BASE}/events?limit=100`, { key });
  return body.data.filter(({ type, data }: Json) => type === "client.suspended" || data.reactivated === true);
}

test("while a worker is down the partners of the others go on, with their feeds and webhooks; nothing is lost or told twice", async () => {
  const [first, second] = cluster.workers as [Node, Node];
  const partners: Placed[] = [];
  while (new Set(partners.map(({ port }) => port)).size < 2) partners.push(await newPartner(partners.length));
  const on = (node: Node) => partners.find(({ port }) => port === node.port) as Placed;
  const [struck, beside] = [on(first), on(second)];
  for (let step = 0; step < 4; step += 1) await Promise.all([struck, beside].map((partner) => change(partner, step)));

  await first.stop("immediate");
  const waiting = change(struck, 4);
  for (let step = 4; step < 20; step += 1) await change(beside, step);
  await eventually("webhooks to go on", () => (delivered(beside).length === 20 ? true : null));
  const positions = await sql<{ seq: number }>("select seq from event_feed where partner_id = $1 and seq is null", [beside.id]);
  expect(positions).toEqual([]);
  await first.start();

  await waiting;
  for (let step = 5; step < 8; step += 1) await change(struck, step);
  await eventually("webhooks of the partner that was away", () => (delivered(struck).length === 8 ? true : null));
  for (const [partner, changes] of [
    [struck, 8],
    [beside, 20],
  ] as const) {
    const events = await told(partner);
    expect(events).toHaveLength(changes);
    expect(delivered(partner)).toEqual(events.map(({ id }) => id));
  }
});
