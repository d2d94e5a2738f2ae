import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, createdWithin, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Disputed } from "../providers/index.ts";
import { type DisputeListQuery, Dispute as DisputeSchema } from "./disputes.schema.ts";

const DISPUTE_JSON = rowJson(DisputeSchema, {
  currency: "(select p.currency from payments p where p.partner_id = $1 and p.id = c.payment_id)",
  payment_link_id: "(select p.link_id from payments p where p.partner_id = $1 and p.id = c.payment_id)",
});

export type NewDispute = Disputed & { id: string; account_id: string; payment_id: string };

const INSERTED = [
  "partner_id",
  "id",
  "account_id",
  "payment_id",
  "provider_ref",
  "amount_cents",
  "reason",
  "status",
  "created_at",
  "decided_at",
] as const;
const insertStatement = statement(`insert into payment_disputes ${insertValues(INSERTED)}`);

export async function insertDispute(tx: Tx, { partner_id }: TenantScope, dispute: NewDispute): Promise<void> {
  const decided_at = dispute.status === "open" ? null : tx.now;
  await tx.query(insertStatement, valuesOf({ ...dispute, partner_id, created_at: tx.now, decided_at }, INSERTED));
}

type Known = { id: string; status: Disputed["status"] };

const byRef = statement(`
  select c.id, c.status from payment_disputes c where c.partner_id = $1 and c.payment_id = $2 and c.provider_ref = $3`);

/** A dispute by the provider's reference. Its payment is locked. */
export async function disputeByRefOrNull(
  tx: Queryable,
  { partner_id }: TenantScope,
  payment_id: string,
  provider_ref: string,
): Promise<Known | null> {
  return (await tx.query<Known>(byRef, [partner_id, payment_id, provider_ref]))[0] ?? null;
}

const decideStatement = statement("update payment_disputes set status = $3, decided_at = $4 where partner_id = $1 and id = $2");

/** Decides an open dispute. */
export async function decideDispute(tx: Tx, { partner_id }: TenantScope, id: string, status: Disputed["status"]): Promise<void> {
  await tx.query(decideStatement, [partner_id, id, status, tx.now]);
}

const disputeById = statement(`
  select ${DISPUTE_JSON} as json from payment_disputes c
  where c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3))`);

export async function disputeOrNull(db: Queryable, scope: TenantScope, id: string): Promise<{ json: string } | null> {
  return parsedRow<object>(await db.query(disputeById, [scope.partner_id, id, boundClients(scope)]));
}

/** Disputes, newest first. */
export function disputesPage(db: Queryable, scope: TenantScope, query: DisputeListQuery): Promise<{ json: string }> {
  const { limit: _, cursor: __, ...filter } = query;
  const { account_id, status, payment_id } = filter;
  const accounts = requestedAccounts(scope, account_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("payment-disputes", filter),
      table: "payment_disputes",
      json: DISPUTE_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        ...createdWithin("payment_dispute", filter, place),
        ...(accounts === null ? [] : [anyOf("c.account_id", accounts, place)]),
        ...(status === undefined ? [] : [anyOf("c.status", [status], place)]),
        ...(payment_id === undefined ? [] : [anyOf("c.payment_id", [payment_id], place)]),
      ],
    },
    query,
  );
}
