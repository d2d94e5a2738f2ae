import { fail, notFound, Refusal } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import {
  booksOf,
  type Earned,
  type Earning,
  earnCharges,
  earningsOf,
  Journal,
  liveEarnings,
  refundCharge,
} from "../commissions/index.ts";
import { applyRefund, type Charge, type NewCharge, type NewRefund, type Refund, sameCharge, sameRefund } from "./model.ts";
import {
  type ChargedClient,
  chargeRowOrNull,
  chargesByExternalId,
  clientsNamed,
  insertCharges,
  insertRefund,
  partnerOfCharge,
  refundByExternalId,
  saveCharges,
  saveRefund,
  waitingRefunds,
} from "./queries.ts";

/** A charge of a client, as it is reported. */
export type Report = NewCharge & { client_id: string };

/** A charge that was stored now, or was known already. */
export type Recorded = { charge: Charge; created: boolean };

/**
 * Stores charges of any clients and what they earn, each as if it were alone, with a result each. The earliest is earned first,
 * whatever their order.
 */
export async function recordCharges(
  ctx: Context,
  tx: Tx,
  reports: readonly Report[],
  source: Charge["source"],
): Promise<(Recorded | Refusal)[]> {
  const clients = await clientsNamed(tx, [...new Set(reports.map(({ client_id }) => client_id))]);
  const refusals = reports.map((report) => refusalOf(clients, report, tx.now));
  const accepted = reports.filter((_, index) => refusals[index] === null);
  const of = (report: Report) => clients.get(report.client_id)?.partner_id ?? "";
  const byPartner = Map.groupBy(accepted, of);
  const journal = await Journal.open(ctx, tx, await concerned(tx, byPartner));
  const desks = await Promise.all([...byPartner].map(([partner_id, some]) => readDesk(tx, partner_id, some)));
  const results = new Map<Report, Recorded | Refusal>();
  for (const desk of desks) {
    const some = byPartner.get(desk.partner_id) ?? [];
    for (const report of some) results.set(report, admit(tx, desk, report, source));
  }
  const earned = desks.flatMap(({ added, earnings }) => itemsOf(added, earnings));
  const outcomes = await earnCharges(journal, earned);
  for (const [index, { charge, earning }] of earned.entries())
    Object.assign(charge, { deal_id: earning.deal_id, round: earning.round }, outcomes[index]);
  for (const desk of desks) await applyWaiting(journal, desk);
  await Promise.all(
    desks.filter(({ added }) => added.length > 0).map(({ partner_id, added }) => insertCharges(tx, partner_id, added)),
  );
  await Promise.all(desks.flatMap(({ waiting }) => waiting.filter(isApplied).map((refund) => saveRefund(tx, refund))));
  await journal.save();
  journal.tell();
  for (const { added } of desks) for (const charge of added) auditCharge(tx, charge);
  return reports.map((report, index) => refusals[index] ?? results.get(report) ?? notFound(report.client_id));
}

/** What is known of one partner's charges under the lock of its book. */
type Desk = {
  partner_id: string;
  known: Map<string, Charge>;
  earnings: Map<string, Earning>;
  waiting: Refund[];
  added: Charge[];
};

/** The partners whose books the charges may touch, as read before they are locked. */
async function concerned(tx: Tx, byPartner: ReadonlyMap<string, readonly Report[]>): Promise<string[]> {
  const found = await Promise.all(
    [...byPartner].map(async ([partner_id, some]) => [
      partner_id,
      ...[...(await liveEarnings(tx, partner_id, clientIds(some))).values()].flatMap(booksOf),
    ]),
  );
  return [...new Set(found.flat())];
}

const clientIds = (reports: readonly Report[]) => [...new Set(reports.map(({ client_id }) => client_id))];

async function readDesk(tx: Tx, partner_id: string, reports: readonly Report[]): Promise<Desk> {
  const external_ids = reports.map(({ external_id }) => external_id);
  const [known, earnings, waiting] = await Promise.all([
    chargesByExternalId(tx, partner_id, external_ids),
    liveEarnings(tx, partner_id, clientIds(reports)),
    waitingRefunds(tx, partner_id, external_ids),
  ]);
  return { partner_id, known, earnings, waiting, added: [] };
}

const FUTURE_MS = 86_400_000;

function refusalOf(clients: ReadonlyMap<string, ChargedClient>, { client_id, charged_at }: Report, now: Date): Refusal | null {
  return refusalIn(() => {
    const client = clients.get(client_id) ?? notFound(client_id);
    if (client.house) refuseField("client_id", "house_account", "The partner's own account is not charged.");
    if (charged_at.getTime() > now.getTime() + FUTURE_MS)
      refuseField("charged_at", "future", "charged_at must not be more than a day in the future.");
  });
}

function refuseField(name: string, code: string, detail: string): never {
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: `#/${name}`, code, detail }] });
}

function refusalIn(check: () => void): Refusal | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Adds a charge to a desk, unless it is known. */
function admit(tx: Tx, desk: Desk, report: Report, source: Charge["source"]): Recorded | Refusal {
  const { partner_id, known, added } = desk;
  const { client_id, ...reported } = report;
  const existing = known.get(report.external_id);
  if (existing !== undefined) {
    if (sameCharge(existing, client_id, reported)) return { charge: existing, created: false };
    return new Refusal("duplicate_charge", {
      detail: `The charge ${existing.id} has the external_id ${report.external_id} and other facts.`,
      meta: { existing_id: existing.id },
    });
  }
  const charge: Charge = {
    ...reported,
    partner_id,
    client_id,
    id: tx.newId("charge"),
    source,
    created_at: tx.now,
    refunded_cents: 0,
    deal_id: null,
    round: null,
    levels: 0,
    outcome: report.amount_cents === 0 ? "zero" : "no_sale",
  };
  known.set(charge.external_id, charge);
  added.push(charge);
  return { charge, created: true };
}

/** The charges that a sale earns, earliest first. */
function itemsOf(charges: readonly Charge[], earnings: ReadonlyMap<string, Earning>): (Earned & { charge: Charge })[] {
  const earning = charges.flatMap((charge) => {
    const live = earnings.get(charge.client_id);
    return live === undefined || charge.amount_cents === 0 ? [] : [{ charge, earning: live }];
  });
  return earning.sort((a, b) => a.charge.charged_at.getTime() - b.charge.charged_at.getTime());
}

const isApplied = ({ status }: Refund) => status !== "waiting";

/** Applies the refunds that came before their charges. */
async function applyWaiting(journal: Journal, desk: Desk): Promise<void> {
  for (const charge of desk.added) {
    const refunds = desk.waiting.filter(({ charge_external_id }) => charge_external_id === charge.external_id);
    const own = refunds.filter(({ client_id }) => client_id === charge.client_id);
    for (const refund of own) await applyTo(journal, charge, refund, desk.earnings.get(charge.client_id));
  }
}

/** Applies a refund to a charge of a locked book, and takes back what the charge earned for it. */
async function applyTo(journal: Journal, charge: Charge, refund: Refund, earning: Earning | undefined): Promise<void> {
  Object.assign(refund, applyRefund(charge, refund));
  if (refund.applied_cents === 0) return;
  if (charge.deal_id !== null && earning !== undefined)
    await refundCharge(journal, earning, charge, charge.refunded_cents, [refund]);
  charge.refunded_cents += refund.applied_cents;
}

function auditCharge(tx: Tx, { partner_id, id, amount_cents, currency }: Charge): void {
  const changes = { amount_cents: { from: null, to: amount_cents }, currency: { from: null, to: currency } };
  record(tx, { partner_id }, [], { action: "charges.create", target: id, client_id: null, changes });
}

/** A refund of a charge, named by the operator's id of it: it may come before the charge. */
export type RefundReport = NewRefund & { client_id: string; charge_external_id: string };

export type RecordedRefund = { refund: Refund; created: boolean };

/** Stores a refund of a client, and takes back what its charge earned for it. One that comes before its charge waits for it. */
export async function recordRefund(ctx: Context, tx: Tx, report: RefundReport): Promise<RecordedRefund> {
  const client = (await clientsNamed(tx, [report.client_id])).get(report.client_id) ?? notFound(report.client_id);
  return storeRefund(ctx, tx, client.partner_id, report);
}

/** Stores a refund of a charge. */
export async function refundById(ctx: Context, tx: Tx, charge_id: string, reported: NewRefund): Promise<RecordedRefund> {
  const partner_id = (await partnerOfCharge(tx, charge_id)) ?? notFound(charge_id);
  const { client_id, external_id } = (await chargeRowOrNull(tx, partner_id, charge_id)) ?? notFound(charge_id);
  return storeRefund(ctx, tx, partner_id, { ...reported, client_id, charge_external_id: external_id });
}

async function storeRefund(ctx: Context, tx: Tx, partner_id: string, report: RefundReport): Promise<RecordedRefund> {
  const { client_id, charge_external_id, external_id, amount_cents, reason } = report;
  const before = await earningOfCharge(tx, partner_id, charge_external_id);
  const journal = await Journal.open(ctx, tx, [partner_id, ...(before === undefined ? [] : booksOf(before))]);
  const existing = await refundByExternalId(tx, partner_id, external_id);
  if (existing !== null) return { refund: sameOrRefused(existing, report), created: false };
  const [charge] = [...(await chargesByExternalId(tx, partner_id, [charge_external_id])).values()];
  if (charge !== undefined && charge.client_id !== client_id)
    refuseField("charge_external_id", "other_client", "The charge is of another client.");
  const facts = { external_id, client_id, charge_external_id, amount_cents, reason };
  const refund: Refund = {
    ...facts,
    partner_id,
    id: tx.newId("refund"),
    refunded_at: report.refunded_at ?? tx.now,
    created_at: tx.now,
    charge_id: null,
    applied_cents: 0,
    status: "waiting",
  };
  if (charge !== undefined) {
    requireRefundable(charge, amount_cents);
    await applyTo(journal, charge, refund, await earningOfCharge(tx, partner_id, charge_external_id));
    await saveCharges(tx, partner_id, [charge]);
  }
  await insertRefund(tx, refund);
  await journal.save();
  journal.tell();
  const changes = { amount_cents: { from: null, to: amount_cents } };
  record(tx, { partner_id }, [], { action: "refunds.create", target: refund.id, client_id: null, changes });
  return { refund, created: true };
}

/** Gives a charge back what a refund took off it, up to an amount, after the money did not reach the client: it earns that again. */
export async function giveBack(ctx: Context, tx: Tx, external_id: string, amount_cents: number): Promise<void> {
  const { partner_id } = ctx.scope;
  const known = await refundByExternalId(tx, partner_id, external_id);
  if (known === null) return;
  const { charge_external_id } = known;
  const before = await earningOfCharge(tx, partner_id, charge_external_id);
  const journal = await Journal.open(ctx, tx, [partner_id, ...(before === undefined ? [] : booksOf(before))]);
  const refund = (await refundByExternalId(tx, partner_id, external_id)) ?? known;
  const charge = (await chargesByExternalId(tx, partner_id, [charge_external_id])).get(charge_external_id);
  const given_cents = Math.min(amount_cents, refund.applied_cents);
  if (charge === undefined || given_cents === 0) return;
  const earning = await earningOfCharge(tx, partner_id, charge_external_id);
  if (earning !== undefined)
    await refundCharge(journal, earning, charge, charge.refunded_cents, [{ id: refund.id, applied_cents: -given_cents }]);
  await saveCharges(tx, partner_id, [{ ...charge, refunded_cents: charge.refunded_cents - given_cents }]);
  await saveRefund(tx, { ...refund, applied_cents: refund.applied_cents - given_cents });
  await journal.save();
  journal.tell();
  const changes = { applied_cents: { from: refund.applied_cents, to: refund.applied_cents - given_cents } };
  record(tx, { partner_id }, [], { action: "refunds.give_back", target: refund.id, client_id: null, changes });
}

/** The sale that a charge earned for. */
async function earningOfCharge(tx: Tx, partner_id: string, charge_external_id: string): Promise<Earning | undefined> {
  const charge = (await chargesByExternalId(tx, partner_id, [charge_external_id])).get(charge_external_id);
  if (charge === undefined || charge.deal_id === null || charge.round === null) return undefined;
  return (await earningsOf(tx, partner_id, [{ deal_id: charge.deal_id, round: charge.round }]))[0];
}

function sameOrRefused(existing: Refund, report: RefundReport): Refund {
  if (sameRefund(existing, report.client_id, report.charge_external_id, report)) return existing;
  fail("duplicate_refund", {
    detail: `The refund ${existing.id} has the external_id ${report.external_id} and other facts.`,
    meta: { existing_id: existing.id },
  });
}

function requireRefundable({ amount_cents, refunded_cents }: Charge, requested: number): void {
  const refundable_cents = amount_cents - refunded_cents;
  if (requested <= refundable_cents) return;
  fail("refund_exceeds_charge", {
    detail: `Of the charge, ${refundable_cents} can still be refunded.`,
    meta: { refundable_cents },
  });
}
