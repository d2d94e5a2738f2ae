import { randomBytes } from "node:crypto";
import { OPERATOR_TENANT } from "../../../kernel/principal.ts";
import { type Context, createContext, type Services } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { dayCounts, dayOf, flagged, lastClicks, type NotedClick, visitorOf } from "./clicks.model.ts";
import { addToDays, insertClicks, noteVisitors, saltOf } from "./clicks.queries.ts";

const FLUSH_EVERY_MS = 250;
const FLUSH_ROWS = 1_000;
/** What is kept while the database does not answer. */
const ROWS_MAX = 10_000;
const SALT_BYTES = 32;

/** The clicks that were not stored yet. A crash loses them: they are statistics, and a click proves itself. */
export type Clicks = {
  /** Keeps a click to be stored soon; drops it when there are too many. */
  note(click: NotedClick): void;
  flush(): Promise<void>;
  close(): Promise<void>;
};

export type ClickReports = { delayed(error: unknown): void; dropped(count: number): void };

export function createClicks(services: Services, reports: ClickReports, rows_max = ROWS_MAX): Clicks {
  const saltFor = createSalts(services);
  const ctx = createContext(services, { principal: { type: "system", partner_id: OPERATOR_TENANT } });
  let clicks: NotedClick[] = [];
  let dropped = 0;
  let flushing: Promise<void> | null = null;

  function drop(count: number): void {
    clicks = clicks.slice(count);
    dropped += count;
  }

  async function store(): Promise<void> {
    while (clicks.length > 0) {
      const taken = clicks.slice(0, FLUSH_ROWS);
      await storeClicks(ctx, taken, saltFor).catch((error: unknown) => {
        // The newest are kept, and nothing that cannot be stored stays in their way.
        if (clicks.length >= rows_max) drop(taken.length);
        throw error;
      });
      // Only now: what is being stored counts against the limit.
      clicks = clicks.slice(taken.length);
    }
  }

  function flush(): Promise<void> {
    flushing ??= store()
      .catch(reports.delayed)
      .finally(() => {
        flushing = null;
        if (dropped > 0) reports.dropped(dropped);
        dropped = 0;
      });
    return flushing;
  }

  const timer = setInterval(() => {
    saltFor.forget(services.clock.now());
    if (clicks.length > 0) void flush();
  }, FLUSH_EVERY_MS);
  timer.unref();

  return {
    note(click) {
      if (clicks.length >= rows_max) dropped += 1;
      else if (clicks.push(click) === FLUSH_ROWS) void flush();
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
      // A flush that was under way may have failed, or ended before the last clicks came.
      if (clicks.length > 0) await flush();
    },
  };
}

type SaltFor = ((day: string) => Promise<string>) & { forget(now: Date): void };

/** The salt of a day, kept in memory on that day alone. */
function createSalts({ db }: Services): SaltFor {
  const known = new Map<string, Promise<string>>();
  const saltFor = (day: string) => {
    const salt = known.get(day) ?? saltOf(db, day, randomBytes(SALT_BYTES));
    known.set(day, salt);
    salt.catch(() => known.delete(day));
    return salt;
  };
  return Object.assign(saltFor, {
    forget(now: Date) {
      const today = now.toISOString().slice(0, 10);
      for (const day of known.keys()) if (day < today) known.delete(day);
    },
  });
}

/** Stores clicks and adds them to their days, all or nothing, and each once even if it is stored again. */
async function storeClicks(
  ctx: Context,
  clicks: readonly NotedClick[],
  saltFor: (day: string) => Promise<string>,
): Promise<void> {
  const days = [...new Set(clicks.map(({ id }) => dayOf(id)))].sort();
  const salts = new Map(await Promise.all(days.map(async (day) => [day, await saltFor(day)] as const)));
  const hashed = clicks.map((click) => ({ ...click, visitor: visitorOf(salts.get(dayOf(click.id)) as string, click) }));
  // In the order of the partners, so that two processes do not wait for each other.
  const ofPartners = [...Map.groupBy(hashed, ({ partner_id }) => partner_id)].sort(([a], [b]) => (a < b ? -1 : 1));
  await ctx.tx((tx) => Promise.all(ofPartners.map(([partner_id, some]) => storeOfPartner(tx, partner_id, some))));
}

type Hashed = Parameters<typeof flagged>[0];

async function storeOfPartner(tx: Tx, partner_id: string, clicks: Hashed): Promise<void> {
  const rows = flagged(clicks, await noteVisitors(tx, partner_id, lastClicks(clicks)));
  const added = await insertClicks(tx, partner_id, rows);
  const days = dayCounts(rows.filter(({ id }) => added.has(id)));
  if (days.length > 0) await addToDays(tx, partner_id, days);
}

/** Stores clicks of the past, under salts that nobody keeps. */
export async function recordClicks(ctx: Context, clicks: readonly NotedClick[]): Promise<void> {
  const salts = new Map<string, string>();
  await storeClicks(ctx, clicks, async (day) => {
    const salt = salts.get(day) ?? randomBytes(SALT_BYTES).toString("hex");
    salts.set(day, salt);
    return salt;
  });
}
