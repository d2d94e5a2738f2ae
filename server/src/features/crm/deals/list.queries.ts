import { listIdentity } from "../../../kernel/page.ts";
import { requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import {
  anyOf,
  byCreation,
  byText,
  byTime,
  createdWithin,
  keysetPage,
  type Place,
  type Sort,
} from "../../../platform/db/keyset.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import { searchFilters } from "../records/index.ts";
import type { DealListQuery, DealSort } from "./list.schema.ts";
import { dealJson } from "./queries.ts";

const SORTS: Record<DealSort, Sort> = {
  "-created_at": byCreation(true),
  created_at: byCreation(false),
  name: byText("lower(c.name)"),
  "-updated_at": byTime("c.updated_at", true),
  expected_close_on: byTime("deal_close_time(c.expected_close_on)", false),
};

const searchText = (row: string) => `deal_search_text(${row}.name, ${row}.company, ${row}.notes)`;

export function dealsPage(db: Queryable, scope: TenantScope, query: DealListQuery, now: Date): Promise<{ json: string }> {
  const { limit: _, cursor: __, sort = "-created_at", ...filter } = query;
  const accounts = requestedAccounts(scope, filter.account_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("deals", { sort, ...filter }),
      table: "deals",
      json: (place) => dealJson(place(now)),
      sort: SORTS[sort],
      conditions: (place) => conditionsOf(filter, accounts, place),
      ...searchFilters(searchText, filter, accounts),
    },
    query,
  );
}

const EQUAL = ["pipeline_id", "owner_id", "client_id", "external_id"] as const;

/** A contact and those that were merged into it, and so on: their deals are its deals. */
const familyOf = (contact_id: string) => `array(
    with recursive family as (
      select k.id from contacts k where k.partner_id = $1 and k.id = ${contact_id}
      union all
      select k.id from contacts k join family f on k.partner_id = $1 and k.merged_into = f.id
    )
    select f.id from family f)`;

function conditionsOf(filter: DealListQuery, accounts: readonly string[] | null, place: Place): string[] {
  const { sale, contact_id, stage_id, status, updated_after, expected_close_after, expected_close_before } = filter;
  const conditions = ["c.deleted_at is null", ...createdWithin("deal", filter, place)];
  if (accounts !== null) conditions.push(anyOf("c.account_id", accounts, place));
  for (const name of EQUAL) if (filter[name] !== undefined) conditions.push(`c.${name} = ${place(filter[name])}`);
  // As it stands and not as a value, so that sales have their index.
  if (sale !== undefined) conditions.push(sale ? "c.sale" : "not c.sale");
  if (contact_id !== undefined) conditions.push(`c.contact_id = any (${familyOf(place(contact_id))})`);
  if (stage_id !== undefined) conditions.push(anyOf("c.stage_id", stage_id, place));
  if (status !== undefined) conditions.push(anyOf("c.status", status, place));
  if (updated_after !== undefined) conditions.push(`c.updated_at >= ${place(updated_after)}`);
  if (expected_close_after !== undefined) conditions.push(`c.expected_close_on >= ${place(expected_close_after)}`);
  if (expected_close_before !== undefined) conditions.push(`c.expected_close_on < ${place(expected_close_before)}`);
  return conditions;
}
