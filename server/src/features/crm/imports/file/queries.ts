import { type Queryable, statement } from "../../../../platform/db/statement.ts";

export const CHUNK_BYTES = 256 * 1024;
/** How much of a chunk is read at a time: a step needs less than a whole one. */
const SLICE_BYTES = 64 * 1024;

export type FileOf = { partner_id: string; import_id: string };

const insertStatement = statement("insert into import_chunks (partner_id, import_id, ordinal, data) values ($1, $2, $3, $4)");

export async function insertChunk(
  db: Queryable,
  { partner_id, import_id }: FileOf,
  ordinal: number,
  data: Buffer,
): Promise<void> {
  await db.query(insertStatement, [partner_id, import_id, ordinal, data]);
}

const sliceStatement = statement(`
  select substring(data from $4 for $5) as data from import_chunks where partner_id = $1 and import_id = $2 and ordinal = $3`);

/** The bytes of a file from a place on, in pieces. */
export async function* fileFrom(db: Queryable, { partner_id, import_id }: FileOf, place: number): AsyncGenerator<Buffer, void> {
  for (let at = place; ; ) {
    const within = at % CHUNK_BYTES;
    const values = [partner_id, import_id, Math.floor(at / CHUNK_BYTES), within + 1, SLICE_BYTES];
    const [row] = await db.query<{ data: Buffer }>(sliceStatement, values);
    if (row === undefined || row.data.length === 0) return;
    yield row.data;
    at += row.data.length;
  }
}

const dropStatement = statement("delete from import_chunks where partner_id = $1 and import_id = $2");

export async function dropChunks(db: Queryable, { partner_id, import_id }: FileOf): Promise<void> {
  await db.query(dropStatement, [partner_id, import_id]);
}

const strayStatement = statement(`
  delete from import_chunks c
  where c.import_id < least($1, first_id_at('imp', now() - make_interval(days => 1))) and not exists (
    select from imports i where i.partner_id = c.partner_id and i.id = c.import_id)`);

/** Takes away files that were never whole; the database's clock has a say, so that one that runs ahead takes nothing. */
export async function dropStrayChunks(db: Queryable, before_id: string): Promise<void> {
  await db.query(strayStatement, [before_id]);
}
