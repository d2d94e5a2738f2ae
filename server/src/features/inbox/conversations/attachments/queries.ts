import { boundClients, type TenantScope } from "../../../../kernel/principal.ts";
import { insertValues, rowJson, valuesOf } from "../../../../platform/db/columns.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { Attachment as AttachmentSchema } from "./schema.ts";

const ATTACHMENT_JSON = rowJson(AttachmentSchema, { sha256: "encode(c.sha256, 'hex')" });

export type NewAttachment = {
  id: string;
  account_id: string;
  message_id: string | null;
  position: number;
  name: string;
  media_type: string;
  bytes: number;
  sha256: Buffer;
};
export type AttachmentRow = Omit<NewAttachment, "sha256" | "position"> & { json: string };

const ATTACHMENT = `c.id, c.account_id, c.message_id, c.name, c.media_type, c.bytes, ${ATTACHMENT_JSON} as json`;
const INSERTED = [
  "partner_id",
  "id",
  "account_id",
  "message_id",
  "position",
  "name",
  "media_type",
  "bytes",
  "sha256",
  "created_at",
] as const;
const insertStatement = statement(`
  with c as (insert into attachments ${insertValues(INSERTED)} returning *)
  select ${ATTACHMENT} from c`);

/** Adds a file whose chunks are stored. */
export async function insertAttachment(tx: Tx, { partner_id }: Pick<TenantScope, "partner_id">, attachment: NewAttachment) {
  const values = valuesOf({ ...attachment, partner_id, created_at: tx.now }, INSERTED);
  const [row] = await tx.query<AttachmentRow>(insertStatement, values);
  if (row === undefined) throw new Error("the attachment was not inserted");
  return row;
}

const chunkStatement = statement(`
  insert into attachment_chunks (partner_id, attachment_id, number, bytes) values ($1, $2, $3, $4)`);

export async function insertChunk(db: Queryable, partner_id: string, id: string, number: number, bytes: Buffer): Promise<void> {
  await db.query(chunkStatement, [partner_id, id, number, bytes]);
}

const readStatement = statement(`
  select c.bytes from attachment_chunks c where c.partner_id = $1 and c.attachment_id = $2 and c.number = $3`);

/** The bytes of a file, chunk by chunk. */
export async function* readChunks(db: Queryable, partner_id: string, id: string): AsyncGenerator<Buffer, void> {
  for (let number = 0; ; number += 1) {
    const [row] = await db.query<{ bytes: Buffer }>(readStatement, [partner_id, id, number]);
    if (row === undefined) return;
    yield row.bytes;
  }
}

const byId = statement(`
  select ${ATTACHMENT} from attachments c
  where c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3))`);

/** A file that the caller may see. */
export async function attachmentOrNull(db: Queryable, scope: TenantScope, id: string): Promise<AttachmentRow | null> {
  const [row] = await db.query<AttachmentRow>(byId, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

const ofMessage = statement(`
  select ${ATTACHMENT} from attachments c where c.partner_id = $1 and c.message_id = $2 order by c.position`);

/** The files of a message, in their order. */
export function attachmentsOf(db: Queryable, { partner_id }: Pick<TenantScope, "partner_id">, message_id: string) {
  return db.query<AttachmentRow>(ofMessage, [partner_id, message_id]);
}

const claimStatement = statement(`
  update attachments set message_id = $3, position = array_position($4::text[], id)
  where partner_id = $1 and account_id = $2 and id = any ($4) and message_id is null
  returning id, name, media_type, bytes`);

/** A file as its message shows it. */
export type AttachedFile = Pick<AttachmentRow, "id" | "name" | "media_type" | "bytes">;

/** Gives unused files of an account to a message. Returns those that it got. */
export async function claimAttachments(
  tx: Queryable,
  { partner_id }: TenantScope,
  account_id: string,
  message_id: string,
  ids: readonly string[],
): Promise<AttachedFile[]> {
  return tx.query<AttachedFile>(claimStatement, [partner_id, account_id, message_id, ids]);
}

const copyRow = statement(`
  insert into attachments (partner_id, id, account_id, position, name, media_type, bytes, sha256, created_at)
  select $1, $3, c.account_id, c.position, c.name, c.media_type, c.bytes, c.sha256, $4
  from attachments c where c.partner_id = $1 and c.id = $2`);
const copyChunks = statement(`
  insert into attachment_chunks (partner_id, attachment_id, number, bytes)
  select $1, $3, c.number, c.bytes from attachment_chunks c where c.partner_id = $1 and c.attachment_id = $2`);

/** Copies a file, for a message of its own. */
export async function copyAttachment(tx: Tx, { partner_id }: TenantScope, id: string): Promise<string> {
  const copy_id = tx.newId("attachment");
  await tx.query(copyRow, [partner_id, id, copy_id, tx.now]);
  await tx.query(copyChunks, [partner_id, id, copy_id]);
  return copy_id;
}

const usedStatement = statement(`
  select coalesce(sum(c.bytes), 0)::bigint as bytes from attachments c where c.partner_id = $1 and c.account_id = $2`);

/** How many bytes the files of an account have. */
export async function bytesUsed(
  db: Queryable,
  { partner_id }: Pick<TenantScope, "partner_id">,
  account_id: string,
): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(usedStatement, [partner_id, account_id]);
  return Number(row?.bytes ?? 0);
}

const deleteChunksStatement = statement("delete from attachment_chunks where partner_id = $1 and attachment_id = any ($2)");
const deleteStatement = statement("delete from attachments where partner_id = $1 and id = any ($2)");

/** Deletes files. The rows come last, so that an interrupted run is repeated. */
export async function deleteAttachments(db: Queryable, partner_id: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.query(deleteChunksStatement, [partner_id, ids]);
  await db.query(deleteStatement, [partner_id, ids]);
}

const unusedStatement = statement(`
  -- all partners: retention, hourly.
  select partner_id, array_agg(id) as ids from (
    select partner_id, id from attachments
    where message_id is null and created_at < least($1::timestamptz, now() - make_interval(days => 1)) limit $2) c
  group by partner_id`);

/** Files that no message has used since a time, by partner. The clock of the database is compared too. */
export function unusedBefore(db: Queryable, before: Date, limit: number): Promise<{ partner_id: string; ids: string[] }[]> {
  return db.query(unusedStatement, [before, limit]);
}

const orphansStatement = statement(`
  -- all partners: retention, hourly.
  select c.partner_id, array_agg(distinct c.attachment_id) as ids from attachment_chunks c
  where c.number = 0 and c.attachment_id < least($1, first_id_at('att', now() - make_interval(days => 1))) and not exists (
    select from attachments a where a.partner_id = c.partner_id and a.id = c.attachment_id)
  group by c.partner_id`);

/** Files whose upload was not completed, by partner. */
export function orphanedBefore(db: Queryable, before_id: string): Promise<{ partner_id: string; ids: string[] }[]> {
  return db.query(orphansStatement, [before_id]);
}
