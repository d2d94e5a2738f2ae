import { createHash } from "node:crypto";
import { fail, notFound } from "../../../../kernel/errors.ts";
import { newId } from "../../../../kernel/ids.ts";
import { takeTurn } from "../../../../platform/db/turn.ts";
import type { Result } from "../../../../platform/http/route.ts";
import type { Context, Services } from "../../../../platform/record/context.ts";
import { record, type Tx } from "../../../../platform/record/tx.ts";
import { accountForNew } from "../../../accounts/custom-fields/index.ts";
import { refuseMember } from "../change.commands.ts";
import { type FileLink, isFileLink } from "./link.model.ts";
import { ACCOUNT_BYTES_MAX, chunksOf, fileHeaders, linkedFileHeaders } from "./model.ts";
import {
  type AttachedFile,
  type AttachmentRow,
  attachmentOrNull,
  attachmentsOf,
  bytesUsed,
  claimAttachments,
  copyAttachment,
  deleteAttachments,
  insertAttachment,
  insertChunk,
  readChunks,
} from "./queries.ts";
import type { UploadQuery } from "./schema.ts";

/** Stores a file. Its bytes are stored outside of a transaction, so that a slow upload holds no locks. */
export async function uploadAttachment(
  ctx: Context,
  { filename = "file", media_type = "application/octet-stream", account_id }: UploadQuery,
  source: AsyncIterable<Buffer>,
): Promise<AttachmentRow> {
  const { partner_id } = ctx.scope;
  const id = newId("attachment", ctx.clock.now().getTime());
  const hash = createHash("sha256");
  let [bytes, number] = [0, 0];
  try {
    for await (const chunk of chunksOf(source)) {
      hash.update(chunk);
      bytes += chunk.length;
      await insertChunk(ctx.db, partner_id, id, number++, chunk);
    }
    if (bytes === 0) fail("invalid_parameter", { detail: "The file is empty." });
    return await ctx.tx(async (tx) => {
      const account = await accountForNew(ctx, tx, "contact", account_id);
      await requireRoom(ctx, tx, account.id, bytes);
      const file = { id, account_id: account.id, message_id: null, position: 0, name: filename, media_type, bytes };
      const made = await insertAttachment(tx, ctx.scope, { ...file, sha256: hash.digest() });
      record(tx, ctx.scope, [], { action: "attachments.create", target: id, client_id: account.id });
      return made;
    });
  } catch (error) {
    await deleteAttachments(ctx.db, partner_id, [id]);
    throw error;
  }
}

async function requireRoom(ctx: Context, tx: Tx, account_id: string, bytes: number): Promise<void> {
  await takeTurn(tx, `attachments of ${account_id}`);
  if ((await bytesUsed(tx, ctx.scope, account_id)) + bytes <= ACCOUNT_BYTES_MAX) return;
  fail("storage_limit_reached", { meta: { limit_bytes: ACCOUNT_BYTES_MAX } });
}

/** Streams a file under headers that let a browser run nothing of it. */
export async function downloadAttachment(ctx: Context, id: string): Promise<Result> {
  const file = (await attachmentOrNull(ctx.db, ctx.scope, id)) ?? notFound(id);
  const headers = { ...fileHeaders(file), "content-length": String(file.bytes) };
  return { json: "", headers, pieces: () => readChunks(ctx.db, ctx.scope.partner_id, id) };
}

/** The file that a link leads to; null where the link is forged or too old, or the file is gone. */
export async function openLinkedFile({ db, signer, clock }: Services, link: FileLink) {
  if (!isFileLink(signer, link, clock.now())) return null;
  const { partner_id, id } = link;
  const file = await attachmentOrNull(db, { partner_id, clients: "all" }, id);
  if (file === null) return null;
  const headers = { ...linkedFileHeaders(file), "content-length": String(file.bytes) };
  return { headers, pieces: () => readChunks(db, partner_id, id) };
}

/** Gives files to a message that is being written, in their order. */
export async function attach(
  ctx: Context,
  tx: Tx,
  account_id: string,
  message_id: string,
  ids: readonly string[],
): Promise<AttachedFile[]> {
  const claimed = await claimAttachments(tx, ctx.scope, account_id, message_id, ids);
  const unknown = ids.find((id) => !claimed.some((file) => file.id === id));
  if (unknown === undefined) return claimed.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  return refuseMember(
    "attachment_ids",
    "unknown_attachment",
    `${unknown} was not found in the account, or another message has it.`,
  );
}

/** Copies the files of a message, for another one. */
export async function copyAttachments(ctx: Context, tx: Tx, account_id: string, message_id: string): Promise<string[]> {
  const copies: string[] = [];
  const files = await attachmentsOf(tx, ctx.scope, message_id);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > 0) await requireRoom(ctx, tx, account_id, bytes);
  for (const { id } of files) copies.push(await copyAttachment(tx, ctx.scope, id));
  return copies;
}

/** A file that came with a message. */
export type ReceivedFile = { name: string; media_type: string; bytes: Buffer };

/** Stores the files of a message that came in, as far as the account has room. Returns how many did not fit. */
export async function storeReceived(
  ctx: Context,
  tx: Tx,
  account_id: string,
  message_id: string,
  files: readonly ReceivedFile[],
  bytes_max: number,
): Promise<number> {
  if (files.length === 0) return 0;
  await takeTurn(tx, `attachments of ${account_id}`);
  let room = ACCOUNT_BYTES_MAX - (await bytesUsed(tx, ctx.scope, account_id));
  let dropped = 0;
  for (const [position, { name, media_type, bytes }] of files.entries()) {
    if (bytes.length > Math.min(room, bytes_max)) {
      dropped += 1;
      continue;
    }
    room -= bytes.length;
    const id = tx.newId("attachment");
    let number = 0;
    for await (const chunk of chunksOf([bytes])) await insertChunk(tx, ctx.scope.partner_id, id, number++, chunk);
    const sha256 = createHash("sha256").update(bytes).digest();
    await insertAttachment(tx, ctx.scope, {
      id,
      account_id,
      message_id,
      position,
      name,
      media_type,
      bytes: bytes.length,
      sha256,
    });
  }
  return dropped;
}
