import { fail, notFound } from "../../../kernel/errors.ts";
import { requestedAccounts } from "../../../kernel/principal.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { accountForChange, accountForNew } from "../../accounts/custom-fields/index.ts";
import { endpointUrl } from "../../outbox/webhooks/index.ts";
import { type Fetched, fetchPage } from "./fetch.commands.ts";
import { ACCOUNT_BYTES_MAX, keyOf, type Language, passagesOf, SOURCES_MAX } from "./model.ts";
import {
  type Content,
  insertSource,
  keysOf,
  type NewSource,
  pageOrNull,
  removeSources,
  type Source,
  type State,
  saveChunks,
  saveFields,
  sourceForUpdateOrNull,
  sourceOrNull,
  sourcesPage,
  wholeSourceOrNull,
} from "./queries.ts";
import { contentOf, textOf } from "./read.commands.ts";
import type { FileQuery, SearchQuery, SourceCreate, SourceListQuery, SourcePatch } from "./schema.ts";
import { searchKnowledge } from "./search/commands.ts";
import { hasRoom, NO_ROOM, nextFetch, storeContent, storeFetched, takeTurnOf } from "./store.commands.ts";

const AUDITED = ["key", "kind", "name", "language", "url", "filename", "bytes"] as const;
const DEFAULT_LANGUAGE: Language = "en";
const NOT_FETCHED: State = { status: "ready", error: null, fetched_at: null, next_fetch_at: null };

/** Adds a text, or a page, which is fetched before. A page that cannot be fetched is there all the same, and tried again. */
export async function createSource(ctx: Context, input: SourceCreate): Promise<Source> {
  const { account_id, kind, name, key, language = DEFAULT_LANGUAGE } = input;
  const given = { kind, name, language, filename: null };
  if (kind === "text") {
    refuseOther("url", input.url, kind);
    const text = input.text ?? refuse("text", "text_missing", "A source of kind text has a text.");
    return addSource(ctx, account_id, key, { ...given, ...NOT_FETCHED, url: null, ...contentOf(text) });
  }
  refuseOther("text", input.text, kind);
  const url = endpointUrl(input.url ?? refuse("url", "url_missing", "A source of kind url has a url."), ctx.settings);
  await ctx.replayed();
  const fetched = await fetchPage(ctx, { url, etag: null, last_modified: null });
  return addSource(ctx, account_id, key, { ...given, url, ...fetchedContent(ctx, fetched) });
}

function fetchedContent(ctx: Context, fetched: Fetched): Content & State {
  const now = ctx.clock.now();
  const failed = "error" in fetched;
  const state = { status: failed ? "failed" : "ready", error: failed ? fetched.error : null } as const;
  const times = { fetched_at: failed ? null : now, next_fetch_at: nextFetch(now, failed) };
  return { ...("content" in fetched ? fetched.content : contentOf("")), ...state, ...times };
}

const FILE = /\.(txt|md|markdown|html?)$/i;

/** Adds a file of text, Markdown or HTML, by its words. */
export async function uploadSource(ctx: Context, query: FileQuery, file: AsyncIterable<Buffer>): Promise<Source> {
  const { filename = "file.txt", account_id, key, name = filename.trim(), language = DEFAULT_LANGUAGE } = query;
  const [, ending = ""] = FILE.exec(filename) ?? [];
  if (ending === "") fail("invalid_parameter", { detail: "The name of the file must end with .txt, .md, .html or .htm." });
  const pieces: Buffer[] = [];
  for await (const piece of file) pieces.push(piece);
  const content = contentOf(await textOf(Buffer.concat(pieces), /^htm/i.test(ending)));
  if (content.text === "") fail("invalid_parameter", { detail: "The file has no text." });
  return addSource(ctx, account_id, key, { kind: "file", name, language, url: null, filename, ...NOT_FETCHED, ...content });
}

type Added = Omit<NewSource, "id" | "account_id" | "key">;

function addSource(ctx: Context, account_id: string | undefined, key: string | undefined, added: Added): Promise<Source> {
  return ctx.tx(async (tx) => {
    const account = await accountForNew(ctx, tx, "contact", account_id);
    await takeTurnOf(tx, account.id);
    const known = await keysOf(tx, ctx.scope, account.id);
    refuseTooMany(known, added.bytes);
    const existing = known.find((one) => one.key === key);
    if (existing !== undefined)
      fail("duplicate_knowledge_source", {
        detail: `Another source has the key ${key}.`,
        meta: { existing_id: existing.id },
      });
    const free = key ?? keyOf(added.name, new Set(known.map((one) => one.key)));
    const source = { ...added, id: tx.newId("knowledge_source"), account_id: account.id, key: free };
    await insertSource(tx, ctx.scope, source);
    await saveChunks(tx, ctx.scope.partner_id, source, passagesOf(source.text));
    const saved = await showSource(ctx, tx, source.id);
    const changes = changesBetween<Partial<Source>>({}, saved, AUDITED);
    record(tx, ctx.scope, [], { action: "knowledge_sources.create", target: saved.id, client_id: account.id, changes });
    return saved;
  });
}

function refuseTooMany(known: readonly { bytes: number }[], more: number): void {
  if (known.length >= SOURCES_MAX)
    fail("knowledge_limit_reached", {
      detail: `An account has at most ${SOURCES_MAX} sources.`,
      meta: { limit: SOURCES_MAX },
    });
  if (known.reduce((sum, { bytes }) => sum + bytes, more) > ACCOUNT_BYTES_MAX) refuseTooMuch();
}

function refuseTooMuch(): never {
  fail("knowledge_limit_reached", { detail: NO_ROOM, meta: { limit: ACCOUNT_BYTES_MAX } });
}

export async function getSource(ctx: Context, id: string): Promise<Source> {
  return (await wholeSourceOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export function listSources(ctx: Context, query: SourceListQuery): Promise<{ json: string }> {
  return sourcesPage(ctx.db, ctx.scope, query);
}

/** Changes a source: its text if it is one, its address if it is a page, which is fetched from there before. */
export async function updateSource(ctx: Context, id: string, { text, ...patch }: SourcePatch): Promise<Source> {
  const known = (await sourceOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
  if (known.kind !== "text") refuseOther("text", text, known.kind);
  if (known.kind !== "url") refuseOther("url", patch.url, known.kind);
  const url = patch.url === undefined ? known.url : endpointUrl(patch.url, ctx.settings);
  const moved = url !== null && url !== known.url;
  if (moved) requireVersion(ctx, known);
  const fetched = moved ? await fetchPage(ctx, { url, etag: null, last_modified: null }) : null;
  return ctx.tx(async (tx) => {
    if (text !== undefined || moved) await takeTurnOf(tx, known.account_id);
    const before = await lockedSource(ctx, tx, id);
    const after = { ...before, ...patch, url: patch.url === undefined ? before.url : url };
    if (after.url !== before.url && fetched === null) refuseMoved();
    const renamed = Object.keys(changesBetween<Source>(before, after, AUDITED)).length > 0;
    const translated = before.language !== after.language;
    const given = text === undefined ? null : contentOf(text);
    const stored = given !== null || translated ? (await wholeSourceOrNull(tx, ctx.scope, id))?.text : undefined;
    const rewritten = given === null || given.text === stored ? null : { ...given, ...NOT_FETCHED };
    const content = fetched === null ? rewritten : fetchedContent(ctx, fetched);
    if (!renamed && content === null) return before;
    if (renamed) await saveFields(tx, ctx.scope, after);
    if (content !== null) {
      if (!(await hasRoom(ctx, tx, before, content))) refuseTooMuch();
      await storeContent(ctx, tx, after, content);
    } else if (translated) await saveChunks(tx, ctx.scope.partner_id, after, passagesOf(stored ?? ""));
    const saved = await showSource(ctx, tx, id);
    const changes = changesBetween<Source>(before, saved, AUDITED);
    record(tx, ctx.scope, [], { action: "knowledge_sources.update", target: id, client_id: before.account_id, changes });
    return saved;
  });
}

/** Another request has moved the page away from where this one takes it to be: the text would be that of the other place. */
function refuseMoved(): never {
  fail("service_unavailable", {
    detail: "The source was moved during the request. Nothing was written: send the request again.",
    headers: { "retry-after": "1" },
  });
}

/** Fetches a page now. */
export async function fetchSource(ctx: Context, id: string): Promise<Source> {
  await ctx.replayed();
  const known = (await sourceOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, known);
  const page = await pageOrNull(ctx.db, ctx.scope, id);
  if (page === null)
    fail("invalid_state_transition", { detail: "Only pages are fetched.", meta: { from: known.kind, allowed: [] } });
  const fetched = await fetchPage(ctx, page);
  return ctx.tx(async (tx) => {
    await takeTurnOf(tx, known.account_id);
    const source = await lockedSource(ctx, tx, id);
    await storeFetched(ctx, tx, source, page.url, fetched);
    record(tx, ctx.scope, [], {
      action: "knowledge_sources.fetch",
      target: id,
      client_id: source.account_id,
      changes: {},
    });
    return showSource(ctx, tx, id);
  });
}

/** Deletes a source with all its passages. Agents that name it find nothing there any more. */
export function deleteSource(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const { account_id, name } = await lockedSource(ctx, tx, id);
    await removeSources(tx, ctx.scope.partner_id, [id]);
    const changes = { name: { from: name, to: null } };
    record(tx, ctx.scope, [], { action: "knowledge_sources.delete", target: id, client_id: account_id, changes });
  });
}

/** What an agent of an account would find. */
export async function search(ctx: Context, { q = "", account_id, key, limit }: SearchQuery): Promise<{ json: string }> {
  const [account = "", ...others] = requestedAccounts(ctx.scope, account_id) ?? [];
  const where = { account_id: others.length > 0 ? "" : account, keys: key ?? null };
  const data = await searchKnowledge(ctx.db, ctx.scope, where, q, limit);
  return { json: JSON.stringify({ data }) };
}

async function showSource(ctx: Context, tx: Tx, id: string): Promise<Source> {
  return (await sourceOrNull(tx, ctx.scope, id)) ?? notFound(id);
}

/** A source of an account that takes changes, at the version that the caller saw. The account is locked first. */
async function lockedSource(ctx: Context, tx: Tx, id: string): Promise<Source> {
  const { account_id } = (await sourceOrNull(tx, ctx.scope, id)) ?? notFound(id);
  await accountForChange(ctx, tx, "contact", account_id);
  const source = (await sourceForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, source);
  return source;
}

function refuse(member: string, code: string, detail: string): never {
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: `#/${member}`, code, detail }] });
}

function refuseOther(member: string, value: unknown, kind: string): void {
  if (value !== undefined) refuse(member, "not_of_kind", `A source of kind ${kind} has no ${member} to set.`);
}
