import type { Sealer } from "../../../../platform/crypto/seal.ts";
import { insertValues, rowJson } from "../../../../platform/db/columns.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { MethodDetails, MethodKind, NewMethod } from "./model.ts";
import { PayoutMethod as PayoutMethodSchema } from "./schema.ts";

/** A stored method; its details are sealed. */
export type PayoutMethod = {
  id: string;
  kind: MethodKind;
  currencies: string[];
  holder: string;
  details: Buffer;
  hint: string;
};

/** Bound to the method, so that sealed details cannot be moved to another one, nor to another partner's. */
const purposeOf = (method_id: string) => `payout method ${method_id}`;

/** Opens the details of a method, or the copy that an attempt to pay has. */
export function openDetails(sealer: Sealer, { method_id, details }: { method_id: string; details: Buffer }): MethodDetails {
  return JSON.parse(sealer.open(details, purposeOf(method_id)));
}

const currentStatement = statement(`
  select m.id, m.kind, m.currencies, m.holder, m.details, m.hint
  from payout_methods m where m.partner_id = $1 and m.ended_at is null`);

/** Where a partner is paid now, null for nowhere. */
export async function currentMethod(db: Queryable, partner_id: string): Promise<PayoutMethod | null> {
  const [method] = await db.query<PayoutMethod>(currentStatement, [partner_id]);
  return method ?? null;
}

const shownStatement = statement(`
  select ${rowJson(PayoutMethodSchema)} as json from payout_methods c where c.partner_id = $1 and c.ended_at is null`);

/** The current method as the API shows it. */
export async function methodJsonOrNull(db: Queryable, partner_id: string): Promise<{ json: string } | null> {
  const [row] = await db.query<{ json: string }>(shownStatement, [partner_id]);
  return row ?? null;
}

const COLUMNS = ["partner_id", "id", "kind", "currencies", "holder", "details", "hint", "created_by", "created_at"] as const;
const insertStatement = statement(`insert into payout_methods ${insertValues(COLUMNS)}`);

type Inserted = { partner_id: string; method: NewMethod; created_by: string };

/** Adds a method of a locked book, with its details sealed. Gives its id. */
export async function insertMethod(tx: Tx, sealer: Sealer, { partner_id, method, created_by }: Inserted): Promise<string> {
  const { kind, currencies, holder, details, hint } = method;
  const id = tx.newId("payout_method");
  const sealed = sealer.seal(JSON.stringify(details), purposeOf(id));
  await tx.query(insertStatement, [partner_id, id, kind, currencies, holder, sealed, hint, created_by, tx.now]);
  return id;
}

const endStatement = statement("update payout_methods set ended_at = $3 where partner_id = $1 and id = $2");

export async function endMethod(tx: Tx, partner_id: string, id: string): Promise<void> {
  await tx.query(endStatement, [partner_id, id, tx.now]);
}
