import { fail, notFound } from "../../../kernel/errors.ts";
import { shareDown } from "../../../kernel/money.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { accruePurchase, Journal } from "../../money/commissions/index.ts";
import { grantLicence } from "../catalogue/index.ts";
import { snapshotPurchased } from "./events.ts";
import { marketplaceSettings, offerForShareOrNull, textsOf } from "./listing.queries.ts";
import { type Listing, type Purchase, type PurchaseStatus, requireDue } from "./model.ts";
import {
  anyPurchaseOrNull,
  insertSide,
  purchaseForUpdateOrNull,
  purchaseOfOrNull,
  purchaseOrNull,
  savePurchase,
} from "./purchase.queries.ts";
import type { PurchaseCreate } from "./schema.ts";

export async function getPurchase({ db, scope }: Context, id: string) {
  return (await purchaseOrNull(db.byKey, scope.partner_id, id)) ?? notFound(id);
}

export async function getAnyPurchase({ db }: Context, id: string) {
  return (await anyPurchaseOrNull(db.byKey, id)) ?? notFound(id);
}

/** Buys a snapshot that is offered. What is free is the partner's at once; anything else is due until the operator has its price. */
export function buySnapshot(ctx: Context, snapshot_id: string, seen: PurchaseCreate) {
  const { partner_id } = ctx.scope;
  return ctx.tx(async (tx) => {
    const [offer, settings] = await Promise.all([offerForShareOrNull(tx, partner_id, snapshot_id), marketplaceSettings(tx)]);
    if (offer === null) notFound(snapshot_id);
    if (offer.seller_partner_id === partner_id) fail("own_snapshot");
    requirePrice(offer, seen);
    const purchase = newPurchase(ctx, tx, offer, settings.marketplace_share_bps);
    await insertSides(tx, purchase);
    tellSides(tx, purchase, "purchases.create", null, "buyer");
    if (purchase.status === "completed") await handOver(tx, purchase);
    return { id: purchase.id, ...((await purchaseOrNull(tx, partner_id, purchase.id)) ?? notFound(purchase.id)) };
  });
}

function requirePrice({ price_cents, currency }: Listing, seen: PurchaseCreate): void {
  if ((seen.price_cents ?? price_cents) === price_cents && (seen.currency ?? currency) === currency) return;
  fail("price_changed", { detail: `The price is now ${price_cents} ${currency}.`, meta: { price_cents, currency } });
}

function newPurchase(ctx: Context, tx: Tx, offer: Listing, share_bps: number): Purchase {
  const { id, seller_partner_id, listed_version, price_cents, currency } = offer;
  const free = price_cents === 0;
  return {
    id: tx.newId("purchase"),
    snapshot_id: id,
    snapshot_version: listed_version ?? 0,
    seller_partner_id,
    buyer_partner_id: ctx.scope.partner_id,
    price_cents,
    currency,
    share_bps,
    seller_share_cents: shareDown(price_cents, share_bps),
    created_by: actorOf(ctx.principal).id,
    created_at: tx.now,
    status: free ? "completed" : "due",
    commission_id: null,
    completed_at: free ? tx.now : null,
    cancelled_at: null,
    version: 1,
  };
}

/** Adds the rows of both sides, the buyer's first: it is the one that there can be only once. The seller does not learn who bought. */
async function insertSides(tx: Tx, purchase: Purchase): Promise<void> {
  const { buyer_partner_id, seller_partner_id, snapshot_id } = purchase;
  if (!(await insertSide(tx, buyer_partner_id, "buyer", purchase)))
    fail("duplicate_purchase", { meta: { existing_id: await purchaseOfOrNull(tx, buyer_partner_id, snapshot_id) } });
  await insertSide(tx, seller_partner_id, "seller", { ...purchase, created_by: "system" });
}

/** Gives the snapshot to its buyer, and tells both sides. */
async function handOver(tx: Tx, purchase: Purchase): Promise<void> {
  const { created_by, buyer_partner_id, seller_partner_id, snapshot_id, snapshot_version, currency } = purchase;
  const licence = { created_by, buyer_partner_id, seller_partner_id, snapshot_id, snapshot_version, currency };
  await grantLicence(tx, { ...licence, ...(await textsOf(tx, snapshot_id)) });
  tx.tell(buyer_partner_id, { events: [snapshotPurchased(purchase, "buyer")] });
  tx.tell(seller_partner_id, { events: [snapshotPurchased(purchase, "seller")] });
}

/** Who does something to a purchase. What the buyer did has no name at the seller's. */
type By = "buyer" | "operator";

/** Records what happened to a purchase in the audit logs of both sides. */
function tellSides(tx: Tx, purchase: Purchase, action: string, from: PurchaseStatus | null, by: By): void {
  const { id: target, buyer_partner_id, seller_partner_id, status: to, price_cents, currency } = purchase;
  const terms = from === null ? { price_cents: { from, to: price_cents }, currency: { from, to: currency } } : {};
  const entry = { action, target, client_id: null, changes: { status: { from, to }, ...terms } };
  tx.tell(buyer_partner_id, { audits: [entry] });
  tx.tell(seller_partner_id, { audits: [by === "buyer" ? { ...entry, unnamed: true } : entry] });
}

/** Completes a purchase whose price the operator has: the buyer gets the snapshot, the seller its share. Repeating it changes nothing. */
export function completePurchase(ctx: Context, id: string) {
  return change(ctx, id, "completed", async (tx, due) => {
    const { seller_partner_id } = due;
    const journal = await Journal.open(ctx, tx, [seller_partner_id]);
    const commission = await accruePurchase(journal, due);
    const paid = { status: "completed", completed_at: tx.now, commission_id: commission?.id ?? null } as const;
    const completed = await move(tx, due, paid, "operator");
    await handOver(tx, completed);
    await journal.save();
    journal.tell();
  });
}

/** Cancels a purchase that is due: the snapshot can be bought again. Repeating it changes nothing. */
export function cancelPurchase(ctx: Context, id: string) {
  return change(ctx, id, "cancelled", (tx, due) => cancel(tx, due, "operator"));
}

/** The same by the buyer, who no longer wants it. */
export function cancelOwnPurchase(ctx: Context, id: string) {
  const { partner_id } = ctx.scope;
  return ctx.tx(async (tx) => {
    const before = await purchaseForUpdateOrNull(tx, id);
    if (before?.buyer_partner_id !== partner_id) return notFound(id);
    requireVersion(ctx, before);
    if (before.status !== "cancelled") {
      requireDue(before, "cancelled");
      await cancel(tx, before, "buyer");
    }
    return (await purchaseOrNull(tx, partner_id, id)) ?? notFound(id);
  });
}

async function cancel(tx: Tx, due: Purchase, by: By): Promise<void> {
  await move(tx, due, { status: "cancelled", cancelled_at: tx.now }, by);
}

/** Changes a purchase that is due, at the expected version, with both sides locked. */
function change(ctx: Context, id: string, to: "completed" | "cancelled", act: (tx: Tx, due: Purchase) => Promise<void>) {
  return ctx.tx(async (tx) => {
    const before = (await purchaseForUpdateOrNull(tx, id)) ?? notFound(id);
    requireVersion(ctx, before);
    if (before.status !== to) {
      requireDue(before, to);
      await act(tx, before);
    }
    return { id, ...((await anyPurchaseOrNull(tx, id)) ?? notFound(id)) };
  });
}

async function move(
  tx: Tx,
  before: Purchase,
  to: Partial<Purchase> & { status: "completed" | "cancelled" },
  by: By,
): Promise<Purchase> {
  const after = { ...before, ...to, version: before.version + 1 };
  await savePurchase(tx, after);
  const action = to.status === "completed" ? "purchases.complete" : "purchases.cancel";
  tellSides(tx, after, action, before.status, by);
  return after;
}
