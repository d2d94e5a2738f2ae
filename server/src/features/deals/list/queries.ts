import { listIdentity } from "../../../kernel/page.ts";
import { accountsAsked, type TenantScope } from "../../../kernel/principal.ts";
import {
  anyOf,
  byCreation,
  byText,
  byTime,
  containing,
  createdWithin,
  keysetPage,
  type Place,
  type Sort,
} from "../../../platform/db/keyset.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import { customFilter } from "../../accounts/index.ts";
import { dealJson } from "../queries.ts";
import type { DealListQuery, DealSort } from "./schema.ts";

const SORTS: Record<DealSort, Sort> = {
  "-created_at": byCreation(true),
  created_at: byCreation(false),
  name: byText("lower(c.name)"),
  "-updated_at": byTime("c.updated_at", true),
  expected_close_on: byTime("deal_close_time(c.expected_close_on)", false),
};

const SEARCH_TEXT = "deal_search_text(g.name, g.company, g.notes)";

export function dealsPage(db: Queryable, scope: TenantScope, query: DealListQuery, now: Date): Promise<{ json: string }> {
  const { limit: _, cursor: __, sort = "-created_at", ...filter } = query;
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("deals", { sort, ...filter }),
      table: "deals",
      json: (place) => dealJson(place(now)),
      sort: SORTS[sort],
      conditions: (place) => conditionsOf(filter, accountsAsked(scope, filter.account_id), place),
    },
    query,
  );
}

const EQUAL = ["sale", "pipeline_id", "owner_id", "contact_id", "client_id", "external_id"] as const;

function conditionsOf(filter: DealListQuery, accounts: readonly string[] | null, place: Place): string[] {
  const { stage_id, status, updated_after, expected_close_after, expected_close_before } = filter;
  const conditions = ["c.deleted_at is null", ...createdWithin("deal", filter, place)];
  if (accounts !== null) conditions.push(anyOf("c.account_id", accounts, place));
  for (const name of EQUAL) if (filter[name] !== undefined) conditions.push(`c.${name} = ${place(filter[name])}`);
  if (stage_id !== undefined) conditions.push(anyOf("c.stage_id", stage_id, place));
  if (status !== undefined) conditions.push(anyOf("c.status", status, place));
  if (updated_after !== undefined) conditions.push(`c.updated_at >= ${place(updated_after)}`);
  if (expected_close_after !== undefined) conditions.push(`c.expected_close_on >= ${place(expected_close_after)}`);
  if (expected_close_before !== undefined) conditions.push(`c.expected_close_on < ${place(expected_close_before)}`);
  const found = foundBy(filter, place);
  if (found.length > 0) {
    const within = ["g.partner_id = $1", "g.deleted_at is null", ...found];
    if (accounts !== null) within.push(anyOf("g.account_id", accounts, place));
    conditions.push(`c.id = any (array(select g.id from deals g where ${within.join(" and ")}))`);
  }
  return conditions;
}

/** What only an index of words and values answers, in a query of its own: see the list of contacts. */
function foundBy(filter: DealListQuery, place: Place): string[] {
  const { q, tag } = filter;
  const conditions = tag === undefined ? [] : [`g.tags && ${place(tag)}`];
  if (q !== undefined)
    conditions.push(`(${SEARCH_TEXT} like lower(${place(containing(q))}) or lower(${place(q)}) <% ${SEARCH_TEXT})`);
  for (const meant of customFilter(filter)) {
    conditions.push(`g.custom <> '{}' and (${meant.map((values) => `g.custom @> ${place(values)}`).join(" or ")})`);
  }
  return conditions;
}
