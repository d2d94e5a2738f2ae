/**
 * A search whose index has, beside the text, the keys of each row (`search_keys`): of its partner, of its account, and of the partner and
 * a slice of ids at two levels.
 */
export type Keyed = {
  /** The column of the account; of a table of accounts the partner's. */
  account: "account_id" | "partner_id";
  /** The accounts whose rows are wanted; null for all of the partner. */
  accounts: readonly string[] | null;
};

/** How many characters at the end of an id are not in the name of its slice: slices of nine hours, and of twelve days. */
const CUTS = [21, 22];

/** Slices are searched first if the newest of them has at least so many rows. */
const ROWS_MIN = 200;

/** All rows of the partner or of the accounts, after the slices. */
export const ALL_ROWS = CUTS.length;

const keysOf = ({ account }: Keyed) => `search_keys(g.partner_id, g.${account}, g.id)`;

/** The keys of the accounts, or of the partner. Parameters are in subqueries, so that no plan depends on them and one is cached. */
function ownKeys({ accounts }: Keyed, place: (value: unknown) => string): string {
  const owners = accounts === null ? "array[$1]" : `${place(accounts)}::text[]`;
  return `(select array_agg(hashtextextended(o.id, 0)) from unnest(${owners}) o (id))`;
}

/** The condition on the keys of the accounts, or of the partner. */
export function ownRows(keyed: Keyed, place: (value: unknown) => string): string[] {
  return [`${keysOf(keyed)} && ${ownKeys(keyed, place)}`];
}

/** The condition on the keys of a span; its slices are those of the whole partner. */
export function rowsInSpan(keyed: Keyed, place: (value: unknown) => string): string[] {
  return [`${keysOf(keyed)} && (select s.keys from span s)`, ...(keyed.accounts === null ? [] : ownRows(keyed, place))];
}

/**
 * The shortest span that has enough rows, of those from the given one on: the newest two short slices, the newest two long ones, or all rows.
 * `position` are the conditions on partner and position.
 */
export function spanFrom(
  from: number,
  table: string,
  keyed: Keyed,
  position: readonly string[],
  place: (value: unknown) => string,
): string {
  const newest = (more: readonly string[] = [], offset = 0) =>
    `(select c.id from ${table} c where ${[...position, ...more].join(" and ")} order by c.id desc offset ${offset} limit 1)`;
  const keyOf = (id: string, cut: number) => `hashtextextended($1 || left(${id}, -${cut}), 0)`;
  const slices = (cut: number) =>
    `case when e.later >= left(e.first, -${cut}) then array[${keyOf("e.first", cut)}, ${keyOf(newest([`c.id < left(e.first, -${cut})`]), cut)}] end`;
  const spans = CUTS.map((cut, span) => ({ span, keys: slices(cut) })).slice(from);
  return `
    span as materialized (
      select case ${spans.map(({ span }) => `when e.keys${span} is not null then ${span}`).join(" ")} else ${ALL_ROWS} end as span,
        coalesce(${[...spans.map(({ span }) => `e.keys${span}`), ownKeys(keyed, place)].join(", ")}) as keys
      from (select ${spans.map(({ span, keys }) => `${keys} as keys${span}`).join(", ")}
        from (select ${newest()} as first, ${newest([], ROWS_MIN - 1)} as later offset 0) e offset 0) e)`;
}
