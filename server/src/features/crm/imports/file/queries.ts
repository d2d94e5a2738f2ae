import { type Queryable, statement } from "../../../../platform/db/statement.ts";

export const CHUNK_BYTES = 256 * 1024;
/** How much of a chunk is read at once: a step needs less than a whole chunk. */
const SLICE_BYTES = 64 * 1024;

export type FileId = { partner_id: string; import_id: string };

const insertStatement = statement("insert into import_chunks (partner_id, import_id, ordinal, data) values ($1, $2, $3, $4)");

export async function insertChunk(
  db: Queryable,
  { partner_id, import_id }: FileId,
  ordinal: number,
  data: Buffer,
): Promise<void> {
  await db.query(insertStatement, [partner_id, import_id, ordinal, data]);
}

const sliceStatement = statement(`
  select substring(data from $4 for $5) as data from import_chunks where partner_id = $1 and import_id = $2 and ordinal = $3`);

/** The bytes of a file from an offset, slice by slice. */
export async function* readFrom(db: Queryable, { partner_id, import_id }: FileId, offset: number): AsyncGenerator<Buffer, void> {
  for (let at = offset; ; ) {
    const values = [partner_id, import_id, Math.floor(at / CHUNK_BYTES), (at % CHUNK_BYTES) + 1, SLICE_BYTES];
    const [row] = await db.query<{ data: Buffer }>(sliceStatement, values);
    if (row === undefined || row.data.length === 0) return;
    yield row.data;
    at += row.data.length;
  }
}

const deleteStatement = statement("delete from import_chunks where partner_id = $1 and import_id = $2");

export async function deleteChunks(db: Queryable, { partner_id, import_id }: FileId): Promise<void> {
  await db.query(deleteStatement, [partner_id, import_id]);
}

const orphansStatement = statement(`
  -- all partners: retention, once a day.
  select distinct c.partner_id, c.import_id from import_chunks c
  where c.import_id < least($1, first_id_at('imp', now() - make_interval(days => 1))) and not exists (
    select from imports i where i.partner_id = c.partner_id and i.id = c.import_id)`);

/** Deletes the chunks of uploads that were not completed. The database's clock is checked too: a service clock that runs ahead deletes nothing. */
export async function deleteOrphanedChunks(db: Queryable, before_id: string): Promise<void> {
  for (const file of await db.query<FileId>(orphansStatement, [before_id])) await deleteChunks(db, file);
}
