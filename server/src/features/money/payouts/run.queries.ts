import { listIdentity } from "../../../kernel/page.ts";
import { rowJson } from "../../../platform/db/columns.ts";
import { byCreation, keysetPage, type Paging } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { shareTurn } from "../../../platform/db/turn.ts";
import type { LastRun } from "../commissions/index.ts";
import { PayoutRun } from "./run.schema.ts";

export type Totals = Record<string, { payouts: number; net_cents: number }>;

/** A run over all partners. */
export type Run = {
  id: string;
  slot: string;
  cutoff: Date;
  scheduled_for: Date;
  created_by: string;
  created_at: Date;
  state: "running" | "finished";
  cursor: string;
  partners_total: number;
  partners_done: number;
  scheduled: Totals;
  blocked: Record<string, number>;
  version: number;
};

const RUN = `r.id, r.slot, r.cutoff, r.scheduled_for, r.created_by, r.created_at, r.state, r.cursor, r.partners_total, r.partners_done,
  r.scheduled, r.blocked, r.version`;

const runningStatement = statement(`select ${RUN} from payout_runs r where r.state = 'running'`);

export async function runningRun(db: Queryable): Promise<Run | null> {
  return (await db.query<Run>(runningStatement))[0] ?? null;
}

const insertStatement = statement(`
  insert into payout_runs (id, slot, cutoff, scheduled_for, created_by, created_at, state, partners_total)
  values ($1, $2, $3, $4, $5, $6, 'running', $7)`);

export async function insertRun(
  tx: Queryable,
  run: Omit<Run, "state" | "cursor" | "partners_done" | "scheduled" | "blocked" | "version">,
) {
  const { id, slot, cutoff, scheduled_for, created_by, created_at, partners_total } = run;
  await tx.query(insertStatement, [id, slot, cutoff, scheduled_for, created_by, created_at, partners_total]);
}

const toDoStatement = statement("select 1 from payout_runs r where r.id = $1 and r.cursor < $2 and r.state = 'running'");

/**
 * Whether a run is yet to do a partner. It does not go past the partner before the transaction ends: by a turn, because the row has a copy on
 * every node of a cluster, which transactions cannot share.
 */
export async function isToDo(tx: Queryable, { id }: Run, partner_id: string): Promise<boolean> {
  const [, rows] = await Promise.all([shareTurn(tx, id), tx.query(toDoStatement, [id, partner_id])]);
  return rows.length > 0;
}

const progressStatement = statement(`
  update payout_runs set cursor = $3, partners_done = $4, scheduled = $5, blocked = $6, version = version + 1,
    state = case when $7::timestamptz is null then 'running' else 'finished' end, finished_at = $7,
    partners_total = case when $7::timestamptz is null then partners_total else $4 end
  where id = $1 and cursor = $2 and state = 'running'`);

/** Saves the progress of a step, and the end after the last one, unless another process has. Its turn was taken before. */
export async function saveProgress(tx: Queryable, before: Run, after: Run, finished_at: Date | null): Promise<void> {
  const { cursor, partners_done, scheduled, blocked } = after;
  const json = [scheduled, blocked].map((value) => JSON.stringify(value));
  await tx.query(progressStatement, [before.id, before.cursor, cursor, partners_done, ...json, finished_at]);
}

const lastStatement = statement(`
  select r.cutoff, r.created_at as at from payout_runs r where r.id <> $1 and r.created_at <= $2 order by r.created_at desc, r.id desc limit 1`);

/** The run before one, or the newest of all. */
export async function runBefore(db: Queryable, id: string | null, at: Date): Promise<LastRun | null> {
  return (await db.query<LastRun>(lastStatement, [id ?? "", at]))[0] ?? null;
}

const sinceStatement = statement(`
  select greatest(g.payout_schedule_since, (select max(r.cutoff) from payout_runs r where r.slot <> r.id)) as since from programme g`);

/** Since when scheduled runs are outstanding: the last one, or when the schedule was set. */
export async function scheduleSince(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ since: Date }>(sinceStatement);
  if (row === undefined) throw new Error("the first run has not created the programme");
  return row.since;
}

const RUN_JSON = rowJson(PayoutRun, {
  trigger: "case when c.slot = c.id then 'manual' else 'schedule' end",
  scheduled:
    "(select coalesce(json_agg(json_build_object('currency', s.key, 'payouts', s.value->'payouts', 'net_cents', s.value->'net_cents') order by s.key), '[]') from jsonb_each(c.scheduled) s)",
  blocked:
    "(select coalesce(json_agg(json_build_object('code', s.key, 'partners', s.value) order by s.key), '[]') from jsonb_each(c.blocked) s)",
});

const runStatement = statement(`select c.version, c.state, ${RUN_JSON} as json from payout_runs c where c.id = $1`);

export type ShownRun = { version: number; state: Run["state"]; json: string };

export async function runOrNull(db: Queryable, id: string): Promise<ShownRun | null> {
  return (await db.query<ShownRun>(runStatement, [id]))[0] ?? null;
}

/** A page of the runs, newest first. */
export function runsPage(db: Queryable, paging: Paging): Promise<{ json: string }> {
  const list = listIdentity("payout-runs", {});
  return keysetPage(
    db,
    null,
    { list, table: "payout_runs", json: RUN_JSON, sort: byCreation(true), conditions: () => [] },
    paging,
  );
}

const scheduledStatement = statement(`
  -- all partners: the step of a payout run
  select p.partner_id, p.currency, p.net_cents from payouts p
  where p.run_id = $1 and p.partner_id > $2 and ($3::text is null or p.partner_id <= $3)`);

/** What a run has scheduled for the partners after one, up to another. */
export function scheduledBetween(db: Queryable, run_id: string, after: string, last: string | null) {
  return db.query<{ partner_id: string; currency: string; net_cents: number }>(scheduledStatement, [run_id, after, last]);
}
