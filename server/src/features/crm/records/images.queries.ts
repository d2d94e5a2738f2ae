import { recordset } from "../../../platform/db/recordset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";

/** A record before a change that can be undone, and its version after that change. */
export type RecordImage = { record_id: string; version: number; before: object };

/**
 * The first image of a source stays: an undo restores the state before all of its changes. Where another write came between them, the
 * version stays too, so that the undo keeps that write.
 */
const keepStatement = statement(`
  insert into record_images as i (partner_id, source_id, record_id, version, before)
  select $1, $2, v.record_id, v.version, v.before from ${recordset("$3", { record_id: "text", version: "int", before: "jsonb" })}
  on conflict (partner_id, source_id, record_id) do update set version = excluded.version where i.version = excluded.version - 1`);

/** Keeps the images of the records that a source (an import, a lead) has changed: one for each record. */
export async function keepImages(
  tx: Queryable,
  partner_id: string,
  source_id: string,
  images: readonly RecordImage[],
): Promise<void> {
  const last = new Map(images.map((image) => [image.record_id, image.version]));
  const first = new Map(images.toReversed().map((image) => [image.record_id, image]));
  const kept = [...first.values()].map((image) => ({ ...image, version: last.get(image.record_id) }));
  if (kept.length > 0) await tx.query(keepStatement, [partner_id, source_id, JSON.stringify(kept)]);
}

const ofRecords = statement(`
  delete from record_images where partner_id = $1 and source_id = $2 and record_id = any ($3) returning record_id, version, before`);

/** Deletes and returns the images of some records. */
export function takeImagesOf(
  tx: Queryable,
  partner_id: string,
  source_id: string,
  record_ids: readonly string[],
): Promise<RecordImage[]> {
  return tx.query<RecordImage>(ofRecords, [partner_id, source_id, record_ids]);
}

const takeStatement = statement(`
  delete from record_images where partner_id = $1 and source_id = $2 and record_id = any (array(
    select record_id from record_images where partner_id = $1 and source_id = $2 order by record_id limit $3))
  returning record_id, version, before`);

/** Deletes and returns the next images of a source. */
export function takeImages(tx: Queryable, partner_id: string, source_id: string, limit: number): Promise<RecordImage[]> {
  return tx.query<RecordImage>(takeStatement, [partner_id, source_id, limit]);
}

const dropStatement = statement("delete from record_images where partner_id = $1 and source_id = $2");

export async function dropImages(tx: Queryable, partner_id: string, source_id: string): Promise<void> {
  await tx.query(dropStatement, [partner_id, source_id]);
}

const eraseStatement = statement("delete from record_images where partner_id = $1 and record_id = any ($2)");

/** Deletes all images of some records, of every source. */
export async function eraseImages(tx: Queryable, partner_id: string, record_ids: readonly string[]): Promise<void> {
  await tx.query(eraseStatement, [partner_id, record_ids]);
}
