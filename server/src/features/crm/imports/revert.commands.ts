import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { accountForChange } from "../../accounts/custom-fields/index.ts";
import { takeImages, takeImagesOf } from "../records/index.ts";
import { tell } from "./commands.ts";
import { importableOf } from "./kinds.model.ts";
import { saveStatus } from "./queries.ts";
import { dropBatch, lastBatchOrNull, saveReverted, type WorkedImport } from "./work.queries.ts";

const RESTORED_AT_ONCE = 500;

/** Takes some of an import back: first what it made, the last first, then what it changed. */
export async function revertStep(ctx: Context, tx: Tx, held: WorkedImport): Promise<void> {
  const { partner_id, id } = held;
  const kind = importableOf(held.resource);
  await accountForChange(ctx, tx, held.resource, held.account_id);
  const batch = await lastBatchOrNull(tx, held);
  if (batch !== null) {
    // What the import made and then changed has the version that it left.
    const images = await takeImagesOf(tx, partner_id, id, batch.created);
    const versions = new Map(images.map(({ record_id, version }) => [record_id, version]));
    const records = batch.created.map((record_id) => ({ id: record_id, version: versions.get(record_id) ?? 1 }));
    const removed = (await kind.remove(ctx, tx, records)).length;
    await dropBatch(tx, held, batch.ordinal);
    await saveReverted(tx, held, { removed, restored: 0, kept: records.length - removed });
    return;
  }
  const images = await takeImages(tx, partner_id, id, RESTORED_AT_ONCE);
  if (images.length > 0) {
    const restored = (await kind.restore(ctx, tx, images)).length;
    await saveReverted(tx, held, { removed: 0, restored, kept: images.length - restored });
    return;
  }
  const { removed, restored, kept } = await saveStatus(tx, held, { status: "reverted", finished_at: tx.now });
  tell(tx, "complete_revert", held, { removed, restored, kept });
}
