import type { TenantScope } from "../../../../kernel/principal.ts";
import { type Queryable, type Statement, statement } from "../../../../platform/db/statement.ts";
import { LANGUAGE_CODES, LANGUAGES } from "../model.ts";

type Whose = Pick<TenantScope, "partner_id">;

/** The languages of the sources: each is one look into an index, however many sources have it. */
const codes = (named: string) => `array(
        select k.code from unnest('{${LANGUAGE_CODES.join(",")}}'::text[]) k (code)
        where exists (
          select from knowledge_sources s where s.partner_id = $1 and s.account_id = $2 and s.language = k.code ${named}))`;

const configurations = Object.entries(LANGUAGES);

/** Words as a query, in each of the languages l.codes. Configurations are constants: one by name would not be immutable. */
const queryOf = (words: string) =>
  configurations
    .map(
      ([code, name]) =>
        `case when '${code}' = any (l.codes) then websearch_to_tsquery('pg_catalog.${name}', ${words}) else ''::tsquery end`,
    )
    .join("\n        || ");

/** The words $4 as the language of a passage has them. */
const LEXEMES = `tsvector_to_array(case f.language
      ${configurations.map(([code, name]) => `when '${code}' then to_tsvector('pg_catalog.${name}', array_to_string($4, ' '))`).join("\n      ")} end)`;

const HIT = "f.source_id, s.title, s.url, f.number as chunk, f.text";
const rank = (of: string) => `ts_rank_cd('{0.5, 0.6, 0.8, 1}', ${of}.tsv, q.query, 32)`;
/** For each passage that was found: as a join, all sources of the account would be read. */
const OF_SOURCE = `cross join lateral (
    select s.name as title, s.url from knowledge_sources s where s.partner_id = $1 and s.id = f.source_id offset 0) s`;

/** Passages that a query finds, the first so many: words that most of them have tell little, and each takes its time. */
const found = (query: string, inSources: string, count: number) => `
      select c.source_id, c.number, c.language, c.text, c.tsv from knowledge_chunks c
      where c.partner_id = $1 and c.account_id = $2 and c.tsv @@ ${query} ${inSources}
      limit ${count}`;

/** How many are found at most; the same for every call, so that their plans are alike. */
export const HITS_MAX = 10;
/** How many passages are compared: words that are similar to many cannot be found by an index. */
const COMPARED = 1_000;

/**
 * The searches, in all sources of an account or in those with keys; apart, so that one plan fits every call of a statement and is kept.
 * An offset keeps what is computed once from being computed for each passage.
 */
function searchesIn(keys: string | null, keys_of_any: string | null) {
  const named = (place: string | null) => (place === null ? "" : `and s.key = any (${place})`);
  const inSources = (place: string | null) =>
    place === null
      ? ""
      : `and c.source_id in (
        select k.id from knowledge_sources k where k.partner_id = $1 and k.account_id = $2 and k.key = any (${place}))`;
  return {
    /** By how close together the words are. */
    all: statement(`
  select ${HIT}, 0.5 + f.rank / 2 as score
  from (
    select c.*, ${rank("c")} as rank
    from (select ${codes(named(keys))} || '{simple}'::text[] as codes offset 0) l
    cross join lateral (
      select ${queryOf("$3")} as query offset 0) q
    cross join lateral (${found("q.query", inSources(keys), 500)}) c
    order by rank desc, c.source_id, c.number limit ${HITS_MAX}) f
  ${OF_SOURCE}
  order by f.rank desc, f.source_id, f.number`),
    /** By the share of the words that a passage has. Each word brings its own passages, so that common ones do not hide a rare one. */
    any: statement(`
  select ${HIT}, g.found::float8 / greatest(g.wanted, 1) / 2 as score
  from (select ${codes(named(keys_of_any))} as codes offset 0) l
  cross join lateral (
      select ${queryOf("$3")} as query offset 0) q
  cross join lateral (
    select distinct on (c.source_id, c.number) c.* from unnest($4::text[]) w (word)
    cross join lateral (
      select ${queryOf("w.word")} as query offset 0) o
    cross join lateral (${found("o.query", inSources(keys_of_any), 100)}) c) f
  ${OF_SOURCE}
  cross join lateral (
    select cardinality(l.words) as wanted,
      (select count(*) from unnest(l.words) w (word) where w.word = any (tsvector_to_array(f.tsv))) as found
    from (select ${LEXEMES} as words offset 0) l) g
  order by score desc, ${rank("f")} desc, f.source_id, f.number limit ${HITS_MAX}`),
    similar: statement(`
  select ${HIT}, word_similarity(lower($3), lower(f.text)) / 2 as score
  from (
    select c.* from knowledge_chunks c
    where c.partner_id = $1 and c.account_id = $2 ${inSources(keys)}
    order by c.source_id, c.number limit ${COMPARED}) f
  ${OF_SOURCE}
  where lower($3) <% lower(f.text)
  order by score desc, f.source_id, f.number limit ${HITS_MAX}`),
  };
}

const IN_ALL = searchesIn(null, null);
const IN_SOME = searchesIn("$4", "$5");

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
  (kind: keyof typeof IN_ALL) =>
  (db: Queryable, { partner_id }: Whose, { account_id, keys }: Where, ...values: unknown[]): Promise<Found[]> => {
    const [of, named]: [Statement, unknown[]] = keys === null ? [IN_ALL[kind], []] : [IN_SOME[kind], [keys]];
    return db.query<Found>(of, [partner_id, account_id, ...values, ...named]);
  };

/** Passages with all words; those with any of them; those with similar ones. */
export const searches = { all: search("all"), any: search("any"), similar: search("similar") };
