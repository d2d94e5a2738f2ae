import { listIdentity } from "../../../kernel/page.ts";
import { rowJson } from "../../../platform/db/columns.ts";
import { byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { shareTurn, takeTurn } from "../../../platform/db/turn.ts";
import { PayoutExport, type PayoutExportListQuery } from "./export.schema.ts";
import type { Debtor } from "./settings.queries.ts";

/** A file for the bank that is being made. */
export type Export = {
  id: string;
  run_id: string;
  format: "csv" | "sepa";
  currency: string | null;
  /** The account that it pays from, as it was set when it was started. */
  debtor: Debtor | null;
  cursor: string;
  created_at: Date;
  scheduled_for: Date;
};

const runningStatement = statement(`
  select e.id, e.run_id, e.format, e.currency, e.debtor, e.cursor, e.created_at, r.scheduled_for
  from payout_exports e join payout_runs r on r.id = e.run_id where e.state = 'running' order by e.id limit 1`);

export async function runningExport(db: Queryable): Promise<Export | null> {
  return (await db.query<Export>(runningStatement))[0] ?? null;
}

const insertStatement = statement(`
  insert into payout_exports (id, run_id, format, currency, debtor, state, created_by, created_at)
  values ($1, $2, $3, $4, $5, 'running', $6, $7)`);

export async function insertExport(
  tx: Queryable,
  one: Omit<Export, "cursor" | "scheduled_for"> & { created_by: string },
): Promise<void> {
  const { id, run_id, format, currency, debtor, created_by, created_at } = one;
  await tx.query(insertStatement, [id, run_id, format, currency, JSON.stringify(debtor), created_by, created_at]);
}

const openStatement = statement("select 1 from payout_exports e where e.id = $1 and e.cursor < $2 and e.state = 'running'");

/** Whether an export is yet to take the payouts of a partner. It does not go past the partner before the transaction ends. */
export async function isToTake(tx: Queryable, { id }: Export, partner_id: string): Promise<boolean> {
  const [, rows] = await Promise.all([shareTurn(tx, id), tx.query(openStatement, [id, partner_id])]);
  return rows.length > 0;
}

const unmadeStatement = statement("select 1 from payout_exports e where e.id = $1 and e.state = 'running'");

/** Whether the file of an export is not made yet. From then on nothing is added to it. */
export async function lockUnmade(tx: Queryable, { id }: Export): Promise<boolean> {
  const [, rows] = await Promise.all([takeTurn(tx, id), tx.query(unmadeStatement, [id])]);
  return rows.length > 0;
}

/** The largest transfer of SEPA. */
const SEPA_MAX_CENTS = 99_999_999_999;

/** Payouts of the run $1 that a file of the format $2 and the currency $3 could contain. */
const exportable = (partner_id: string) => `p.run_id = $1 and p.status = 'scheduled' and ($3::text is null or p.currency = $3)
    and ($2 <> 'sepa' or (p.currency = 'eur' and p.net_cents <= ${SEPA_MAX_CENTS} and exists (
      select 1 from payout_attempts a
      where a.partner_id = ${partner_id} and a.payout_id = p.id and a.attempt = p.attempt and a.kind = 'sepa')))`;

const nextStatement = statement(`
  -- all partners: the step of an export of payouts
  select distinct p.partner_id from payouts p where ${exportable("p.partner_id")} and p.partner_id > $4 order by p.partner_id limit $5`);

/** The next partners with payouts that an export could contain. */
export async function exportablePartners(
  db: Queryable,
  { run_id, format, currency, cursor }: Pick<Export, "run_id" | "format" | "currency" | "cursor">,
  limit: number,
) {
  const rows = await db.query<{ partner_id: string }>(nextStatement, [run_id, format, currency, cursor, limit]);
  return rows.map(({ partner_id }) => partner_id);
}

const ofPartnerStatement = statement(`
  select p.id from payouts p where p.partner_id = $4 and ${exportable("$4")} order by p.id`);

export async function exportablePayouts(
  tx: Queryable,
  { run_id, format, currency }: Export,
  partner_id: string,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(ofPartnerStatement, [run_id, format, currency, partner_id]);
  return rows.map(({ id }) => id);
}

const markStatement = statement(`
  update payout_attempts set export_id = $4 where partner_id = $1 and payout_id = $2 and attempt = $3`);

/** Writes the export on the attempt of a payout. */
export async function markExported(
  tx: Queryable,
  payout: { partner_id: string; id: string; attempt: number },
  export_id: string,
) {
  await tx.query(markStatement, [payout.partner_id, payout.id, payout.attempt, export_id]);
}

const cursorStatement = statement("update payout_exports set cursor = $3 where id = $1 and cursor = $2 and state = 'running'");

/** Goes past the partners that a step has taken, unless another process has. Its turn was taken before. */
export async function saveCursor(tx: Queryable, { id, cursor }: Export, next: string): Promise<void> {
  await tx.query(cursorStatement, [id, cursor, next]);
}

export type ExportedPayout = {
  partner_id: string;
  id: string;
  attempt: number;
  method_id: string;
  holder: string;
  details: Buffer;
  net_cents: number;
  currency: string;
  statement_seq: number;
};

const contentsStatement = statement(`
  -- all partners: the making of a file for the bank
  select p.partner_id, p.id, a.attempt, a.method_id, a.holder, a.details, p.net_cents, p.currency, p.statement_seq
  from payout_attempts a join payouts p on p.partner_id = a.partner_id and p.id = a.payout_id
  where a.export_id = $1 and p.status = 'processing' and p.attempt = a.attempt order by a.partner_id, a.payout_id`);

/**
 * The payouts that an export contains, with the details of their attempts. One that was paid or failed since its step, by hand, is left out: it
 * would be paid twice.
 */
export function contentsOf(db: Queryable, export_id: string): Promise<ExportedPayout[]> {
  return db.query<ExportedPayout>(contentsStatement, [export_id]);
}

const finishStatement = statement(`
  update payout_exports set state = 'finished', finished_at = $2, payouts = $3, amount_cents = $4, content = $5
  where id = $1 and state = 'running'`);

/** Stores a file, once. */
export async function finishExport(
  db: Queryable,
  id: string,
  now: Date,
  file: { payouts: number; amount_cents: number; content: Buffer },
) {
  await db.query(finishStatement, [id, now, file.payouts, file.amount_cents, file.content]);
}

const EXPORT_JSON = rowJson(PayoutExport);

const oneStatement = statement(`select ${EXPORT_JSON} as json from payout_exports c where c.id = $1`);

export async function exportOrNull(db: Queryable, id: string): Promise<{ json: string } | null> {
  return (await db.query<{ json: string }>(oneStatement, [id]))[0] ?? null;
}

const contentStatement = statement("select e.format, e.content from payout_exports e where e.id = $1");

export async function exportContent(
  db: Queryable,
  id: string,
): Promise<{ format: Export["format"]; content: Buffer | null } | null> {
  return (await db.query<{ format: Export["format"]; content: Buffer | null }>(contentStatement, [id]))[0] ?? null;
}

/** A page of the exports, newest first. */
export function exportsPage(db: Queryable, query: PayoutExportListQuery): Promise<{ json: string }> {
  const { run_id } = query;
  const shown = {
    list: listIdentity("payout-exports", { run_id }),
    table: "payout_exports",
    json: EXPORT_JSON,
    sort: byCreation(true),
  };
  const conditions = (place: (value: unknown) => string) => (run_id === undefined ? [] : [`c.run_id = ${place(run_id)}`]);
  return keysetPage(db, null, { ...shown, conditions }, query);
}
