import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import { lookOf, readOf, recordReads, type Spec } from "../../../accounts/configuring/index.ts";
import { type Passage, TEXT_MAX } from "../model.ts";

/** The text of a page is fetched where it arrives; one that is too long stays where it is. */
const records = (text: string) => `
  select c.account_id, c.id, false as archived, c.key, '{}'::text[] as parts,
    jsonb_build_object('kind', case c.kind when 'url' then 'url' else 'text' end, 'name', c.name, 'language', c.language, 'url', c.url,
      'text', case when c.kind <> 'url' and length(c.text) <= ${TEXT_MAX} then ${text} end) as spec
  from knowledge_sources c where c.partner_id = $1 and c.account_id = any ($2)`;

export const sourceReads = recordReads(statement(lookOf(records("c.sha256"))), statement(readOf(records("c.text"))));

/** A source as a change leaves it. */
export type AppliedSource = Spec & { id: string; account_id: string; key: string; bytes: number; sha256: string };

const ROWS = `jsonb_to_recordset($2) as v (id text, account_id text, key text, kind text, name text, language text, text text, url text,
    bytes int, sha256 text)`;

const insertStatement = statement(`
  insert into knowledge_sources
    (partner_id, id, account_id, key, kind, name, language, url, text, bytes, sha256, status, next_fetch_at, created_at, updated_at)
  select $1, v.id, v.account_id, v.key, v.kind, v.name, v.language, v.url, coalesce(v.text, ''), v.bytes, v.sha256,
    case v.kind when 'url' then 'fetching' else 'ready' end, case v.kind when 'url' then $3::timestamptz end, $3, $3
  from ${ROWS}`);
/** What belongs to a kind changes with it alone: another kind here is a conflict, and stays. */
const updateStatement = statement(`
  update knowledge_sources c set name = v.name, language = v.language, updated_at = $3, version = c.version + 1,
    url = case when c.kind = 'url' then v.url end,
    text = case when c.kind <> 'url' and v.text is not null then v.text else c.text end,
    bytes = case when c.kind <> 'url' and v.text is not null then v.bytes else c.bytes end,
    sha256 = case when c.kind <> 'url' and v.text is not null then v.sha256 else c.sha256 end,
    status = case when c.kind = 'url' and c.url <> v.url then 'fetching' else c.status end,
    etag = case when c.url = v.url then c.etag end, last_modified = case when c.url = v.url then c.last_modified end,
    next_fetch_at = case when c.kind = 'url' and c.url <> v.url then $3 else c.next_fetch_at end
  from ${ROWS} where c.partner_id = $1 and c.id = v.id`);

type Rows = readonly AppliedSource[];

export async function insertSources(tx: Queryable, partner_id: string, rows: Rows, now: Date): Promise<void> {
  if (rows.length > 0) await tx.query(insertStatement, [partner_id, JSON.stringify(rows), now]);
}

export async function updateSources(tx: Queryable, partner_id: string, rows: Rows, now: Date): Promise<void> {
  if (rows.length > 0) await tx.query(updateStatement, [partner_id, JSON.stringify(rows), now]);
}

const languageStatement = statement(`
  update knowledge_chunks c set language = v.language from ${ROWS}
  where c.partner_id = $1 and c.source_id = v.id and c.language <> v.language`);
const dropStatement = statement("delete from knowledge_chunks where partner_id = $1 and source_id = any ($2)");
const chunksStatement = statement(`
  insert into knowledge_chunks (partner_id, account_id, source_id, number, language, heading, text)
  select $1, v.account_id, v.id, p.number, v.language, p.heading, p.text
  from jsonb_to_recordset($2) as v (id text, account_id text, language text, "of" int)
  join jsonb_to_recordset($3) as p ("of" int, number int, heading text, text text) on p."of" = v."of"`);

/** Replaces the passages of sources; accounts that share a text share its passages, so each is sent once. */
export async function replaceChunks(
  tx: Queryable,
  partner_id: string,
  rows: Rows,
  passagesOf: (text: string) => Passage[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(languageStatement, [partner_id, JSON.stringify(rows)]);
  const texts = [...new Set(rows.flatMap(({ text }) => (typeof text === "string" ? [text] : [])))];
  const told = rows.flatMap(({ id, account_id, language, text }) => {
    const of = texts.indexOf(String(text));
    return text === null || of < 0 ? [] : [{ id, account_id, language, of }];
  });
  const passages = texts.flatMap((text, of) => passagesOf(text).map((passage, index) => ({ of, number: index + 1, ...passage })));
  if (told.length === 0) return;
  await tx.query(dropStatement, [partner_id, told.map(({ id }) => id)]);
  await tx.query(chunksStatement, [partner_id, JSON.stringify(told), JSON.stringify(passages)]);
}
