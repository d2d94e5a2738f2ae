import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { accountForChange } from "../../accounts/custom-fields/index.ts";
import { takeImages, takeImagesOf } from "../records/index.ts";
import { recordAction } from "./commands.ts";
import { importableOf } from "./importables.model.ts";
import { saveStatus } from "./queries.ts";
import { type ActiveImport, deleteBatch, lastBatchOrNull, type RevertCounts, saveRevertProgress } from "./step.queries.ts";

const RESTORED_PER_STEP = 500;

/** Reverts a part of an import: first the records that it created, the latest batch first, then those that it updated. */
export async function revertStep(ctx: Context, tx: Tx, active: ActiveImport): Promise<void> {
  await accountForChange(ctx, tx, active.resource, active.account_id);
  const counts = (await removeBatch(ctx, tx, active)) ?? (await restoreImages(ctx, tx, active));
  if (counts !== null) return saveRevertProgress(tx, active, counts, tx.now);
  const { removed, restored, kept } = await saveStatus(tx, active, { status: "reverted", finished_at: tx.now });
  recordAction(tx, "complete_revert", active, { removed, restored, kept });
}

async function removeBatch(ctx: Context, tx: Tx, active: ActiveImport): Promise<RevertCounts | null> {
  const batch = await lastBatchOrNull(tx, active);
  if (batch === null) return null;
  // A record that the import created and then updated has the version of its image.
  const images = await takeImagesOf(tx, active.partner_id, active.id, batch.created);
  const versions = new Map(images.map(({ record_id, version }) => [record_id, version]));
  const records = batch.created.map((id) => ({ id, version: versions.get(id) ?? 1 }));
  const removed = (await importableOf(active.resource).remove(ctx, tx, records)).length;
  await deleteBatch(tx, active, batch.ordinal);
  return { removed, restored: 0, kept: records.length - removed };
}

async function restoreImages(ctx: Context, tx: Tx, active: ActiveImport): Promise<RevertCounts | null> {
  const images = await takeImages(tx, active.partner_id, active.id, RESTORED_PER_STEP);
  if (images.length === 0) return null;
  const restored = (await importableOf(active.resource).restore(ctx, tx, images)).length;
  return { removed: 0, restored, kept: images.length - restored };
}
