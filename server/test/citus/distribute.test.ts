import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { distributionOf } from "../../src/platform/db/distribution.ts";
import { migrate, readMigrations } from "../../src/platform/db/migrate.ts";
import { MIGRATIONS } from "../../src/service.ts";
import {
  addressesOf,
  type Cluster,
  createClusterDatabase,
  createDatabase,
  loginsOf,
  type Node,
  startCitus,
} from "../harness/citus.ts";
import { killCommands, startLine } from "../harness/command.ts";
import { type Environment, killServices, startService } from "../harness/service-process.ts";
import { eventually } from "../postgres/processes.ts";

const DATABASE = "moving";
let folder: string;
let cluster: Cluster;
let environment: Environment;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tributary-citus-"));
  cluster = await startCitus(String(process.env.CITUS_BIN), folder);
  await createClusterDatabase(cluster, DATABASE);
  environment = {
    ...addressesOf(cluster, DATABASE),
    SECRET_KEY: "the secret key of a database that moves to a cluster",
    DATA_DIR: join(folder, "data"),
    SEED: "demo",
    LOG_LEVEL: "error",
  };
  // The demo programme, on one node.
  await (await startService(environment)).stop();
});

afterAll(async () => {
  await killCommands();
  await killServices();
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

async function asOwner<Result>(work: (client: pg.Client) => Promise<Result>, database = DATABASE): Promise<Result> {
  const client = new pg.Client(loginsOf(cluster, database).owner);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const TABLES = `
  select c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
    and c.relname not in ('job_runs', 'migrations')
  order by 1`;

/** A checksum of the rows of every table, whatever their order. */
function contents(database = DATABASE): Promise<Record<string, string>> {
  return asOwner(async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(TABLES);
    const sums: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ line: string }>(`select t::text as line from ${name} t`);
      const lines = rows.map(({ line }) => line).sort();
      sums[name] = `${lines.length} rows, ${createHash("sha256").update(lines.join("\n")).digest("hex")}`;
    }
    return sums;
  }, database);
}

const foreignKeys = () =>
  asOwner(async (client) => {
    const { rows } = await client.query<{ key: string }>(`
      select c.relname || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid) as key
      from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and k.conparentid = 0 and c.relnamespace = 'public'::regnamespace order by 1`);
    return rows.map(({ key }) => key);
  });

const run = (line: string, settings: Environment = {}) => startLine(line, { ...environment, ...settings }, folder).ended;

test("a plan moves nothing", async () => {
  const { code, stdout } = await run("tributary distribute --dry-run --json");
  expect(code).toBe(0);
  const { tables, foreign_keys, workers } = JSON.parse(stdout);
  expect(workers).toHaveLength(2);
  expect(foreign_keys).toBe((await foreignKeys()).length);
  expect(tables.find(({ name }: { name: string }) => name === "clients")).toMatchObject({
    distribution: "tenant",
    column: "partner_id",
  });
  expect(await asOwner(distributionOf)).toBe("none");
});

test("beside a service nothing is moved", async () => {
  const service = await startService(environment);
  const { code, stderr } = await run("tributary distribute");
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("A service runs on this database") });
  await service.stop();
});

test("killed again and again, it ends with every row and every foreign key, spread over the nodes", async () => {
  const before = { contents: await contents(), keys: await foreignKeys() };
  for (const moved of [1, 40, 90]) {
    const started = startLine("tributary distribute", environment, folder);
    await eventually(`${moved} tables to be moved`, async () => ((await movedTables()) >= moved ? true : null));
    started.kill("SIGKILL");
    await started.ended;
    expect(await asOwner(distributionOf)).toBe("interrupted");
    await expect(startService(environment)).rejects.toThrow(/tributary distribute again/);
  }
  const { code, stdout, stderr } = await run("tributary distribute");
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: "" });
  expect(stdout).toContain("Distributed");
  expect(await asOwner(distributionOf)).toBe("complete");
  expect({ contents: await contents(), keys: await foreignKeys() }).toEqual(before);
  expect((await run("tributary distribute")).stdout).toContain("already");
});

const movedTables = () => asOwner(async (client) => (await client.query("select 1 from pg_dist_partition")).rowCount ?? 0);

test("a service starts on it, and doctor finds nothing wrong with it", async () => {
  const service = await startService(environment);
  const { stdout } = await run("tributary doctor --json");
  const { checks } = JSON.parse(stdout) as { checks: { check: string; status: string; message: string }[] };
  expect(checks.find(({ check }) => check === "cluster")).toMatchObject({ status: "ok" });
  await service.stop();
});

type Placed = { id: string; key: string; port: number };

/** A new partner with a key, and the worker that has its rows. */
async function newPartner(number: number): Promise<Placed> {
  const owner = `--owner-email owner${number}@partner.example --owner-name Owner`;
  const made = await run(`tributary partners create --company "Partner ${number}" ${owner} --api-access --json`);
  const { id } = JSON.parse(made.stdout);
  const { stdout } = await run(`tributary keys create --partner ${id} --name Test --scopes contacts:read,contacts:write --json`);
  const port = await asOwner(async (client) => {
    const { rows } = await client.query<{ nodeport: number }>(
      "select nodeport from pg_dist_shard_placement where shardid = get_shard_id_for_distribution_column('clients', $1::text)",
      [id],
    );
    return Number(rows[0]?.nodeport);
  });
  return { id, key: JSON.parse(stdout).api_key, port };
}

test("while a worker is down its partners are told to retry, the others go on, and nothing is lost", async () => {
  const service = await startService(environment);
  const [first, second] = cluster.workers as [Node, Node];
  const partners: Placed[] = [];
  while (new Set(partners.map(({ port }) => port)).size < 2) partners.push(await newPartner(partners.length));
  const phones: Record<string, string> = { Before: "+14155550101", Meanwhile: "+14155550102", Beside: "+14155550103" };
  const create = ({ key }: Placed, name: string) =>
    service.call("POST", "/v1/contacts", { key, body: { name, phone: phones[name] } });
  const on = (node: Node) => partners.find(({ port }) => port === node.port) as Placed;
  expect((await create(on(first), "Before")).status).toBe(201);

  await first.stop("immediate");
  expect((await create(on(first), "Meanwhile")).status).toBe(503);
  expect((await create(on(second), "Beside")).status).toBe(201);
  await first.start();

  await eventually("the worker to answer again", async () =>
    (await create(on(first), "Meanwhile")).status === 201 ? true : null,
  );
  const { body } = await service.call("GET", "/v1/contacts", { key: on(first).key });
  expect(body.data.map(({ name }: { name: string }) => name).sort()).toEqual(["Before", "Meanwhile"]);
  await service.stop();
});

test("a backup of the cluster is restored on one node, and on a cluster, where it is distributed again", async () => {
  const before = await contents();
  const file = join(folder, "cluster.backup");
  expect(await run(`tributary backup ${file}`)).toMatchObject({ code: 0, stderr: "" });

  await createDatabase(cluster, "single");
  expect(await run(`tributary restore ${file} --yes`, addressesOf(cluster, "single"))).toMatchObject({ code: 0 });
  expect(await contents("single")).toEqual(before);

  const back = join(folder, "single.backup");
  expect(await run(`tributary backup ${back}`, addressesOf(cluster, "single"))).toMatchObject({ code: 0, stderr: "" });
  expect(await run(`tributary restore ${back} --force --yes`)).toMatchObject({ code: 0 });
  expect(await asOwner(distributionOf)).toBe("none");
  expect(await run("tributary distribute")).toMatchObject({ code: 0, stderr: "" });
  expect(await contents()).toEqual(before);
  await (await startService(environment)).stop();
});

const LATER = `
create table later_things (
  partner_id text collate "C" not null,
  id         text collate "C" not null,
  client_id  text collate "C",
  constraint later_things_pkey primary key (partner_id, id)
);
alter table later_things add constraint later_things_client foreign key (partner_id, client_id) references clients (partner_id, id);
comment on table later_things is 'What a later version needs. [crm/contacts, tenant]';
`;

test("a later migration distributes its tables", async () => {
  const { owner, service } = loginsOf(cluster, DATABASE);
  const known = await readMigrations(MIGRATIONS);
  const number = (known.at(-1)?.number ?? 0) + 1;
  const later = { number, file: `${number}_later.sql`, sql: LATER, checksum: "later" };
  expect(await migrate(owner, [...known, later], service.user)).toEqual([later.file]);
  const { rows } = await asOwner((client) =>
    client.query("select partmethod from pg_dist_partition where logicalrelid = 'later_things'::regclass"),
  );
  expect(rows).toEqual([{ partmethod: "h" }]);
  expect((await foreignKeys()).filter((key) => key.startsWith("later_things"))).toHaveLength(1);
});
