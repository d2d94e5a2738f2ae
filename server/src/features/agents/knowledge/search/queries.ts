import type { TenantScope } from "../../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import { LANGUAGES, type Language } from "../model.ts";

type Whose = Pick<TenantScope, "partner_id">;

const languagesStatement = statement(`
  select distinct s.language from knowledge_sources s
  where s.partner_id = $1 and s.account_id = $2 and ($3::text[] is null or s.key = any ($3))`);

/** The languages of sources, all of the account without keys. */
export async function languagesOf(
  db: Queryable,
  { partner_id }: Whose,
  account_id: string,
  keys: readonly string[] | null,
): Promise<Language[]> {
  const rows = await db.query<{ language: Language }>(languagesStatement, [partner_id, account_id, keys]);
  return rows.map(({ language }) => language);
}

const configurations = Object.entries(LANGUAGES);

/** The words $4 in each of the languages $5. Configurations are constants: one by name would not be immutable. */
const QUERY = configurations
  .map(
    ([code, name]) => `case when '${code}' = any ($5) then websearch_to_tsquery('pg_catalog.${name}', $4) else ''::tsquery end`,
  )
  .join("\n      || ");

/** The words $7 as the language of a passage has them. */
const LEXEMES = `tsvector_to_array(case f.language
      ${configurations.map(([code, name]) => `when '${code}' then to_tsvector('pg_catalog.${name}', $7)`).join("\n      ")} end)`;

const WEIGHTS = "'{0.5, 0.6, 0.8, 1}'";
const HIT = "f.source_id, s.name as title, s.url, f.number as chunk, f.text";
const OF_SOURCE = "knowledge_sources s on s.partner_id = $1 and s.id = f.source_id";
const IN_SOURCES = `($3::text[] is null or c.source_id in (
        select k.id from knowledge_sources k where k.partner_id = $1 and k.account_id = $2 and k.key = any ($3)))`;

/** Passages with the words, by how close together these are. */
const FOUND = `
    select c.*, ts_rank_cd(${WEIGHTS}, c.tsv, q.query, 32) as rank
    from (select ${QUERY} as query) q
    join knowledge_chunks c on c.partner_id = $1 and c.account_id = $2 and c.tsv @@ q.query
    where c.partner_id = $1 and ${IN_SOURCES}
    order by rank desc, c.source_id, c.number limit`;

const allWords = statement(`
  select ${HIT}, 0.5 + f.rank / 2 as score
  from (${FOUND} $6) f join ${OF_SOURCE}
  order by f.rank desc, f.source_id, f.number`);

const CANDIDATES = 50;
const anyWord = statement(`
  select ${HIT}, g.found::float8 / greatest(g.wanted, 1) / 2 as score
  from (${FOUND} ${CANDIDATES}) f join ${OF_SOURCE}
  cross join lateral (
    select cardinality(l.words) as wanted,
      (select count(*) from unnest(l.words) w (word) where w.word = any (tsvector_to_array(f.tsv))) as found
    from (select ${LEXEMES} as words) l) g
  order by score desc, f.rank desc, f.source_id, f.number limit $6`);

const similarWords = statement(`
  select ${HIT}, word_similarity(lower($4), lower(f.text)) / 2 as score
  from (
    select c.* from knowledge_chunks c
    where c.partner_id = $1 and c.account_id = $2 and lower($4) <% lower(c.text) and ${IN_SOURCES}) f
  join ${OF_SOURCE}
  order by score desc, f.source_id, f.number limit $5`);

export type Found = {
  source_id: string;
  title: string;
  url: string | null;
  chunk: number;
  text: string;
  score: number;
};
export type Where = { account_id: string; keys: readonly string[] | null };

const search =
  (of: typeof allWords) =>
  (db: Queryable, { partner_id }: Whose, where: Where, ...values: unknown[]) =>
    db.query<Found>(of, [partner_id, where.account_id, where.keys, ...values]);

/** Passages with all words; those with any of them; those with similar ones. */
export const searches = { all: search(allWords), any: search(anyWord), similar: search(similarWords) };
