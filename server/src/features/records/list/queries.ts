import { anyOf, containing, type Found } from "../../../platform/db/keyset.ts";
import { customFilter } from "../../accounts/index.ts";

/** More that a kind of record is found by: an object that one of its columns has in it. */
export type Having = { column: string; value: object };

/**
 * What of a list's filters only an index of words and values answers: tags, words, custom fields. `text` is what a search looks in, of
 * a row of the name given.
 */
export function foundBy(
  text: (row: string) => string,
  filter: { q?: string; tag?: string[] },
  accounts: readonly string[] | null,
  more: readonly Having[] = [],
): { found?: Found } {
  const { q, tag } = filter;
  const custom = [...customFilter(filter)];
  if (q === undefined && tag === undefined && custom.length === 0 && more.length === 0) return {};
  return {
    found: {
      cheap: q === undefined,
      conditions(row, place) {
        const wanted = [`${row}.deleted_at is null`, ...more.map(({ column, value }) => `${row}.${column} @> ${place(value)}`)];
        if (tag !== undefined) wanted.push(`${row}.tags && ${place(tag)}`);
        // The words within reach of a slip of the pen, or the very text: a part of a number has no words.
        if (q !== undefined)
          wanted.push(`(${text(row)} like lower(${place(containing(q))}) or lower(${place(q)}) <% ${text(row)})`);
        for (const meant of custom) {
          const any = meant.map((values) => `${row}.custom @> ${place(values)}`).join(" or ");
          wanted.push(`${row}.custom <> '{}' and (${any})`);
        }
        if (accounts !== null) wanted.push(anyOf(`${row}.account_id`, accounts, place));
        return wanted;
      },
    },
  };
}
