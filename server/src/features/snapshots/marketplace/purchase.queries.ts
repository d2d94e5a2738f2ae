import { listIdentity } from "../../../kernel/page.ts";
import { columnsOf, placeholders, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, createdWithin, keysetPage, type Place } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Purchase, Role } from "./model.ts";
import { OperatorPurchase, type OperatorPurchaseListQuery } from "./operator.schema.ts";
import { type PurchaseListQuery, Purchase as PurchaseSchema } from "./schema.ts";

const COLUMNS = [
  "id",
  "snapshot_id",
  "snapshot_version",
  "seller_partner_id",
  "buyer_partner_id",
  "price_cents",
  "currency",
  "share_bps",
  "seller_share_cents",
  "created_by",
  "created_at",
  "status",
  "commission_id",
  "completed_at",
  "cancelled_at",
  "version",
] as const satisfies (keyof Purchase)[];

const insertStatement = statement(`
  insert into snapshot_purchases (partner_id, role, ${COLUMNS.join(", ")}) values ($1, $2, ${placeholders(COLUMNS, 3)})
  on conflict (partner_id, snapshot_id) where role = 'buyer' and status <> 'cancelled' do nothing returning id`);

/** Adds the row of one side; false where the buyer has a purchase already. It waits for another transaction that is adding one. */
export async function insertSide(tx: Tx, partner_id: string, role: Role, purchase: Purchase): Promise<boolean> {
  return (await tx.query(insertStatement, [partner_id, role, ...valuesOf(purchase, COLUMNS)])).length > 0;
}

const existingStatement = statement(`
  select u.id from snapshot_purchases u
  where u.partner_id = $1 and u.snapshot_id = $2 and u.role = 'buyer' and u.status <> 'cancelled'`);

/** The purchase of a snapshot by a buyer. */
export async function purchaseOfOrNull(tx: Tx, partner_id: string, snapshot_id: string): Promise<string | null> {
  return (await tx.query<{ id: string }>(existingStatement, [partner_id, snapshot_id]))[0]?.id ?? null;
}

/** All partners: the operator names a purchase without its partners. */
const sidesStatement = statement("select u.partner_id from snapshot_purchases u where u.id = $1 order by u.partner_id");
const lockStatement = statement(`
  select ${columnsOf("u", COLUMNS)} from snapshot_purchases u where u.partner_id = $1 and u.id = $2 for no key update`);

/** A purchase as its buyer has it, with the rows of both sides locked in the order of the partners' ids. */
export async function purchaseForUpdateOrNull(tx: Tx, id: string): Promise<Purchase | null> {
  const sides = await tx.query<{ partner_id: string }>(sidesStatement, [id]);
  const rows = await Promise.all(sides.map(({ partner_id }) => tx.query<Purchase>(lockStatement, [partner_id, id])));
  return rows.flat().find(({ buyer_partner_id }, index) => buyer_partner_id === sides[index]?.partner_id) ?? null;
}

const saveStatement = statement(`
  update snapshot_purchases set status = $3, commission_id = $4, completed_at = $5, cancelled_at = $6, version = $7
  where partner_id = $1 and id = $2`);

/** Saves both rows of a locked purchase. */
export async function savePurchase(tx: Tx, purchase: Purchase): Promise<void> {
  const values = valuesOf(purchase, ["id", "status", "commission_id", "completed_at", "cancelled_at", "version"]);
  const sides = [purchase.buyer_partner_id, purchase.seller_partner_id];
  await Promise.all(sides.map((partner_id) => tx.query(saveStatement, [partner_id, ...values])));
}

const companyOf = (column: string) => `(select p.company from partners p where p.id = c.${column})`;
const MEMBERS = {
  snapshot_name: "(select l.name from snapshot_listings l where l.id = c.snapshot_id)",
  seller_company: companyOf("seller_partner_id"),
};
/** The seller does not learn who bought, nor the buyer what became of the seller's commission. */
const PARTNER_JSON = rowJson(PurchaseSchema, { ...MEMBERS, commission_id: "case c.role when 'seller' then c.commission_id end" });
const OPERATOR_JSON = rowJson(OperatorPurchase, { ...MEMBERS, buyer_company: companyOf("buyer_partner_id") });

type Shown = { version: number; json: string };

const ofPartnerStatement = statement(`
  select c.version, ${PARTNER_JSON} as json from snapshot_purchases c where c.partner_id = $1 and c.id = $2`);
/** All partners: the operator names a purchase without its partners. */
const buyerStatement = statement("select u.partner_id from snapshot_purchases u where u.id = $1 and u.role = 'buyer'");
const ofOperatorStatement = statement(`
  select c.version, ${OPERATOR_JSON} as json from snapshot_purchases c where c.partner_id = $1 and c.id = $2`);

/** A purchase as one of its sides sees it. */
export async function purchaseOrNull(db: Queryable, partner_id: string, id: string): Promise<Shown | null> {
  return (await db.query<Shown>(ofPartnerStatement, [partner_id, id]))[0] ?? null;
}

/** A purchase as the operator sees it. */
export async function anyPurchaseOrNull(db: Queryable, id: string): Promise<Shown | null> {
  const [buyer] = await db.query<{ partner_id: string }>(buyerStatement, [id]);
  return buyer === undefined ? null : ((await db.query<Shown>(ofOperatorStatement, [buyer.partner_id, id]))[0] ?? null);
}

function conditionsOf(filter: PurchaseListQuery, place: Place): string[] {
  const { role, status, snapshot_id } = filter;
  return [
    ...createdWithin("purchase", filter, place),
    ...(role === undefined ? [] : [`c.role = ${place(role)}`]),
    ...(status === undefined ? [] : [anyOf("c.status", status, place)]),
    ...(snapshot_id === undefined ? [] : [`c.snapshot_id = ${place(snapshot_id)}`]),
  ];
}

/** What a partner bought and sold, newest first. */
export function purchasesPage(db: Queryable, partner_id: string, query: PurchaseListQuery): Promise<{ json: string }> {
  const { limit: _, cursor: __, ...filter } = query;
  const list = listIdentity("purchases", filter);
  const shown = { list, table: "snapshot_purchases", json: PARTNER_JSON, sort: byCreation(true) };
  return keysetPage(db, partner_id, { ...shown, conditions: (place) => conditionsOf(filter, place) }, query);
}

/** All partners: the operator's list; once per page that a person opens. */
export function allPurchasesPage(db: Queryable, query: OperatorPurchaseListQuery): Promise<{ json: string }> {
  const { limit: _, cursor: __, partner_id, ...filter } = query;
  const list = listIdentity("all-purchases", { partner_id, ...filter });
  const shown = { list, table: "snapshot_purchases", json: OPERATOR_JSON, sort: byCreation(true) };
  const conditions = (place: Place) => conditionsOf({ ...filter, role: "buyer" }, place);
  if (partner_id !== undefined) return keysetPage(db, partner_id, { ...shown, conditions }, query);
  return keysetPage(db, null, { ...shown, all_partners: true, conditions }, query);
}
