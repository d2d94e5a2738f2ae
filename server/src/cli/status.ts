import { statfs } from "node:fs/promises";
import type { Config } from "../config.ts";
import { migrationOf, newestKnownMigration } from "../installation.ts";
import { openDatabase } from "../platform/db/database.ts";
import { SERVICE_VERSION } from "../platform/observe/version.ts";
import { locateDatabase } from "../platform/postgres/index.ts";
import type { Services } from "../platform/record/context.ts";
import { actForOperator } from "./acting.ts";
import { shortTime } from "./listing.ts";
import { type Count, rowCounts, serverFacts } from "./queries.ts";
import { type Answer, localAddress, probeService } from "./service-address.ts";
import { type Call, command } from "./shell/command.ts";
import { explain } from "./shell/problem.ts";
import { type Column, renderFields, renderTable } from "./shell/table.ts";

/** With PORT=0 only the service itself knows its port. */
const UNKNOWN_PORT: Answer = { kind: "silent", detail: "PORT is 0: the service prints its address when it starts" };

type Job = {
  name: string;
  runs: number;
  failures: number;
  finished_at: string | null;
  outcome: string | null;
  last_error: string | null;
};
type Content = {
  counts: Record<"partners" | "clients" | "keys" | "events", Count>;
  size_bytes: number;
  feed: { waiting_events: number; oldest_waiting_seconds: number };
  jobs: Job[];
};
type DatabaseStatus =
  | { reachable: false; where: string; error: string }
  | { reachable: true; where: string; version: string; migration: number; content: Content | null };

export const status = command({
  name: "status",
  summary: "Show the status of the installation",
  description:
    "Shows service, database, counts, feed, jobs, disk and versions. The exit code is 1 if the database is not reachable; a stopped service is no failure.",
  examples: [
    { title: "Show the status", run: "tributary status" },
    { title: "Use the status in a script", run: "tributary status --json" },
  ],
  async run(call) {
    const config = call.config();
    const address = config.base_url ?? localAddress(config);
    const [answer, database, disk] = await Promise.all([
      config.base_url === null && config.port === 0 ? UNKNOWN_PORT : probeService(address),
      databaseStatus(call),
      diskOf(config.data_dir),
    ]);
    const versions = { tributary: SERVICE_VERSION, node: process.versions.node };
    const known = await newestKnownMigration();
    const report = {
      service: { address, address_from: addressSource(config), ...answer },
      database,
      migration: known,
      disk,
      versions,
    };
    call.out.result(report, () => statusLines(report, call.out.width));
    return database.reachable ? 0 : 1;
  },
});

/** The settings that the address is made of: a service that was started with others is somewhere else. */
function addressSource({ base_url, host, port }: Config): string {
  return base_url === null ? `HOST=${host} PORT=${port}` : `BASE_URL=${base_url}`;
}

async function databaseStatus(call: Pick<Call, "config" | "logins" | "services">): Promise<DatabaseStatus> {
  const { database_url, data_dir } = call.config();
  let where = database_url === null ? data_dir : new URL(database_url).host || "DATABASE_URL";
  try {
    if (database_url === null) where = (await locateDatabase(data_dir)).data;
    const db = openDatabase((await call.logins()).service, 2);
    try {
      const [{ version }, migration, known] = await Promise.all([serverFacts(db), migrationOf(db), newestKnownMigration()]);
      const content = migration === known ? await contentOf(await call.services()) : null;
      return { reachable: true, where, version, migration, content };
    } finally {
      await db.close();
    }
  } catch (error) {
    return { reachable: false, where, error: explain(error).message };
  }
}

async function contentOf(services: Services): Promise<Content> {
  const { getHealth } = await import("../features/programme/operators/index.ts");
  const [counts, { json }] = await Promise.all([rowCounts(services.db), getHealth(actForOperator(services))]);
  const { database, feed, jobs } = JSON.parse(json);
  return { counts, size_bytes: database.size_bytes, feed, jobs };
}

async function diskOf(folder: string): Promise<{ folder: string; free_bytes: number; total_bytes: number } | null> {
  const found = await statfs(folder).catch(() => null);
  if (found === null) return null;
  return { folder, free_bytes: found.bavail * found.bsize, total_bytes: found.blocks * found.bsize };
}

type Status = {
  service: { address: string; address_from: string } & Answer;
  database: DatabaseStatus;
  migration: number;
  disk: Awaited<ReturnType<typeof diskOf>>;
  versions: { tributary: string; node: string };
};

function statusLines({ service, database, migration, disk, versions }: Status, width: number): string[] {
  const lines = renderFields({
    service: `${service.address}  ${service.kind === "ready" ? "ready" : SERVICE_WORDS[service.kind](service.detail, service.address_from)}`,
    database: `${database.where}  ${database.reachable ? `PostgreSQL ${database.version}` : `not reachable: ${database.error}`}`,
    migration: database.reachable ? migrationWords(database.migration, migration) : null,
    ...(database.reachable && database.content !== null ? contentFields(database.content) : {}),
    disk: disk === null ? null : `${bytes(disk.free_bytes)} of ${bytes(disk.total_bytes)} free at ${disk.folder}`,
    versions: `Tributary ${versions.tributary}, Node ${versions.node}`,
  });
  const jobs = database.reachable ? (database.content?.jobs ?? []) : [];
  return jobs.length === 0 ? lines : [...lines, "", ...renderTable(jobs, JOB_COLUMNS, width)];
}

const SERVICE_WORDS = {
  not_ready: (detail: string) => `is running but not ready: ${detail}`,
  other_program: (detail: string, from: string) => `is not the service: ${detail}. ${elsewhere(from)}`,
  silent: (detail: string, from: string) => `does not answer (${detail}). ${elsewhere(from)}`,
};

const elsewhere = (from: string) => `Asked with ${from}; if the service was started with others, set the same here.`;

function migrationWords(has: number, known: number): string {
  if (has === known) return `${has}, the newest`;
  return has < known ? `${has} of ${known}: run tributary migrate` : `${has}, newer than the ${known} of this version`;
}

function contentFields({ counts, size_bytes, feed }: Content): Record<string, string> {
  const render = ({ count, exact }: Count) => (exact ? String(count) : `about ${count}`);
  const { waiting_events, oldest_waiting_seconds } = feed;
  return {
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, render(count)])),
    size: bytes(size_bytes),
    feed: waiting_events === 0 ? "no backlog" : `${waiting_events} events waiting, the oldest for ${oldest_waiting_seconds} s`,
  };
}

const JOB_COLUMNS: Column<Job>[] = [
  { title: "job", of: ({ name }) => name, whole: true },
  { title: "last run", of: ({ finished_at }) => shortTime(finished_at), whole: true },
  { title: "runs", of: ({ runs }) => runs, right: true },
  { title: "failed", of: ({ failures }) => failures, right: true },
  { title: "outcome", of: ({ outcome, last_error }) => outcome ?? last_error },
];

/** A size in the largest unit that is not below one. */
function bytes(count: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), units.length - 1);
  return `${(count / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
