import { anyOf, containing, type Place } from "../../../platform/db/keyset.ts";
import { customFilter } from "../../accounts/index.ts";

/** Where a kind of record is looked for: its table, whose rows are called `g`, and the text that a search looks in. */
export type Searched = { table: string; text: string };

/**
 * What only an index of words and values answers. It stands in a query of its own, which has no order and no limit: with them,
 * the planner takes it for quicker to walk the list and compare every row, which took seconds for 200,000 contacts.
 */
export function foundIn(
  { table, text }: Searched,
  filter: { q?: string; tag?: string[] },
  accounts: readonly string[] | null,
  place: Place,
  more: readonly string[] = [],
): string[] {
  const { q, tag } = filter;
  const wanted = [...more];
  if (tag !== undefined) wanted.push(`g.tags && ${place(tag)}`);
  // The words within reach of a slip of the pen, or the very text: a part of a number has no words.
  if (q !== undefined) wanted.push(`(${text} like lower(${place(containing(q))}) or lower(${place(q)}) <% ${text})`);
  for (const meant of customFilter(filter)) {
    wanted.push(`g.custom <> '{}' and (${meant.map((values) => `g.custom @> ${place(values)}`).join(" or ")})`);
  }
  if (wanted.length === 0) return [];
  const within = ["g.partner_id = $1", "g.deleted_at is null", ...wanted];
  if (accounts !== null) within.push(anyOf("g.account_id", accounts, place));
  return [`c.id = any (array(select g.id from ${table} g where ${within.join(" and ")}))`];
}
