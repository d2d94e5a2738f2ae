import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { assignments, insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { pollStatement, type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Passage } from "./model.ts";
import { type SourceListQuery, Source as SourceSchema, type SourceShown, SourceWhole } from "./schema.ts";

type Whose = Pick<TenantScope, "partner_id">;

const chunks = "(select count(*)::int from knowledge_chunks k where k.partner_id = $1 and k.source_id = c.id)";
const SOURCE_JSON = rowJson(SourceSchema, { chunks });
const WHOLE_JSON = rowJson(SourceWhole, { chunks });

/** A source as the API shows it, with its JSON. */
export type Source = SourceShown & { json: string };

/** What comes of a fetch or a file: the text in its one form, and what tells whether a page has changed. */
export type Content = {
  text: string;
  bytes: number;
  sha256: string;
  etag: string | null;
  last_modified: string | null;
};

export const CONTENT_FIELDS = ["text", "bytes", "sha256", "etag", "last_modified"] as const satisfies (keyof Content)[];
const STATE_FIELDS = ["status", "error", "fetched_at", "next_fetch_at"] as const;
export type State = { status: Source["status"]; error: string | null; fetched_at: Date | null; next_fetch_at: Date | null };

const INSERTED = [
  "partner_id",
  "id",
  "account_id",
  "key",
  "kind",
  "name",
  "language",
  "url",
  "filename",
  ...CONTENT_FIELDS,
  ...STATE_FIELDS,
  "created_at",
  "updated_at",
] as const;
const insertStatement = statement(`insert into knowledge_sources ${insertValues(INSERTED)} on conflict do nothing`);

export type NewSource = Pick<Source, "id" | "account_id" | "key" | "kind" | "name" | "language" | "url" | "filename"> &
  Content &
  State;

export async function insertSource(tx: Tx, { partner_id }: Whose, source: NewSource): Promise<void> {
  const row = { ...source, partner_id, created_at: tx.now, updated_at: tx.now };
  await tx.query(insertStatement, valuesOf(row, INSERTED));
}

const keysStatement = statement(`
  select c.id, c.key, c.bytes from knowledge_sources c where c.partner_id = $1 and c.account_id = $2`);

/** The keys of the sources of an account, with their sizes. */
export function keysOf(
  db: Queryable,
  { partner_id }: Whose,
  account_id: string,
): Promise<{ id: string; key: string; bytes: number }[]> {
  return db.query(keysStatement, [partner_id, account_id]);
}

const VISIBLE = "c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3))";
const sourceById = statement(`select ${SOURCE_JSON} as json from knowledge_sources c where ${VISIBLE}`);
const wholeById = statement(`select ${WHOLE_JSON} as json from knowledge_sources c where ${VISIBLE}`);
const lockSource = statement(`select ${SOURCE_JSON} as json from knowledge_sources c where ${VISIBLE} for update`);

/** One source within the caller's scope. */
export async function sourceOrNull(db: Queryable, scope: TenantScope, id: string): Promise<Source | null> {
  return parsedRow<SourceShown>(await db.query(sourceById, [scope.partner_id, id, boundClients(scope)]));
}

export async function wholeSourceOrNull(
  db: Queryable,
  scope: TenantScope,
  id: string,
): Promise<(Source & { text: string }) | null> {
  return parsedRow<SourceShown & { text: string }>(await db.query(wholeById, [scope.partner_id, id, boundClients(scope)]));
}

export async function sourceForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string): Promise<Source | null> {
  return parsedRow<SourceShown>(await tx.query(lockSource, [scope.partner_id, id, boundClients(scope)]));
}

const FIELDS = ["name", "language", "url"] as const;
const saveStatement = statement(`
  update knowledge_sources set ${assignments([...FIELDS, "updated_at"], 3)}, version = version + 1
  where partner_id = $1 and id = $2`);

/** Saves what people say about a locked source. */
export async function saveFields(tx: Tx, { partner_id }: Whose, source: Pick<Source, "id" | (typeof FIELDS)[number]>) {
  await tx.query(saveStatement, [partner_id, source.id, ...valuesOf(source, FIELDS), tx.now]);
}

const contentStatement = statement(`
  update knowledge_sources set ${assignments([...CONTENT_FIELDS, ...STATE_FIELDS], 3)}, version = version + 1
  where partner_id = $1 and id = $2`);

export async function saveContent(tx: Tx, { partner_id }: Whose, id: string, content: Content & State): Promise<void> {
  await tx.query(contentStatement, [partner_id, id, ...valuesOf(content, [...CONTENT_FIELDS, ...STATE_FIELDS])]);
}

const stateStatement = statement(`
  update knowledge_sources set ${assignments(STATE_FIELDS, 3)}, version = version + 1 where partner_id = $1 and id = $2`);

export async function saveState(tx: Tx, { partner_id }: Whose, id: string, state: State): Promise<void> {
  await tx.query(stateStatement, [partner_id, id, ...valuesOf(state, STATE_FIELDS)]);
}

const dropStatement = statement("delete from knowledge_chunks where partner_id = $1 and source_id = any ($2)");
const chunkStatement = statement(`
  insert into knowledge_chunks (partner_id, account_id, source_id, number, language, heading, text)
  select $1, $2, $3, v.number, $4, v.heading, v.text
  from unnest($5::int[], $6::text[], $7::text[]) as v (number, heading, text)`);

/** Replaces the passages of a source. */
export async function saveChunks(
  tx: Queryable,
  partner_id: string,
  { id, account_id, language }: Pick<Source, "id" | "account_id" | "language">,
  passages: readonly Passage[],
): Promise<void> {
  await tx.query(dropStatement, [partner_id, [id]]);
  const columns = [
    passages.map((_, index) => index + 1),
    passages.map(({ heading }) => heading),
    passages.map(({ text }) => text),
  ];
  if (passages.length > 0) await tx.query(chunkStatement, [partner_id, account_id, id, language, ...columns]);
}

const deleteStatement = statement("delete from knowledge_sources where partner_id = $1 and id = any ($2)");

/** Deletes sources with all their passages. */
export async function removeSources(tx: Queryable, partner_id: string, ids: readonly string[]): Promise<void> {
  await tx.query(dropStatement, [partner_id, ids]);
  await tx.query(deleteStatement, [partner_id, ids]);
}

export function sourcesPage(db: Queryable, scope: TenantScope, query: SourceListQuery) {
  const { account_id, kind, status } = query;
  const accounts = requestedAccounts(scope, account_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("knowledge-sources", { account_id, kind, status }),
      table: "knowledge_sources",
      json: SOURCE_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        ...(accounts === null ? [] : [anyOf("c.account_id", accounts, place)]),
        ...(kind === undefined ? [] : [anyOf("c.kind", kind, place)]),
        ...(status === undefined ? [] : [anyOf("c.status", status, place)]),
      ],
    },
    query,
  );
}

/** A page that is to be fetched, with what is known of it. */
export type Page = {
  partner_id: string;
  id: string;
  account_id: string;
  url: string;
  etag: string | null;
  last_modified: string | null;
};

const dueStatement = pollStatement(`
  -- all partners: every minute, by an index of when pages are due.
  select c.partner_id, c.id, c.account_id, c.url, c.etag, c.last_modified from knowledge_sources c
  where c.next_fetch_at <= $1 and exists (select from partners p where p.id = c.partner_id and p.status = 'active')
  order by c.next_fetch_at limit $2`);

/** Pages that are due, the oldest first. */
export function duePages(db: Queryable, now: Date, limit: number): Promise<Page[]> {
  return db.query(dueStatement, [now, limit]);
}

const pageStatement = statement(`
  select c.partner_id, c.id, c.account_id, c.url, c.etag, c.last_modified from knowledge_sources c
  where c.partner_id = $1 and c.id = $2 and c.kind = 'url'`);

export async function pageOrNull(db: Queryable, { partner_id }: Whose, id: string): Promise<Page | null> {
  const [row] = await db.query<Page>(pageStatement, [partner_id, id]);
  return row ?? null;
}
