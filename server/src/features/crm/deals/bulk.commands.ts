import { compile } from "../../../platform/http/validation.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Bulk } from "../records/index.ts";
import { addDeal, changeDeal, removeDeal } from "./commands.ts";
import { type Deal, isSale } from "./model.ts";
import { dealsForUpdate } from "./queries.ts";
import { DealCreate, DealPatch } from "./schema.ts";

/** Only a sale needs a savepoint: every other refusal comes before the first write. */
function undoable<T>(tx: Tx, sale: boolean, write: () => Promise<T>): Promise<T> {
  return sale ? tx.savepoint(write) : write();
}

/** A sale may be refused after it was written, because another deal or client has its company. Only that sale is then rolled back. */
export const dealBulk: Bulk<Deal> = {
  kind: "deal",
  many: "deals",
  ids: "deal_ids",
  checkCreate: compile(DealCreate, "body"),
  checkPatch: compile(DealPatch, "body"),
  lock: (ctx, tx, ids) => dealsForUpdate(tx, ctx.scope, ids),
  add: (ctx, tx, account, item) =>
    undoable(tx, isSale(account, item as DealCreate), () => addDeal(ctx, tx, account, item as DealCreate)),
  change: (ctx, tx, account, before, patch) => undoable(tx, before.sale, () => changeDeal(ctx, tx, account, before, patch)),
  remove: removeDeal,
};
