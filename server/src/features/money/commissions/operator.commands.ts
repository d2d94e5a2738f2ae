import { fail, notFound } from "../../../kernel/errors.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { balances } from "../ledger/index.ts";
import { commissionDetailOrNull } from "./detail.queries.ts";
import { booksOf, reverse } from "./earn.commands.ts";
import { earningsOf } from "./earnings.queries.ts";
import { Journal } from "./journal.commands.ts";
import { type Commission, type Group, isClaimed } from "./model.ts";
import type { AdjustmentCreate } from "./operator.schema.ts";
import { commissionCausedBy, commissionRowOrNull, partnerOfCommission } from "./queries.ts";

/** Adds an amount to a partner's balance, or takes one away. The same reference with the same facts changes nothing. */
export function adjust(ctx: Context, partner_id: string, input: AdjustmentCreate) {
  return ctx.tx(async (tx) => {
    const journal = await Journal.open(ctx, tx, [partner_id]);
    journal.partner(partner_id);
    const { amount_cents, currency, reason_code, reference, commission_id = null, description } = input;
    const cause = `adjust:${reference}`;
    const existing = await commissionCausedBy(tx, partner_id, cause);
    if (existing !== null) return { ...(await shown(tx, partner_id, sameAdjustment(existing, input))), created: false };
    if (reason_code === "payout_returned") await checkReturn(tx, partner_id, input);
    if (commission_id !== null && (await commissionRowOrNull(tx, partner_id, commission_id)) === null)
      refuseCommission(commission_id);
    const none = { deal_id: null, round: null, client_id: null, charge_id: null };
    const origin = {
      source_partner_id: null,
      origin_partner_id: null,
      origin_commission_id: null,
      source_commission_id: commission_id,
    };
    const step = { step: "adjustment", input: { reference, ...(description === undefined ? {} : { description }) }, rule: null };
    const added = journal.addRoot(
      {
        ...none,
        ...origin,
        partner_id,
        cause,
        kind: "adjustment",
        level: 0,
        base_cents: amount_cents,
        rate_bps: 0,
        amount_cents,
        currency,
        rule: null,
        calculation: [{ ...step, result: amount_cents }],
        reason_code,
        status: "approved",
        hold_until: tx.now,
      },
      "adjusted",
    );
    if (added === null) throw new Error("an adjustment has an amount");
    await journal.save();
    journal.tell();
    const changes = { amount_cents: { from: null, to: amount_cents }, currency: { from: null, to: currency } };
    record(tx, { partner_id }, [], { action: "commissions.adjust", target: added.id, client_id: null, changes });
    return { ...(await shown(tx, partner_id, added.id)), created: true };
  });
}

/** The bank returns at most what was paid. */
async function checkReturn(tx: Tx, partner_id: string, { amount_cents, currency }: AdjustmentCreate): Promise<void> {
  const accounts = await balances(tx, partner_id, null);
  const paid_cents = accounts.find((one) => one.account === "cash" && one.currency === currency)?.balance_cents ?? 0;
  if (amount_cents > 0 && amount_cents <= paid_cents) return;
  const detail = `The bank can return between 1 and the ${paid_cents} that were paid in ${currency}.`;
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/amount_cents", code: "beyond_paid", detail }] });
}

async function shown(
  tx: Tx,
  partner_id: string,
  id: string,
): Promise<{ id: string; version: number; etag: string; json: string }> {
  return { id, ...((await commissionDetailOrNull(tx, partner_id, "operator", id)) ?? notFound(id)) };
}

function refuseCommission(id: string): never {
  const detail = `The commission ${id} was not found in the book of the partner.`;
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/commission_id", code: "unknown_commission", detail }] });
}

function sameAdjustment(existing: Commission, input: AdjustmentCreate): string {
  const same =
    existing.amount_cents === input.amount_cents &&
    existing.currency === input.currency &&
    existing.reason_code === input.reason_code &&
    existing.source_commission_id === (input.commission_id ?? null);
  if (same) return existing.id;
  fail("duplicate_adjustment", {
    detail: `The reference ${input.reference} was used for another adjustment.`,
    meta: { existing_id: existing.id },
  });
}

/** Keeps a commission out of payouts until it is released. */
export function hold(ctx: Context, id: string, reason: string) {
  return changeGroup(ctx, id, "commissions.hold", (journal, group) => {
    if (group.root.status === "held") return;
    requireUnclaimed(group);
    journal.move(group, "held", "held", reason);
  });
}

/** Releases a commission: it is where its hold says that it should be. */
export function release(ctx: Context, id: string) {
  return changeGroup(ctx, id, "commissions.release", (journal, group) => {
    if (group.root.status === "pending" || group.root.status === "approved") return;
    requireUnclaimed(group);
    const { hold_until } = group.root;
    journal.move(group, hold_until !== null && hold_until <= journal.tx.now ? "approved" : "pending", "released", null);
  });
}

/** Takes a commission back, and the overrides that came of it. */
export function voidCommission(ctx: Context, id: string, reason_code: string) {
  return changeGroup(ctx, id, "commissions.void", async (journal, group) => {
    if (group.root.status === "void") return;
    requireUnclaimed(group);
    reverse(journal, group, reason_code);
    for (const above of await groupsAbove(journal, group)) reverse(journal, above, reason_code);
  });
}

function requireUnclaimed({ root, rows }: Group): void {
  if (root.status !== "void" && !rows.some(isClaimed)) return;
  fail("commission_locked", { detail: `The commission is ${root.status}.`, meta: { commission_status: root.status } });
}

/** The partners above the seller of a commission's sale. */
async function partnersAbove(tx: Tx, { partner_id, deal_id, round }: Commission): Promise<string[]> {
  if (deal_id === null || round === null) return [];
  const [earning] = await earningsOf(tx, partner_id, [{ deal_id, round }]);
  return earning === undefined ? [] : booksOf(earning);
}

/** The overrides that came of the same fact, in the books of the partners above. */
async function groupsAbove(journal: Journal, { root }: Group): Promise<Group[]> {
  if (root.level > 0) return [];
  const above = journal.partner_ids.filter((id) => id !== root.partner_id);
  const causes = [1, 2, 3].map((level) => root.cause.replace(/:0$/, `:${level}`));
  if (causes[0] === root.cause) return [];
  await journal.load(new Map(above.map((partner_id) => [partner_id, causes])));
  return above.flatMap((partner_id) => causes.flatMap((cause) => journal.group(partner_id, cause) ?? []));
}

/** Changes a root with its rows, named by any of them, at the expected version. */
async function changeGroup(
  ctx: Context,
  id: string,
  action: string,
  change: (journal: Journal, group: Group) => void | Promise<void>,
) {
  return ctx.tx(async (tx) => {
    const partner_id = (await partnerOfCommission(tx, id)) ?? notFound(id);
    const named = (await commissionRowOrNull(tx, partner_id, id)) ?? notFound(id);
    const above = await partnersAbove(tx, named);
    const journal = await Journal.open(ctx, tx, [partner_id, ...above]);
    const [group] = await journal.loadRoots(partner_id, [named.root_id ?? id]);
    const row = group?.rows.find((one) => one.id === id);
    if (group === undefined || row === undefined) notFound(id);
    requireVersion(ctx, row);
    const from = row.status;
    await change(journal, group);
    await journal.save();
    journal.tell();
    if (row.status !== from)
      record(tx, { partner_id }, [], { action, target: id, client_id: null, changes: { status: { from, to: row.status } } });
    return shown(tx, partner_id, id);
  });
}
