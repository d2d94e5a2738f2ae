import { LIMIT_DEFAULT } from "../../../../kernel/page.ts";
import { requestedAccounts, type TenantScope } from "../../../../kernel/principal.ts";
import { anyOf } from "../../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import { CONTACT_JSON } from "../queries.ts";
import type { DuplicatesQuery } from "./schema.ts";

/** How many of those that have the words of a name are looked at closely, how alike names must be, and how many are shown. */
const CANDIDATES_MAX = 50;
const ALIKE = 0.6;
const PAIRS_MAX = 5;

export type PairRow = { id: string; json: string | null };

/**
 * Contacts, newest first, each with the older ones of its account whose name is much the same. Phones and addresses cannot be the
 * same in an account, so names are what is left. Every step is bounded: the contacts looked at, those compared, those shown.
 * Those with the words of the name are found by their index in a query of their own: see the list.
 */
export function pairsPage(db: Queryable, scope: TenantScope, query: DuplicatesQuery, before: string | null): Promise<PairRow[]> {
  const { limit = LIMIT_DEFAULT, account_id } = query;
  const values: unknown[] = [scope.partner_id, limit + 1];
  const place = (value: unknown) => `$${values.push(value)}`;
  const accounts = requestedAccounts(scope, account_id);
  const conditions = ["c.partner_id = $1", "c.deleted_at is null"];
  if (accounts !== null) conditions.push(anyOf("c.account_id", accounts, place));
  if (before !== null) conditions.push(`c.id < ${place(before)}`);
  return db.query<PairRow>(
    statement(`
  select newer.id, case when older.score is not null then json_build_object('score', round(older.score::numeric, 2), 'same_company', older.same_company,
    'contacts', json_build_array(newer.json::json, older.json::json))::text end as json
  from (
    select c.account_id, c.id, c.name, c.company, ${CONTACT_JSON} as json
    from contacts c where ${conditions.join(" and ")}
    order by c.id desc limit $2
  ) newer left join lateral (
    select c.json, similarity(lower(c.name), lower(newer.name)) as score,
      coalesce(lower(c.company) = lower(newer.company), false) as same_company
    from (
      select c.name, c.company, ${CONTACT_JSON} as json from contacts c
      where c.partner_id = $1 and c.account_id = newer.account_id and c.id < newer.id and c.id = any (array(
        select g.id from contacts g
        where g.partner_id = $1 and g.deleted_at is null
          and lower(newer.name) <% contact_search_text(g.name, g.email, g.phone, g.company, g.notes)))
      order by c.id desc limit ${CANDIDATES_MAX}
    ) c
    where similarity(lower(c.name), lower(newer.name)) >= ${ALIKE}
    order by score desc limit ${PAIRS_MAX}
  ) older on true
  order by newer.id desc, older.score desc`),
    values,
  );
}
