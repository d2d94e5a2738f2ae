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
import { type Containment, searchFilters } from "../records/index.ts";
import type { LeadListQuery, LeadSort } from "./list.schema.ts";
import { LEAD_JSON } from "./queries.ts";

const SORTS: Record<LeadSort, Sort> = {
  "-created_at": byCreation(true),
  created_at: byCreation(false),
  name: byText("lower(coalesce(c.name, ''))"),
  "-updated_at": byTime("c.updated_at", true),
  "-score": byNumber("c.score", true),
};

const searchText = (row: string) =>
  `contact_search_text(coalesce(${row}.name, ''), ${row}.email, ${row}.phone, ${row}.company, ${row}.notes)`;

/** A page of leads. Those of a contact include the leads of contacts that were merged into it. */
export async function leadsPage(db: Queryable, scope: TenantScope, query: LeadListQuery): Promise<{ json: string }> {
  const { limit: _, cursor: __, sort = "-created_at", ...filter } = query;
  const accounts = requestedAccounts(scope, filter.account_id);
  await refuseUnknownFilters(db, scope, "lead", accounts, filter);
  const contacts = filter.contact_id === undefined ? null : await familyOf(db, scope, filter.contact_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("leads", { sort, ...filter }),
      table: "leads",
      ...(filter.include === undefined ? { json: LEAD_JSON } : { json: withContact(LEAD_JSON), join: CONTACT_JOIN }),
      sort: SORTS[sort],
      conditions: (place) => conditionsOf(filter, { accounts, contacts }, place),
      ...searchFilters(searchText, filter, accounts, ofSource(filter)),
    },
    query,
  );
}

/** Ids that a filter stands for; null where it is absent. */
type Chosen = Record<"accounts" | "contacts", readonly string[] | null>;

function conditionsOf(filter: LeadListQuery, { accounts, contacts }: Chosen, place: Place): string[] {
  const { status, converted, company, owner_id, affiliate_link_id, source_kind, score_min, updated_after, updated_before } =
    filter;
  const conditions = ["c.deleted_at is null", ...createdWithin("lead", filter, place)];
  if (accounts !== null) conditions.push(anyOf("c.account_id", accounts, place));
  if (contacts !== null) conditions.push(anyOf("c.contact_id", contacts, place));
  if (status !== undefined) conditions.push(anyOf("c.status", status, place));
  if (converted !== undefined) conditions.push(`c.status ${converted ? "=" : "<>"} 'converted'`);
  if (company !== undefined) conditions.push(`c.company is not null and lower(c.company) = lower(${place(company)})`);
  if (owner_id !== undefined) conditions.push(`c.owner_id = ${place(owner_id)}`);
  if (affiliate_link_id !== undefined) conditions.push(`c.affiliate_link_id = ${place(affiliate_link_id)}`);
  if (source_kind !== undefined) conditions.push(`c.source ->> 'kind' = ${place(source_kind)}`);
  if (score_min !== undefined) conditions.push(`c.score >= ${place(score_min)}`);
  if (updated_after !== undefined) conditions.push(`c.updated_at >= ${place(updated_after)}`);
  if (updated_before !== undefined) conditions.push(`c.updated_at < ${place(updated_before)}`);
  return conditions;
}

function ofSource({ source_name, campaign, click_id }: LeadListQuery): Containment[] {
  const value = {
    ...(source_name === undefined ? {} : { name: source_name }),
    ...(campaign === undefined ? {} : { utm: { campaign } }),
    ...(click_id === undefined ? {} : { click_id }),
  };
  return Object.keys(value).length === 0 ? [] : [{ column: "source", value }];
}
