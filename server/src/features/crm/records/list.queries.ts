import { anyOf, isShorterThanTrigram, type Listing, likePattern, type Place, type Search } from "../../../platform/db/keyset.ts";
import { customFilter } from "../../accounts/custom-fields/index.ts";

/** More that a kind of record is found by: an object that one of its columns has in it. */
export type Having = { column: string; value: object };

/**
 * What of a list's filters only an index of words and values answers: tags, words, custom fields. `textOf` is what a search looks in, of
 * a row of the name given. A search is for the text itself, anywhere; where nothing has it, for words within reach of a slip of the
 * pen, which many a row may have that nobody meant.
 */
export function searchFilters(
  textOf: (row: string) => string,
  filter: { q?: string; tag?: string[] },
  accounts: readonly string[] | null,
  more: readonly Having[] = [],
): Pick<Listing, "search" | "fallback"> {
  const { q, tag } = filter;
  const custom = customFilter(filter);
  if (q === undefined && tag === undefined && custom.length === 0 && more.length === 0) return {};
  const conditionsOf = (row: string, place: Place) => {
    const wanted = [`${row}.deleted_at is null`, ...more.map(({ column, value }) => `${row}.${column} @> ${place(value)}`)];
    if (tag !== undefined) wanted.push(`${row}.tags && ${place(tag)}`);
    for (const meant of custom) {
      const any = meant.map((values) => `${row}.custom @> ${place(values)}`).join(" or ");
      wanted.push(`${row}.custom <> '{}' and (${any})`);
    }
    if (accounts !== null) wanted.push(anyOf(`${row}.account_id`, accounts, place));
    return wanted;
  };
  if (q === undefined) return { search: { cheap: true, conditions: conditionsOf } };
  const searched = (cheap: boolean, words: (text: string, place: Place) => string): Search => ({
    cheap,
    conditions: (row, place) => [...conditionsOf(row, place), words(textOf(row), place)],
  });
  return {
    search: searched(isShorterThanTrigram(q), (text, place) => `${text} like lower(${place(likePattern(q))})`),
    fallback: searched(false, (text, place) => `lower(${place(q)}) <% ${text}`),
  };
}
