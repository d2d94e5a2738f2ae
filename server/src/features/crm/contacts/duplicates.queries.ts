import { listIdentity, pageOf } from "../../../kernel/page.ts";
import { requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { anyOf } from "../../../platform/db/keyset.ts";
import { composedStatement, type Queryable } from "../../../platform/db/statement.ts";
import type { DuplicatesQuery } from "./duplicates.schema.ts";
import { CONTACT_JSON } from "./queries.ts";

/** How many candidates a contact is compared with, how similar their names must be, and how many pairs it may be part of. */
const CANDIDATES_MAX = 50;
const SIMILARITY_MIN = 0.6;
const PAIRS_MAX = 5;

/** Pairs of likely duplicates. A page has the pairs of the contacts that it compares, which may be none. */
export function duplicatesPage(db: Queryable, scope: TenantScope, query: DuplicatesQuery): Promise<{ json: string }> {
  const { account_id } = query;
  return pageOf(
    listIdentity("contact-duplicates", { account_id }),
    query,
    ["string"],
    async (cursor, limit) => {
      const before = cursor === null ? null : String(cursor[0]);
      const rows = await comparedContacts(db, scope, requestedAccounts(scope, account_id), before, limit + 1);
      const contacts = Map.groupBy(rows, ({ id }) => id);
      return [...contacts].map(([id, pairs]) => ({ id, json: pairs.flatMap(({ pair }) => pair ?? []).join(",") }));
    },
    ({ id }) => [id],
  );
}

/**
 * Contacts, newest first, each with the pairs of it and an older contact of its account with a similar name. Phones and e-mail addresses
 * are unique in an account, so names are what is left to compare. Every step is bounded. Candidates come from a subquery without an
 * order, for the reason given at `keysetPage`: it makes the planner use the trigram index.
 */
function comparedContacts(
  db: Queryable,
  { partner_id }: TenantScope,
  accounts: readonly string[] | null,
  before: string | null,
  limit: number,
): Promise<{ id: string; pair: string | null }[]> {
  const values: unknown[] = [partner_id, limit];
  const place = (value: unknown) => `$${values.push(value)}`;
  const conditions = ["c.partner_id = $1", "c.deleted_at is null"];
  if (accounts !== null) conditions.push(anyOf("c.account_id", accounts, place));
  if (before !== null) conditions.push(`c.id < ${place(before)}`);
  return db.query(
    composedStatement(`
  select newer.id, case when older.score is not null then json_build_object('score', round(older.score::numeric, 2), 'same_company', older.same_company,
    'contacts', json_build_array(newer.json::json, older.json::json))::text end as pair
  from (
    select c.account_id, c.id, c.name, c.company, ${CONTACT_JSON} as json
    from contacts c where ${conditions.join(" and ")}
    order by c.id desc limit $2
  ) newer left join lateral (
    select c.id, c.json, similarity(lower(c.name), lower(newer.name)) as score,
      coalesce(lower(c.company) = lower(newer.company), false) as same_company
    from (
      select c.id, c.name, c.company, ${CONTACT_JSON} as json from contacts c
      where c.partner_id = $1 and c.account_id = newer.account_id and c.id < newer.id and c.id = any (array(
        select g.id from contacts g
        where g.partner_id = $1 and g.deleted_at is null
          and search_keys(g.partner_id, g.account_id, g.id) && array[hashtextextended(newer.account_id, 0)]
          and lower(newer.name) <% contact_search_text(g.name, g.email, g.phone, g.company, g.notes)))
      order by c.id desc limit ${CANDIDATES_MAX}
    ) c
    where similarity(lower(c.name), lower(newer.name)) >= ${SIMILARITY_MIN}
    order by score desc, c.id desc limit ${PAIRS_MAX}
  ) older on true
  order by newer.id desc, older.score desc, older.id desc`),
    values,
  );
}
