import { columnsOf, insertValues, valuesOf } from "../../../platform/db/columns.ts";
import { insertRows } from "../../../platform/db/insert-rows.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Charge, Refund } from "./model.ts";

const CHARGE_COLUMNS = [
  ["id", "text"],
  ["external_id", "text"],
  ["client_id", "text"],
  ["source", "text"],
  ["amount_cents", "bigint"],
  ["currency", "text"],
  ["months", "int"],
  ["plan", "text"],
  ["charged_at", "timestamptz"],
  ["created_at", "timestamptz"],
  ["refunded_cents", "bigint"],
  ["deal_id", "text"],
  ["round", "int"],
  ["levels", "int"],
  ["outcome", "text"],
] as const satisfies (readonly [keyof Charge, string])[];

const REFUND_COLUMNS = [
  "partner_id",
  "id",
  "external_id",
  "client_id",
  "charge_external_id",
  "amount_cents",
  "reason",
  "refunded_at",
  "created_at",
  "charge_id",
  "applied_cents",
  "status",
] as const satisfies (keyof Refund)[];

const CHARGE = columnsOf("c", ["partner_id", ...CHARGE_COLUMNS.map(([name]) => name)]);
const REFUND = columnsOf("r", REFUND_COLUMNS);

const clientsStatement = statement(`
  -- all partners: the operator reports charges by client alone
  select c.id, c.partner_id, c.house from clients c where c.id = any ($1)`);

export type ChargedClient = { id: string; partner_id: string; house: boolean };

export async function clientsNamed(db: Queryable, ids: readonly string[]): Promise<Map<string, ChargedClient>> {
  return new Map((await db.query<ChargedClient>(clientsStatement, [ids])).map((row) => [row.id, row]));
}

const byExternalIdStatement = statement(`select ${CHARGE} from charges c where c.partner_id = $1 and c.external_id = any ($2)`);

/** Charges of a partner by their external id. */
export async function chargesByExternalId(
  tx: Queryable,
  partner_id: string,
  ids: readonly string[],
): Promise<Map<string, Charge>> {
  const rows = await tx.query<Charge>(byExternalIdStatement, [partner_id, ids]);
  return new Map(rows.map((row) => [row.external_id, row]));
}

const byIdStatement = statement(`select ${CHARGE} from charges c where c.partner_id = $1 and c.id = $2`);

export async function chargeRowOrNull(tx: Queryable, partner_id: string, id: string): Promise<Charge | null> {
  return (await tx.query<Charge>(byIdStatement, [partner_id, id]))[0] ?? null;
}

/** All partners: the operator names a charge without its partner. */
const partnerStatement = statement("select c.partner_id from charges c where c.id = $1");

/** The partner that a charge belongs to. */
export async function partnerOfCharge(db: Queryable, id: string): Promise<string | null> {
  return (await db.query<{ partner_id: string }>(partnerStatement, [id]))[0]?.partner_id ?? null;
}

const insertChargeRows = insertRows("charges", CHARGE_COLUMNS);

export async function insertCharges(tx: Queryable, partner_id: string, charges: readonly Charge[]): Promise<void> {
  const { statement, values } = insertChargeRows(
    partner_id,
    charges.map((charge) => CHARGE_COLUMNS.map(([name]) => charge[name])),
  );
  await tx.query(statement, values);
}

const saveStatement = statement(`
  update charges c set refunded_cents = v.refunded_cents, deal_id = v.deal_id, round = v.round, levels = v.levels, outcome = v.outcome
  from unnest($2::text[], $3::bigint[], $4::text[], $5::int[], $6::int[], $7::text[]) as v (id, refunded_cents, deal_id, round, levels, outcome)
  where c.partner_id = $1 and c.id = v.id`);

/** Saves what can change of charges in a locked book. */
export async function saveCharges(tx: Queryable, partner_id: string, charges: readonly Charge[]): Promise<void> {
  if (charges.length === 0) return;
  const column = (name: keyof Charge) => charges.map((charge) => charge[name]);
  const values = (["id", "refunded_cents", "deal_id", "round", "levels", "outcome"] as const).map(column);
  await tx.query(saveStatement, [partner_id, ...values]);
}

const freeStatement = statement(`
  select ${CHARGE} from charges c
  where c.partner_id = $1 and c.client_id = $2 and c.charged_at >= $3 and c.outcome = 'no_sale'
  order by c.charged_at, c.id`);

/** The charges of a client since a time that no sale earned. */
export function freeCharges(tx: Queryable, partner_id: string, client_id: string, since: Date): Promise<Charge[]> {
  return tx.query<Charge>(freeStatement, [partner_id, client_id, since]);
}

const ofRoundStatement = statement(`
  select ${CHARGE} from charges c where c.partner_id = $1 and c.deal_id = $2 and c.round = $3 order by c.charged_at, c.id`);

/** The charges that a round of a sale earned. */
export function chargesOfRound(tx: Queryable, partner_id: string, deal_id: string, round: number): Promise<Charge[]> {
  return tx.query<Charge>(ofRoundStatement, [partner_id, deal_id, round]);
}

const waitingStatement = statement(`
  select ${REFUND} from refunds r
  where r.partner_id = $1 and r.charge_external_id = any ($2) and r.status = 'waiting' order by r.id`);

/** Refunds that wait for their charge. */
export function waitingRefunds(tx: Queryable, partner_id: string, charge_external_ids: readonly string[]): Promise<Refund[]> {
  return tx.query<Refund>(waitingStatement, [partner_id, charge_external_ids]);
}

const ofChargesStatement = statement(`
  select ${REFUND} from refunds r where r.partner_id = $1 and r.charge_id = any ($2) order by r.id`);

/** The refunds of charges, in the order in which they were applied. */
export function refundsOfCharges(tx: Queryable, partner_id: string, charge_ids: readonly string[]): Promise<Refund[]> {
  return tx.query<Refund>(ofChargesStatement, [partner_id, charge_ids]);
}

const refundStatement = statement(`select ${REFUND} from refunds r where r.partner_id = $1 and r.external_id = $2`);

export async function refundByExternalId(tx: Queryable, partner_id: string, external_id: string): Promise<Refund | null> {
  return (await tx.query<Refund>(refundStatement, [partner_id, external_id]))[0] ?? null;
}

const refundedStatement = statement(`
  select coalesce(sum(r.applied_cents), 0)::bigint as cents from refunds r where r.partner_id = $1 and r.external_id = any ($2)`);

/** What some refunds have taken off their charges. */
export async function refundedBy(tx: Queryable, partner_id: string, external_ids: readonly string[]): Promise<number> {
  return (await tx.query<{ cents: number }>(refundedStatement, [partner_id, external_ids]))[0]?.cents ?? 0;
}

const insertRefundStatement = statement(`insert into refunds ${insertValues(REFUND_COLUMNS)}`);

export async function insertRefund(tx: Queryable, refund: Refund): Promise<void> {
  await tx.query(insertRefundStatement, valuesOf(refund, REFUND_COLUMNS));
}

const saveRefundStatement = statement(`
  update refunds set charge_id = $3, applied_cents = $4, status = $5 where partner_id = $1 and id = $2`);

export async function saveRefund(tx: Queryable, refund: Refund): Promise<void> {
  const { partner_id, id, charge_id, applied_cents, status } = refund;
  await tx.query(saveRefundStatement, [partner_id, id, charge_id, applied_cents, status]);
}
