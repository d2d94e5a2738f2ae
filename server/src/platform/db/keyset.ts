import { firstIdAtTime, type Kind } from "../../kernel/ids.ts";
import { decodeCursor, encodeCursor, isCursorOf, LIMIT_DEFAULT, LIMIT_MAX, pageJson } from "../../kernel/page.ts";
import { ALL_ROWS, type Keyed, ownRows, rowsInSpan, spanFrom } from "./search-keys.ts";
import { composedStatement, type Queryable } from "./statement.ts";

/** The order of a list. The id comes last in each; ids are in the order of creation, so alone they are an order, too. */
export type Sort = {
  descending: boolean;
  /** The expression that precedes the id, over the row `c`. */
  by: string | null;
  /** The same expression as the cursor encodes it. */
  key: string;
  type: "string" | "number" | "time" | null;
};

export const byCreation = (descending: boolean): Sort => ({ descending, by: null, key: "null", type: null });
export const byText = (text: string, descending = false): Sort => ({ descending, by: text, key: text, type: "string" });
export const byTime = (column: string, descending: boolean): Sort => ({
  descending,
  by: column,
  key: `(extract(epoch from ${column}) * 1000)::bigint`,
  type: "time",
});
export const byNumber = (column: string, descending: boolean): Sort => ({ descending, by: column, key: column, type: "number" });

/** Adds a value to the parameters of a statement and returns its placeholder. */
export type Place = (value: unknown) => string;

export type Listing = {
  /** The identity that its cursors are bound to: `listIdentity` of its name, filters and sort. */
  list: string;
  /** The table; its alias is `c`. */
  table: string;
  /** Joins that the JSON of a row needs. */
  join?: string;
  /** The JSON of a row. */
  json: string | ((place: Place) => string);
  sort: Sort;
  /** The filters besides the partner. */
  conditions(place: Place): string[];
  /** For a list of all partners. Each is read by its own index, because an index over all of them would cost every write. */
  all_partners?: true;
  /** For such a list: columns from other tables of the partner of a row, which its JSON cannot read where a cluster renders it. */
  columns?: readonly string[];
  /** A filter that only an unordered index answers, such as GIN. */
  search?: Search;
  /** The search to use when the first one matches nothing. Its pages have cursors of their own, so that paging goes on with it. */
  fallback?: Search;
};

export type Search = {
  /** Over a row with the given alias. */
  conditions(row: string, place: Place): string[];
  /** Whether testing a row is cheap: then the first rows of the list are scanned before the index is used. */
  cheap: boolean;
  /** For a search by text: its index has the keys of each row. */
  keyed?: Keyed;
  /** Whether few rows can match: then all are searched at once. */
  rare?: boolean;
};

/** Words of a search that are compared before the whole of it. */
const WORDS_MAX = 8;

/** Rows of a list that are scanned for a frequent value before the index is used. */
const SCAN_MAX = 1_000;

/** The end of the year 9999: only a forged cursor has a later time. */
const TIME_MAX_MS = 253_402_300_799_999;

export type Paging = { limit?: number | undefined; cursor?: string | undefined };

/** The partner whose rows a list shows, or null for a global table. */
export type Tenant = string | null;

/** A page of a list. */
export async function keysetPage(db: Queryable, tenant: Tenant, listing: Listing, paging: Paging): Promise<{ json: string }> {
  const { limit = LIMIT_DEFAULT, cursor } = paging;
  const { fallback, ...exact } = listing;
  const fuzzy = fallback && { ...exact, list: `${exact.list} otherwise`, search: fallback };
  const continues = fuzzy !== undefined && cursor !== undefined && isCursorOf(fuzzy.list, cursor);
  let shown: Listing = continues ? fuzzy : exact;
  let rows = await keysetRows(db, tenant, shown, paging);
  if (rows.length === 0 && cursor === undefined && fuzzy !== undefined) {
    shown = fuzzy;
    rows = await keysetRows(db, tenant, shown, paging);
  }
  return { json: pageJson(rows, limit, ({ key, id }) => encodeCursor(shown.list, key === null ? [id] : [key, id])) };
}

export type KeysetRow = { id: string; key: string | number | null; json: string };

/** The rows of a page, and one more if the list goes on. */
export async function keysetRows(db: Queryable, tenant: Tenant, listing: Listing, paging: Paging): Promise<KeysetRow[]> {
  if (listing.all_partners) return readRows(db, tenant, listing, paging, ofEach);
  const { search, sort } = listing;
  const newest = search?.keyed !== undefined && !search.rare && sort.by === null && sort.descending;
  if (newest) return newestRows(db, tenant, listing, paging);
  if (search?.cheap !== true) return readRows(db, tenant, listing, paging, searched);
  const { limit = LIMIT_DEFAULT } = paging;
  const near = await readRows(db, tenant, listing, paging, scanned);
  return near.length > limit ? near : readRows(db, tenant, listing, paging, searched);
}

/**
 * The newest rows are searched first, so that the page of a common word costs what a page costs, and not what all its matches cost. A word that
 * none of them has is rare: then all rows are searched at once.
 */
async function newestRows(db: Queryable, tenant: Tenant, listing: Listing, paging: Paging, from = 0): Promise<KeysetRow[]> {
  if (from === ALL_ROWS) return readRows(db, tenant, listing, paging, searched);
  const { limit = LIMIT_DEFAULT } = paging;
  const rows = await readRows(db, tenant, listing, paging, spanned, from);
  const span = rows[0]?.span ?? ALL_ROWS;
  // A span in which nothing was found is one row without an id.
  const found = rows.filter(({ id }) => id !== null);
  if (span === ALL_ROWS || found.length > limit) return found;
  return newestRows(db, tenant, listing, paging, found.length === 0 ? ALL_ROWS : span + 1);
}

type Source = (listing: Listing, conditions: string[], order: string, place: Place) => string;

/**
 * The search is a subquery that order and limit do not enter, because of its offset: with them, the planner prefers to scan the list and
 * test every row, which took seconds for 200,000 contacts. What it finds is sorted as it is: to find it again by its ids would cost as much.
 */
const searched: Source = (listing, conditions, order, place) => foundRows(listing, conditions, order, place, ownRows);
const spanned: Source = (listing, conditions, order, place) => foundRows(listing, conditions, order, place, rowsInSpan);

function foundRows(
  { table, search }: Listing,
  conditions: string[],
  order: string,
  place: Place,
  among: (keyed: Keyed, place: Place) => string[],
): string {
  const wanted = search?.conditions("g", place) ?? [];
  if (search?.keyed !== undefined) wanted.push(...among(search.keyed, place));
  const found = `(select * from ${table} g where ${["g.partner_id = $1", ...wanted].join(" and ")} offset 0)`;
  return `select * from ${wanted.length === 0 ? table : found} c where ${conditions.join(" and ") || "true"} order by ${order}`;
}

/** Where many rows match, a page is full after a few: reading all matches from the index would be a waste. */
const scanned: Source = ({ table, search }, conditions, order, place) => `
    select * from (select * from ${table} c where ${conditions.join(" and ")} order by ${order} limit ${SCAN_MAX}) c
    where ${search?.conditions("c", place).join(" and ")} order by ${order}`;

/** Partners are found by their house accounts, which a cluster has on the nodes of their other rows. */
const ofEach: Source = ({ table, columns = [] }, conditions, order) => {
  const rows = `select * from ${table} c where ${["c.partner_id = l.partner_id", ...conditions].join(" and ")} order by ${order} limit ${LIMIT_MAX + 1}`;
  return `select ${["c.*", ...columns].join(", ")} from clients l cross join lateral (${rows}) c where l.house order by ${order}`;
};

/**
 * Only the filters in use are in the statement, so that each form gets the plan of its own index. The inner limit, the longest
 * page, tells the planner that any page is short: without it the plan was not cached, which was a quarter of the cost.
 */
function readRows(
  db: Queryable,
  tenant: Tenant,
  listing: Listing,
  { limit = LIMIT_DEFAULT, cursor }: Paging,
  source: Source,
  from = ALL_ROWS,
) {
  const { list, join = "", json, sort } = listing;
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  // The partner is $1: joins and searches refer to it.
  const owned = tenant === null ? [] : [`c.partner_id = ${place(tenant)}`];
  const rows = place(limit + 1);
  const position = [...owned, ...afterOf(list, sort, cursor, place)];
  const conditions = [...position, ...listing.conditions(place)];
  const rendered = typeof json === "string" ? json : json(place);
  const direction = sort.descending ? "desc" : "asc";
  const order = [...(sort.by === null ? [] : [sort.by]), "c.id"].map((column) => `${column} ${direction}`).join(", ");
  const page = `
  select c.id, ${sort.key} as key, ${rendered} as json
  from (
    ${source(listing, conditions, order, place)}
    limit ${LIMIT_MAX + 1}
  ) c ${join}
  order by ${order}
  limit ${rows}`;
  const { table, search } = listing;
  const spans = from === ALL_ROWS || search?.keyed === undefined ? null : spanFrom(from, table, search.keyed, position, place);
  const text =
    spans === null ? page : `with ${spans} select s.span, c.* from span s left join (${page}) c on true order by c.id desc`;
  return db.query<KeysetRow & { span?: number }>(composedStatement(text), values);
}

function afterOf(list: string, { by, type, descending }: Sort, cursor: string | undefined, place: Place): string[] {
  if (cursor === undefined) return [];
  const key = type === "time" ? "number" : type;
  const position = decodeCursor(list, cursor, [...(key === null ? [] : [key]), "string"])
    .map((value) => (typeof value === "string" ? place(value) : numberPlace(value, type, place)))
    .join(", ");
  const columns = by === null ? "c.id" : `(${by}, c.id)`;
  return [`${columns} ${descending ? "<" : ">"} ${by === null ? position : `(${position})`}`];
}

/** A number of a forged cursor may be too large for the column, and must be comparable all the same. */
function numberPlace(value: number, type: Sort["type"], place: Place): string {
  if (type === "number") return `${place(value)}::bigint`;
  return place(timeWithin(value));
}

/** The time of a cursor, which may be forged, as one that the database can store. */
export function timeWithin(time_ms: number): Date {
  return new Date(Math.min(Math.max(time_ms, 0), TIME_MAX_MS));
}

/** One value is compared with `=`, which an index by (value, id) answers in order. */
export function anyOf(column: string, wanted: readonly unknown[], place: Place): string {
  return wanted.length === 1 ? `${column} = ${place(wanted[0])}` : `${column} = any (${place(wanted)})`;
}

/** Ids are time-ordered, so a range of time is a range of ids. */
export function createdWithin(kind: Kind, range: { created_after?: string; created_before?: string }, place: Place): string[] {
  const { created_after, created_before } = range;
  return [
    ...(created_after === undefined ? [] : [`c.id >= ${place(firstIdAtTime(kind, created_after))}`]),
    ...(created_before === undefined ? [] : [`c.id < ${place(firstIdAtTime(kind, created_before))}`]),
  ];
}

/** A LIKE pattern for text that contains another. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/**
 * The conditions that a text contains another. The index finds what has all its words, which takes a third of the time for an address, and the
 * whole is then tested: as an expression that the index does not have. Parameters are in subqueries, so that no plan depends on them and one is cached.
 */
export function containing(text: string, wanted: string, place: Place): string[] {
  const like = (expression: string, part: string) => `${expression} like (select lower(${place(likePattern(part))}))`;
  const words = wanted.match(/[\p{L}\p{N}]{3,}/gu)?.slice(0, WORDS_MAX) ?? [];
  if (words.length < 2) return [like(text, wanted)];
  return [...words.map((word) => like(text, word)), like(`(${text} || '')`, wanted)];
}

/** Whether a text is a whole e-mail address or telephone number, which few rows have. */
export function isAddressOrNumber(text: string): boolean {
  return /[^\s@]{4}@[^\s@]+\.[^\s@]{2}/.test(text) || /^\+?\d{8,}$/.test(text.replaceAll(/[\s()./-]/g, ""));
}

/** A text shorter than a trigram is in many rows and in no index, so the list is scanned for it. */
export function isShorterThanTrigram(text: string): boolean {
  return text.length < 3;
}
