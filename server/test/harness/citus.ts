import { execFile } from "node:child_process";
import { appendFile, chown, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { distribute } from "../../src/platform/db/distribute.ts";
import { migrate, readMigrations } from "../../src/platform/db/migrate.ts";
import { MIGRATIONS } from "../../src/service.ts";

const run = promisify(execFile);
const OWNER = "tributary";
const SERVICE = "tributary_service";
const WORKERS = 2;
/** One on each worker: a copy of the database costs a file for each table, index and shard. */
const SHARDS = 2;

export type Node = { port: number; folder: string; start(): Promise<void>; stop(mode?: "fast" | "immediate"): Promise<void> };
export type Cluster = { socket_dir: string; coordinator: Node; workers: Node[]; stop(): Promise<void> };

/** What spares tests the wait for the disk. */
const NOT_DURABLE = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

/** A coordinator and two workers of a PostgreSQL installation that has Citus, with the two logins and no tables. */
export async function startCitus(
  bin: string,
  folder: string,
  durability: Record<string, string> = NOT_DURABLE,
): Promise<Cluster> {
  const account = process.getuid?.() === 0 ? await accountOf("postgres") : null;
  const asOwner = async (program: string, args: string[]) => {
    const command = account === null ? [join(bin, program)] : ["runuser", "-u", "postgres", "--", join(bin, program)];
    await run(command[0] as string, [...command.slice(1), ...args], { cwd: folder });
  };
  if (account !== null) await chown(folder, account.uid, account.gid);
  const nodes: Node[] = [];
  for (let number = 0; number <= WORKERS; number += 1) nodes.push(await makeNode(asOwner, folder, number, durability));
  const [coordinator, ...workers] = nodes as [Node, ...Node[]];
  for (const node of nodes) await node.start();
  const logins = [`create role ${OWNER} login`, `create role ${SERVICE} login`];
  for (const { port } of nodes) await asSuperuser(folder, port, "postgres", logins);
  return {
    socket_dir: folder,
    coordinator,
    workers,
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop("immediate")))),
  };
}

async function accountOf(name: string): Promise<{ uid: number; gid: number }> {
  const line = (await readFile("/etc/passwd", "utf8")).split("\n").find((one) => one.startsWith(`${name}:`));
  if (line === undefined) throw new Error(`there is no account ${name}, which PostgreSQL needs when root runs the tests`);
  const [, , uid, gid] = line.split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

async function makeNode(
  asOwner: (program: string, args: string[]) => Promise<void>,
  folder: string,
  number: number,
  durability: Record<string, string>,
): Promise<Node> {
  const data = join(folder, `node-${number}`);
  const port = await freePort();
  await asOwner("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]);
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: folder,
    shared_preload_libraries: "citus",
    wal_level: "logical",
    max_connections: 300,
    max_prepared_transactions: 600,
    max_locks_per_transaction: 1024,
    ...durability,
    "citus.shard_count": SHARDS,
    // Tests make statements fail, or wait, by triggers of their own.
    "citus.enable_unsafe_triggers": "on",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(join(data, "postgresql.conf"), lines.join(""));
  return {
    port,
    folder: data,
    start: () => asOwner("pg_ctl", ["-D", data, "-w", "-l", join(data, "log"), "start"]),
    stop: (mode = "fast") => asOwner("pg_ctl", ["-D", data, "-w", "-m", mode, "stop"]).catch(() => undefined),
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

export type Login = { host: string; port: number; user: string; database: string; distributed?: boolean };

/** The two logins of a database on the coordinator. */
export function loginsOf({ socket_dir, coordinator }: Cluster, database: string): { owner: Login; service: Login } {
  const login = (user: string) => ({ host: socket_dir, port: coordinator.port, user, database });
  return { owner: login(OWNER), service: login(SERVICE) };
}

/** The same as addresses, for processes of their own. */
export function addressesOf(cluster: Cluster, database: string): { DATABASE_URL: string; DATABASE_OWNER_URL: string } {
  const { owner, service } = loginsOf(cluster, database);
  const address = ({ host, port, user }: Login) =>
    `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
  return { DATABASE_URL: address(service), DATABASE_OWNER_URL: address(owner) };
}

/** Makes an empty database on the coordinator alone. */
export function createDatabase({ socket_dir, coordinator }: Cluster, database: string): Promise<void> {
  return asSuperuser(socket_dir, coordinator.port, "postgres", [`create database ${database} owner ${OWNER}`]);
}

/** Makes a database of the cluster: on every node, with the nodes known to the coordinator, and no tables. */
export async function createClusterDatabase(cluster: Cluster, database: string): Promise<void> {
  const { socket_dir, coordinator, workers } = cluster;
  for (const { port } of [coordinator, ...workers]) {
    await asSuperuser(socket_dir, port, "postgres", [`create database ${database} owner ${OWNER}`]);
    await asSuperuser(socket_dir, port, database, ["create extension citus"]);
  }
  await asSuperuser(socket_dir, coordinator.port, database, [
    `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
    ...workers.map(({ port }) => `select citus_add_node('127.0.0.1', ${port})`),
  ]);
}

/** Later migrations find tables that are distributed already, as on a cluster that is upgraded. */
const DISTRIBUTED_AT = 35;

/** Migrates a database of the cluster and distributes it. */
export async function prepareClusterDatabase(
  cluster: Cluster,
  database: string,
): Promise<{ owner: Login; service: Login; sandbox: Login }> {
  await createClusterDatabase(cluster, database);
  const { owner, service } = loginsOf(cluster, database);
  const migrations = await readMigrations(MIGRATIONS);
  await migrate(owner, migrations.slice(0, DISTRIBUTED_AT), service.user);
  const signal = new AbortController().signal;
  await distribute({ owner, service_role: service.user, signal, dry_run: false, onStep: () => undefined });
  await migrate(owner, migrations, service.user);
  // The sandbox has no login of its own here: it finds nothing to read.
  return { owner, service: { ...service, distributed: true }, sandbox: service };
}

async function asSuperuser(socket_dir: string, port: number, database: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ host: socket_dir, port, user: "postgres", database });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
