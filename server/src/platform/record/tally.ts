import type { Clock } from "../../kernel/clock.ts";
import { type Caller, callerId, tenantScope } from "../../kernel/principal.ts";
import type { Database } from "../db/database.ts";
import { auditQuery } from "./audit.ts";

const ENTRIES_MAX = 20_000;

/** A read or a denial to count. */
export type Tallied = { action: string; outcome: "success" | "denied"; client_id: string | null; code?: string };

type Entry = Tallied & { principal: Caller; ip: string; minute: number; first_at: Date; count: number };

/**
 * Reads and denials for the audit log: one entry per key, route, client and minute with a count, so that a flood of
 * them is not a flood of writes. They are counted in memory and written when the minute is over, when there are many, and
 * before the process ends.
 */
export type Tally = {
  count(principal: Caller, ip: string, what: Tallied): void;
  flush(): Promise<void>;
  close(): Promise<void>;
};

export function createTally(db: Database, clock: Clock, reportLoss: (error: unknown) => void): Tally {
  let entries = new Map<string, Entry>();
  let minute = 0;
  let flushing = Promise.resolve();

  function flush(): Promise<void> {
    const taken = entries;
    entries = new Map();
    flushing = flushing.then(() => write(db, taken)).catch((error) => keep(taken, error));
    return flushing;
  }

  /** While the database is unreachable, counting goes on; beyond the limit the oldest counts are dropped, and that is logged. */
  function keep(taken: Map<string, Entry>, error: unknown): void {
    if (taken.size + entries.size > ENTRIES_MAX) reportLoss(error);
    else for (const [name, entry] of taken) entries.set(name, { ...entry, count: entry.count + (entries.get(name)?.count ?? 0) });
  }

  const timer = setInterval(() => {
    if (currentMinute(clock) !== minute && entries.size > 0) void flush();
  }, 1_000);
  timer.unref();

  return {
    count(principal, ip, what) {
      const now = currentMinute(clock);
      if (entries.size >= ENTRIES_MAX || (now !== minute && entries.size > 0)) void flush();
      minute = now;
      const name = `${minute} ${callerId(principal)} ${ip} ${what.action} ${what.outcome} ${what.client_id} ${what.code}`;
      const entry = entries.get(name);
      if (entry === undefined) entries.set(name, { ...what, principal, ip, minute, first_at: clock.now(), count: 1 });
      else entry.count += 1;
    },
    flush,
    close() {
      clearInterval(timer);
      return flush();
    },
  };
}

/** Entries have the time of their minute. Each group is removed once written, so that a failure half-way repeats nothing. */
async function write(db: Database, entries: Map<string, Entry>): Promise<void> {
  const groups = Map.groupBy(entries, ([, { principal, ip, minute }]) => `${callerId(principal)} ${ip} ${minute}`);
  for (const group of groups.values()) {
    const first = group[0]?.[1];
    if (first === undefined) continue;
    const drafts = group.map(([, { action, outcome, client_id, count, code }]) => ({
      action,
      outcome,
      client_id,
      target: client_id,
      count,
      ...(code === undefined ? {} : { code }),
    }));
    const { statement, values } = auditQuery(
      tenantScope(first.principal).partner_id,
      first.principal,
      { request_id: null, ip: first.ip },
      drafts,
      first.first_at,
    );
    await db.query(statement, values);
    for (const [name] of group) entries.delete(name);
  }
}

function currentMinute(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 60_000);
}
