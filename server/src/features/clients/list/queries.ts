import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import {
  anyOf,
  byCreation,
  byText,
  byTime,
  containing,
  createdWithin,
  keysetPage,
  type Listing,
  type Place,
  type Sort,
} from "../../../platform/db/keyset.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import { CLIENT_JSON } from "../queries.ts";
import type { ClientListQuery, ClientSort } from "./schema.ts";

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
  };
}

function conditionsOf(filter: ClientListQuery, bound: readonly string[] | null, place: Place): string[] {
  const { status, plan, tag, external_id, q } = filter;
  const conditions = createdWithin("client", filter, place);
  if (bound !== null) conditions.push(`c.id = any (${place(bound)})`);
  if (filter.include_house !== true) conditions.push("not c.house");
  if (status !== undefined) conditions.push(anyOf("c.status", status, place));
  if (plan !== undefined) conditions.push(anyOf("c.plan", plan, place));
  if (tag !== undefined) conditions.push(`c.tags && ${place(tag)}`);
  if (external_id !== undefined) conditions.push(`c.external_id = ${place(external_id)}`);
  if (q !== undefined) {
    conditions.push(`client_search_text(c.company, c.external_id, c.contact) like lower(${place(containing(q))})`);
  }
  return conditions;
}
