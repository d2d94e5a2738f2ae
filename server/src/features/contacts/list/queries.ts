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
import { CONTACT_JSON } from "../queries.ts";
import type { ContactListQuery, ContactSort } from "./schema.ts";

const SORTS: Record<ContactSort, Sort> = {
  "-created_at": byCreation(true),
  created_at: byCreation(false),
  name: byText("lower(c.name)"),
  "-updated_at": byTime("c.updated_at", true),
};

const SEARCH_TEXT = "contact_search_text(g.name, g.email, g.phone, g.company, g.notes)";

export function contactsPage(db: Queryable, scope: TenantScope, query: ContactListQuery): Promise<{ json: string }> {
  const { limit: _, cursor: __, sort = "-created_at", ...filter } = query;
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("contacts", { sort, ...filter }),
      table: "contacts",
      json: CONTACT_JSON,
      sort: SORTS[sort],
      conditions: (place) => conditionsOf(filter, accountsAsked(scope, filter.account_id), place),
    },
    query,
  );
}

function conditionsOf(filter: ContactListQuery, accounts: readonly string[] | null, place: Place): string[] {
  const { company, owner_id, updated_after } = filter;
  const conditions = ["c.deleted_at is null", ...createdWithin("contact", filter, place)];
  if (accounts !== null) conditions.push(anyOf("c.account_id", accounts, place));
  if (company !== undefined) conditions.push(`c.company is not null and lower(c.company) = lower(${place(company)})`);
  if (owner_id !== undefined) conditions.push(`c.owner_id = ${place(owner_id)}`);
  if (updated_after !== undefined) conditions.push(`c.updated_at >= ${place(updated_after)}`);
  const found = foundBy(filter, place);
  if (found.length > 0) {
    const within = ["g.partner_id = $1", "g.deleted_at is null", ...found];
    if (accounts !== null) within.push(anyOf("g.account_id", accounts, place));
    conditions.push(`c.id = any (array(select g.id from contacts g where ${within.join(" and ")}))`);
  }
  return conditions;
}

/**
 * What only an index of words and values answers. It stands in a query of its own, which has no order and no limit: with them,
 * the planner takes it for quicker to walk the list and compare every row, which took seconds for 200,000 contacts.
 */
function foundBy(filter: ContactListQuery, place: Place): string[] {
  const { q, tag } = filter;
  const conditions = tag === undefined ? [] : [`g.tags && ${place(tag)}`];
  // The words within reach of a slip of the pen, or the very text: a part of a number has no words.
  if (q !== undefined)
    conditions.push(`(${SEARCH_TEXT} like lower(${place(containing(q))}) or lower(${place(q)}) <% ${SEARCH_TEXT})`);
  for (const meant of customFilter(filter)) {
    conditions.push(`g.custom <> '{}' and (${meant.map((values) => `g.custom @> ${place(values)}`).join(" or ")})`);
  }
  return conditions;
}
