import { listIdentity } from "../../../kernel/page.ts";
import { readPhone } from "../../../kernel/phone.ts";
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
import { refuseUnknownFilters } from "../../accounts/custom-fields/index.ts";
import { searchFilters } from "../records/index.ts";
import type { ContactListQuery, ContactSort } from "./list.schema.ts";
import { CONTACT_JSON } from "./queries.ts";

const SORTS: Record<ContactSort, Sort> = {
  "-created_at": byCreation(true),
  created_at: byCreation(false),
  name: byText("lower(c.name)"),
  "-updated_at": byTime("c.updated_at", true),
};

const searchText = (row: string) => `contact_search_text(${row}.name, ${row}.email, ${row}.phone, ${row}.company, ${row}.notes)`;

export async function contactsPage(db: Queryable, scope: TenantScope, query: ContactListQuery): Promise<{ json: string }> {
  const { limit: _, cursor: __, sort = "-created_at", ...filter } = query;
  const accounts = requestedAccounts(scope, filter.account_id);
  await refuseUnknownFilters(db, scope, "contact", accounts, filter);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("contacts", { sort, ...filter }),
      table: "contacts",
      json: CONTACT_JSON,
      sort: SORTS[sort],
      conditions: (place) => conditionsOf(filter, accounts, place),
      ...searchFilters(searchText, filter, accounts),
    },
    query,
  );
}

function conditionsOf(filter: ContactListQuery, accounts: readonly string[] | null, place: Place): string[] {
  const { company, phone, email, owner_id, updated_after, updated_before } = filter;
  const conditions = ["c.deleted_at is null", ...createdWithin("contact", filter, place)];
  if (accounts !== null) conditions.push(anyOf("c.account_id", accounts, place));
  if (company !== undefined) conditions.push(`c.company is not null and lower(c.company) = lower(${place(company)})`);
  if (phone !== undefined) conditions.push(`c.phone = ${place(readPhone(phone).phone ?? phone)}`);
  if (email !== undefined) conditions.push(`c.email is not null and lower(c.email) = lower(${place(email)})`);
  if (owner_id !== undefined) conditions.push(`c.owner_id = ${place(owner_id)}`);
  if (updated_after !== undefined) conditions.push(`c.updated_at >= ${place(updated_after)}`);
  if (updated_before !== undefined) conditions.push(`c.updated_at < ${place(updated_before)}`);
  return conditions;
}
