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
import { familyOf } from "../contacts/index.ts";
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

/** A page of deals. Those of a contact include the deals of contacts that were merged into it. */
export async function dealsPage(db: Queryable, scope: TenantScope, query: DealListQuery, now: Date): Promise<{ json: string }> {
  const { limit: _, cursor: __, sort = "-created_at", ...filter } = query;
  const accounts = requestedAccounts(scope, filter.account_id);
  const contacts = filter.contact_id === undefined ? null : await familyOf(db, scope, filter.contact_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("deals", { sort, ...filter }),
      table: "deals",
      json: (place) => dealJson(place(now)),
      sort: SORTS[sort],
      conditions: (place) => conditionsOf(filter, accounts, contacts, place),
      ...searchFilters(searchText, filter, accounts),
    },
    query,
  );
}

const EQUAL = ["pipeline_id", "owner_id", "client_id", "external_id"] as const;

function conditionsOf(
  filter: DealListQuery,
  accounts: readonly string[] | null,
  contacts: readonly string[] | null,
  place: Place,
): string[] {
  const { sale, stage_id, status, updated_after, expected_close_after, expected_close_before } = filter;
  const conditions = ["c.deleted_at is null", ...createdWithin("deal", filter, place)];
  if (accounts !== null) conditions.push(anyOf("c.account_id", accounts, place));
  for (const name of EQUAL) if (filter[name] !== undefined) conditions.push(`c.${name} = ${place(filter[name])}`);
  // A literal and not a parameter, because the index of sales is partial.
  if (sale !== undefined) conditions.push(sale ? "c.sale" : "not c.sale");
  if (contacts !== null) conditions.push(anyOf("c.contact_id", contacts, place));
  if (stage_id !== undefined) conditions.push(anyOf("c.stage_id", stage_id, place));
  if (status !== undefined) conditions.push(anyOf("c.status", status, place));
  if (updated_after !== undefined) conditions.push(`c.updated_at >= ${place(updated_after)}`);
  if (expected_close_after !== undefined) conditions.push(`c.expected_close_on >= ${place(expected_close_after)}`);
  if (expected_close_before !== undefined) conditions.push(`c.expected_close_on < ${place(expected_close_before)}`);
  return conditions;
}
