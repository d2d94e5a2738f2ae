import { fail, notFound } from "../../../kernel/errors.ts";
import { actorOf, OPERATOR_TENANT } from "../../../kernel/principal.ts";
import { dayIn } from "../../../kernel/schedule.ts";
import { takeTurn } from "../../../platform/db/turn.ts";
import type { Result } from "../../../platform/http/route.ts";
import { type Context, createContext, type Services } from "../../../platform/record/context.ts";
import { record, unlessTaken } from "../../../platform/record/tx.ts";
import { Journal } from "../commissions/index.ts";
import {
  contentsOf,
  type Export,
  type ExportedPayout,
  exportablePartners,
  exportablePayouts,
  exportContent,
  exportOrNull,
  finishExport,
  insertExport,
  isToTake,
  lockUnmade,
  markExported,
  runningExport,
  saveCursor,
} from "./export.queries.ts";
import type { PayoutExportCreate } from "./export.schema.ts";
import { openDetails } from "./methods/queries.ts";
import { statementNumber } from "./model.ts";
import { moveTo } from "./outcome.commands.ts";
import { type BankExport, bankCsv, type Payment, sepaFile } from "./papers/index.ts";
import { payoutRows } from "./queries.ts";
import { runOrNull } from "./run.queries.ts";
import { payoutSettings } from "./settings.queries.ts";

/** Starts to make a file of the scheduled payouts of a run. From its step on, a payout is processing and in no other file. */
export function startExport(ctx: Context, run_id: string, { format, currency }: PayoutExportCreate) {
  return ctx.tx(async (tx) => {
    const run = (await runOrNull(tx, run_id)) ?? notFound(run_id);
    if (run.state === "running")
      fail("payout_run_in_progress", {
        detail: "The run schedules payouts still. Export it when it has finished.",
        meta: { run_id },
      });
    const { debtor } = await payoutSettings(tx, "");
    if (format === "sepa" && debtor === null) refuseWithoutDebtor();
    const one = { id: tx.newId("payout_export"), run_id, format, currency: currency ?? null, debtor, created_at: tx.now };
    const some = await exportablePartners(tx, { ...one, cursor: "" }, 1);
    if (some.length === 0) fail("nothing_to_export");
    const opened = await unlessTaken(tx, async () => {
      await insertExport(tx, { ...one, created_by: actorOf(ctx.principal).id });
      return true;
    });
    if (opened === null) fail("payout_run_in_progress", { detail: "Another file of this run is being made.", meta: { run_id } });
    record(tx, ctx.scope, [], { action: "payout_exports.create", target: one.id, client_id: null });
    return { id: one.id, json: ((await exportOrNull(tx, one.id)) ?? notFound(one.id)).json };
  });
}

function refuseWithoutDebtor(): never {
  const detail = "The account that SEPA files pay from is not set. Set payout_debtor in the settings of the programme.";
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/format", code: "debtor_missing", detail }] });
}

const STEP = 100;

/**
 * Runs the next step of an export, if there is one: the scheduled payouts of the next partners become processing, in a transaction for
 * each partner. When none is left, the file is made of the attempts that name the export and are still to be paid, and stored once.
 */
export async function workExport(services: Services, stopping: AbortSignal): Promise<boolean> {
  const running = await runningExport(services.db);
  if (running === null) return false;
  const partners = await exportablePartners(services.db, running, STEP);
  const last = partners.at(-1);
  if (last === undefined) {
    await makeFile(services, running);
    return true;
  }
  for (const partner_id of partners) {
    if (stopping.aborted) return false;
    await exportPartner(services, running, partner_id);
  }
  await services.db.transaction(() => ({
    open: (tx) => takeTurn(tx, running.id),
    run: (tx) => saveCursor(tx, running, last),
    close: () => [],
  }));
  return true;
}

async function exportPartner(services: Services, running: Export, partner_id: string): Promise<void> {
  const ctx = createContext(services, { principal: { type: "system", partner_id } });
  await ctx.tx(async (tx) => {
    const journal = await Journal.open(ctx, tx, [partner_id]);
    if (!(await isToTake(tx, running, partner_id))) return;
    const ids = await exportablePayouts(tx, running, partner_id);
    for (const payout of await payoutRows(tx, partner_id, ids)) {
      await markExported(tx, payout, running.id);
      await moveTo({ journal, payout }, { status: "processing" });
    }
  });
}

function makeFile(services: Services, running: Export): Promise<void> {
  const ctx = createContext(services, { principal: { type: "system", partner_id: OPERATOR_TENANT } });
  return ctx.tx(async (tx) => {
    if (!(await lockUnmade(tx, running))) return;
    const { id, format, created_at, scheduled_for } = running;
    const [contents, { time_zone }] = await Promise.all([contentsOf(tx, id), payoutSettings(tx, "")]);
    const payments = contents.map((payout) => paymentOf(ctx.sealer, payout));
    const of = { id, created_at, execution_date: dayIn(time_zone, latest(created_at, scheduled_for)) };
    const text = format === "csv" ? bankCsv({ export: of, payments }) : await sepaText(running, of, payments);
    const content = ctx.sealer.seal(text, `payout export ${id}`);
    const single = new Set(contents.map(({ currency }) => currency)).size === 1;
    const amount_cents = single ? contents.reduce((sum, { net_cents }) => sum + net_cents, 0) : 0;
    await finishExport(tx, id, tx.now, { payouts: contents.length, amount_cents, content });
  });
}

async function sepaText({ id, debtor }: Export, of: BankExport["export"], payments: Payment[]): Promise<string> {
  // All were decided by hand since their steps, and the format has no file without a payment.
  if (payments.length === 0) return "";
  if (debtor === null) throw new Error(`the SEPA file ${id} was started without an account that pays`);
  let text = "";
  for await (const piece of sepaFile({ export: of, debtor, payments })) text += piece;
  return text;
}

const latest = (one: Date, other: Date) => (one > other ? one : other);

function paymentOf(
  sealer: Services["sealer"],
  { id, attempt, holder, net_cents, currency, statement_seq, ...method }: ExportedPayout,
): Payment {
  const details = openDetails(sealer, method);
  return {
    payout_id: id,
    attempt,
    name: holder,
    ...("iban" in details ? { iban: details.iban, bic: details.bic } : { iban: null, details: details.instructions }),
    amount_cents: net_cents,
    currency,
    statement_number: statementNumber(statement_seq),
  };
}

export async function getExport(ctx: Context, id: string): Promise<Result> {
  return (await exportOrNull(ctx.db.byKey, id)) ?? notFound(id);
}

/** The file of an export. It holds the details of partners' accounts: each download is audited. */
export async function downloadExport(ctx: Context, id: string): Promise<Result> {
  const found = (await exportContent(ctx.db.byKey, id)) ?? notFound(id);
  if (found.content === null)
    fail("invalid_state_transition", {
      detail: "The file is being made. Download it when the state of the export is finished.",
      meta: { from: "running", to: "downloaded", allowed: ["finished"] },
    });
  const text = ctx.sealer.open(found.content, `payout export ${id}`);
  await ctx.tx(async (tx) => record(tx, ctx.scope, [], { action: "payout_exports.download", target: id, client_id: null }));
  async function* pieces() {
    yield text;
  }
  const name = `${id}.${found.format === "csv" ? "csv" : "xml"}`;
  return { json: "", pieces, headers: { "content-disposition": `attachment; filename="${name}"` } };
}
