import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import {
  anyOf,
  byCreation,
  byText,
  byTime,
  containing,
  createdWithin,
  isAddressOrNumber,
  isShorterThanTrigram,
  keysetPage,
  type Listing,
  type Place,
  type Search,
  type Sort,
} from "../../../platform/db/keyset.ts";
import { composedStatement, type Queryable } from "../../../platform/db/statement.ts";
import type { ClientListQuery, ClientSort } from "./list.schema.ts";
import { CLIENT_JSON } from "./queries.ts";

const SORTS: Record<ClientSort, Sort> = {
  "-created_at": byCreation(true),
  created_at: byCreation(false),
  company: byText("lower(c.company)"),
  "-company": byText("lower(c.company)", true),
  "-updated_at": byTime("c.updated_at", true),
};

export function clientsPage(db: Queryable, scope: TenantScope, query: ClientListQuery): Promise<{ json: string }> {
  return keysetPage(db, scope.partner_id, clientListing(scope, query), query);
}

export function clientListing(scope: TenantScope, query: ClientListQuery): Listing {
  const { limit: _, cursor: __, sort = "-created_at", include_house = false, ...filter } = query;
  return {
    list: listIdentity("clients", { sort, include_house, ...filter }),
    table: "clients",
    join: "join partners p on p.id = c.partner_id",
    json: CLIENT_JSON,
    sort: SORTS[sort],
    conditions: (place) => conditionsOf({ ...filter, include_house }, boundClients(scope), place),
    ...searchFilters(filter),
  };
}

/** The ids of all clients that a list would show, in their order. */
export async function clientIds(db: Queryable, scope: TenantScope, filter: ClientListQuery, limit: number): Promise<string[]> {
  const { conditions, search } = clientListing(scope, filter);
  const values: unknown[] = [scope.partner_id, limit];
  const place = (value: unknown) => `$${values.push(value)}`;
  const wanted = ["c.partner_id = $1", ...conditions(place), ...(search?.conditions("c", place) ?? [])];
  const found = composedStatement(`select c.id from clients c where ${wanted.join(" and ")} order by c.id limit $2`);
  return (await db.query<{ id: string }>(found, values)).map(({ id }) => id);
}

/** Filters that only a GIN index answers. */
function searchFilters({ tag, q, snapshot_id, version }: ClientListQuery): Pick<Listing, "search"> {
  if ([tag, q, snapshot_id].every((filter) => filter === undefined)) return {};
  const runs = [{ snapshot_id, status: "installed", version }];
  const conditions: Search["conditions"] = (row, place) => [
    ...(tag === undefined ? [] : [`${row}.tags && ${place(tag)}`]),
    // As the index has it: most clients of most partners run none.
    ...(snapshot_id === undefined
      ? []
      : [`${row}.snapshots @> ${place(JSON.stringify(runs))}::jsonb and ${row}.snapshots <> '[]'`]),
    ...(q === undefined ? [] : containing(`client_search_text(${row}.company, ${row}.external_id, ${row}.contact)`, q, place)),
  ];
  if (q === undefined || isShorterThanTrigram(q)) return { search: { cheap: true, conditions } };
  return { search: { cheap: false, conditions, keyed: { account: "partner_id", accounts: null }, rare: isAddressOrNumber(q) } };
}

function conditionsOf(filter: ClientListQuery, bound: readonly string[] | null, place: Place): string[] {
  const { status, plan, external_id } = filter;
  const conditions = createdWithin("client", filter, place);
  if (bound !== null) conditions.push(`c.id = any (${place(bound)})`);
  if (filter.include_house !== true) conditions.push("not c.house");
  if (status !== undefined) conditions.push(anyOf("c.status", status, place));
  if (plan !== undefined) conditions.push(anyOf("c.plan", plan, place));
  if (external_id !== undefined) conditions.push(`c.external_id = ${place(external_id)}`);
  return conditions;
}
