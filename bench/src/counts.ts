import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";

/**
 * What a request costs, in quantities that do not depend on how busy the machine is; the CPU times depend on it the least of all times.
 * Index entries are those of B-trees and the keys and pages of GIN indexes, as the write-ahead log has them; its bytes are without the images of
 * whole pages, which depend on the checkpoints. Work in the background that requests leave behind, such as the sequencing of events, is included.
 */
export type Counts = {
  index_entries: number;
  wal_bytes: number;
  statements: number | null;
  flights: number | null;
  service_us: number;
  database_us: number;
};

/** The process that serves requests, and whether it tells what it sends to the database. */
export type Counted = { pid: number; port: number; tells: boolean };

export type Counter = {
  /** Counts what is done until the returned function is called. */
  begin(counted: Counted): Promise<() => Promise<Counts>>;
  close(): Promise<void>;
};

const INDEX_ENTRIES = ["Btree/INSERT_LEAF", "Btree/INSERT_POST", "Btree/SPLIT_L", "Btree/SPLIT_R", "Btree/NEWROOT"];
const GIN_ENTRIES = ["Gin/INSERT", "Gin/INSERT_LISTPAGE", "Gin/UPDATE_META_PAGE", "Gin/SPLIT"];

const WAL_STATEMENT = `
  select coalesce(sum(count) filter (where "resource_manager/record_type" = any ($3)), 0)::int as index_entries,
    coalesce(sum(record_size), 0)::float8 as wal_bytes
  from pg_get_wal_stats($1, $2, true)`;

/** Counts on several servers what they do together. */
export function countTogether(counters: readonly Counter[]): Counter {
  return {
    async begin(counted) {
      const ends = await Promise.all(counters.map((counter) => counter.begin(counted)));
      return async () => {
        const [first, ...others] = (await Promise.all(ends.map((end) => end()))) as [Counts, ...Counts[]];
        return others.reduce((sum, { index_entries, wal_bytes, database_us }) => {
          sum.index_entries += index_entries;
          sum.wal_bytes += wal_bytes;
          sum.database_us += database_us;
          return sum;
        }, first);
      };
    },
    close: async () => void (await Promise.all(counters.map((counter) => counter.close()))),
  };
}

/** Counts on one database server, as its superuser. */
export async function openCounter(server: { socket: string; port?: number; data: string }): Promise<Counter> {
  const client = new pg.Client({ host: server.socket, port: server.port ?? 5432, user: "postgres", database: "postgres" });
  await client.connect();
  await client.query("create extension if not exists pg_walinspect");
  // A checkpoint must not remove what is still to be counted.
  await client.query("alter system set wal_keep_size = '1GB'");
  await client.query("select pg_reload_conf()");
  const postmaster = Number((await readFile(join(server.data, "postmaster.pid"), "utf8")).split("\n")[0]);
  // A record of its own, which its commit writes to the disk, ends what is counted: a range without a record is refused.
  const position = async () =>
    (await client.query<{ lsn: string }>("select pg_logical_emit_message(true, 'bench', '') as lsn")).rows[0]?.lsn;
  const now = async ({ pid, port, tells }: Counted) => ({
    lsn: await position(),
    sent: tells ? await sentBy(port) : null,
    cpu: await cpuTimes(pid, postmaster),
  });
  return {
    async begin(counted) {
      const before = await now(counted);
      return async () => {
        const after = await now(counted);
        const [wal] = (
          await client.query<Pick<Counts, "index_entries" | "wal_bytes">>(WAL_STATEMENT, [
            before.lsn,
            after.lsn,
            [...INDEX_ENTRIES, ...GIN_ENTRIES],
          ])
        ).rows;
        return {
          index_entries: wal?.index_entries ?? 0,
          wal_bytes: wal?.wal_bytes ?? 0,
          statements: after.sent === null ? null : after.sent.statements - (before.sent?.statements ?? 0),
          flights: after.sent === null ? null : after.sent.flights - (before.sent?.flights ?? 0),
          service_us: after.cpu.service_us - before.cpu.service_us,
          database_us: after.cpu.database_us - before.cpu.database_us,
        };
      };
    },
    close: () => client.end(),
  };
}

/** What rounds cost together, for each of their requests. */
export function perRequest(rounds: readonly Counts[], requests: number): Counts {
  const share = (name: keyof Counts) => rounds.reduce((sum, counts) => sum + (counts[name] ?? 0), 0) / Math.max(1, requests);
  const told = rounds.every(({ flights }) => flights !== null);
  return {
    index_entries: share("index_entries"),
    wal_bytes: share("wal_bytes"),
    statements: told ? share("statements") : null,
    flights: told ? share("flights") : null,
    service_us: share("service_us"),
    database_us: share("database_us"),
  };
}

async function sentBy(port: number): Promise<{ statements: number; flights: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\d+)`, "m").exec(text)?.[1] ?? 0);
  return { statements: value("tributary_database_statements_total"), flights: value("tributary_database_flights_total") };
}

const TICK_US = 10_000;

/** The CPU times of a process, and of all processes of a database server. */
async function cpuTimes(pid: number, postmaster: number): Promise<{ service_us: number; database_us: number }> {
  let database_us = 0;
  let service_us = 0;
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const fields = (await readFile(`/proc/${name}/stat`, "utf8").catch(() => "")).replace(/^.*\) /, "").split(" ");
    const ticks = (first: number) => Number(fields[first]) + Number(fields[first + 1]);
    if (Number(fields[1]) === postmaster) database_us += ticks(11) * TICK_US;
    // What its children used that have ended.
    if (Number(name) === postmaster) database_us += ticks(13) * TICK_US;
    if (Number(name) === pid) service_us = ticks(11) * TICK_US;
  }
  return { service_us, database_us };
}
