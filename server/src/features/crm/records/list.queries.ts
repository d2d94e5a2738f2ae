import {
  anyOf,
  containing,
  isAddressOrNumber,
  isShorterThanTrigram,
  type Listing,
  type Place,
  type Search,
} from "../../../platform/db/keyset.ts";
import { customFilter } from "../../accounts/custom-fields/index.ts";

/** A filter by containment: a JSON column that contains an object. */
export type Containment = { column: string; value: object };

/**
 * The filters of a list that need a GIN index: tags, search text, custom fields. `textOf` is the expression that is searched, for a row
 * alias. A search matches the text as a substring; only where nothing matches, a fuzzy search tolerates typos.
 */
export function searchFilters(
  textOf: (row: string) => string,
  filter: { q?: string; tag?: string[] },
  accounts: readonly string[] | null,
  more: readonly Containment[] = [],
): Pick<Listing, "search" | "fallback"> {
  const { q, tag } = filter;
  const custom = customFilter(filter);
  if (q === undefined && tag === undefined && custom.length === 0 && more.length === 0) return {};
  const conditionsOf = (row: string, place: Place) => {
    const wanted = [`${row}.deleted_at is null`, ...more.map(({ column, value }) => `${row}.${column} @> ${place(value)}`)];
    if (tag !== undefined) wanted.push(`${row}.tags && ${place(tag)}`);
    for (const alternatives of custom) {
      const any = alternatives.map((values) => `${row}.custom @> ${place(values)}`).join(" or ");
      wanted.push(`${row}.custom <> '{}' and (${any})`);
    }
    if (accounts !== null) wanted.push(anyOf(`${row}.account_id`, accounts, place));
    return wanted;
  };
  if (q === undefined) return { search: { cheap: true, conditions: conditionsOf } };
  const searched = (words: (text: string, place: Place) => string[]): Search => ({
    cheap: false,
    conditions: (row, place) => [...conditionsOf(row, place), ...words(textOf(row), place)],
    keyed: { account: "account_id", accounts },
  });
  const exact = searched((text, place) => containing(text, q, place));
  return {
    search: isShorterThanTrigram(q) ? { cheap: true, conditions: exact.conditions } : { ...exact, rare: isAddressOrNumber(q) },
    fallback: searched((text, place) => [`(select lower(${place(q)})) <% ${text}`]),
  };
}
