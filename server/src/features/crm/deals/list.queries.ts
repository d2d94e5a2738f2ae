import { listIdentity } from "../../../kernel/page.ts";
import { requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import {
  anyOf,
  byCreation,
  byNumber,
  byText,
  byTime,
  createdWithin,
  keysetPage,
  type Place,
  type Sort,
} from "../../../platform/db/keyset.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import { refuseUnknownFilters } from "../../accounts/custom-fields/index.ts";
import { CONTACT_JOIN, familyOf, withContact } from "../contacts/index.ts";
import { searchFilters } from "../records/index.ts";
import type { DealListQuery, DealSort } from "./list.schema.ts";
import { dealJson } from "./queries.ts";
import { stagesNamed } from "./stage/queries.ts";

const SORTS: Record<DealSort, Sort> = {
  "-created_at": byCreation(true),
  created_at: byCreation(false),
  name: byText("lower(c.name)"),
  "-updated_at": byTime("c.updated_at", true),
  expected_close_on: byTime("deal_close_time(c.expected_close_on)", false),
  "-amount_cents": byNumber("coalesce(c.amount_cents, -1)", true),
};

const searchText = (row: string) => `deal_search_text(${row}.name, ${row}.company, ${row}.notes)`;

/** A page of deals. Those of a contact include the deals of contacts that were merged into it. */
export async function dealsPage(db: Queryable, scope: TenantScope, query: DealListQuery, now: Date): Promise<{ json: string }> {
  const { limit: _, cursor: __, sort = "-created_at", ...filter } = query;
  const accounts = requestedAccounts(scope, filter.account_id);
  await refuseUnknownFilters(db, scope, "deal", accounts, filter);
  const stages = filter.stage === undefined ? null : await stagesNamed(db, scope, filter.stage);
  const contacts = filter.contact_id === undefined ? null : await familyOf(db, scope, filter.contact_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("deals", { sort, ...filter }),
      table: "deals",
      json: (place) => (filter.include === undefined ? dealJson(place(now)) : withContact(dealJson(place(now)))),
      ...(filter.include === undefined ? {} : { join: CONTACT_JOIN }),
      sort: SORTS[sort],
      conditions: (place) => conditionsOf(filter, { accounts, contacts, stages }, place),
      ...searchFilters(searchText, filter, accounts),
    },
    query,
  );
}

const EQUAL = ["pipeline_id", "owner_id", "client_id", "external_id", "affiliate_link_id"] as const;

/** When a deal was won or lost, as the index has it. */
const CLOSED = "c.status <> 'open' and coalesce(c.won_at, c.lost_at)";

/** Ids that a filter stands for; null where it is absent. */
type Chosen = Record<"accounts" | "contacts" | "stages", readonly string[] | null>;

function conditionsOf(filter: DealListQuery, { accounts, contacts, stages }: Chosen, place: Place): string[] {
  const { sale, stage_id, status, company, updated_after, updated_before, closed_after, closed_before } = filter;
  const { expected_close_after, expected_close_before } = filter;
  const conditions = ["c.deleted_at is null", ...createdWithin("deal", filter, place)];
  if (accounts !== null) conditions.push(anyOf("c.account_id", accounts, place));
  for (const name of EQUAL) if (filter[name] !== undefined) conditions.push(`c.${name} = ${place(filter[name])}`);
  // A literal and not a parameter, because the index of sales is partial.
  if (sale !== undefined) conditions.push(sale ? "c.sale" : "not c.sale");
  if (contacts !== null) conditions.push(anyOf("c.contact_id", contacts, place));
  if (stage_id !== undefined) conditions.push(anyOf("c.stage_id", stage_id, place));
  if (stages !== null) conditions.push(anyOf("c.stage_id", stages, place));
  if (company !== undefined) conditions.push(`c.company is not null and lower(c.company) = lower(${place(company)})`);
  if (status !== undefined) conditions.push(anyOf("c.status", status, place));
  if (updated_after !== undefined) conditions.push(`c.updated_at >= ${place(updated_after)}`);
  if (updated_before !== undefined) conditions.push(`c.updated_at < ${place(updated_before)}`);
  if (closed_after !== undefined) conditions.push(`${CLOSED} >= ${place(closed_after)}`);
  if (closed_before !== undefined) conditions.push(`${CLOSED} < ${place(closed_before)}`);
  if (expected_close_after !== undefined) conditions.push(`c.expected_close_on >= ${place(expected_close_after)}`);
  if (expected_close_before !== undefined) conditions.push(`c.expected_close_on < ${place(expected_close_before)}`);
  return conditions;
}
