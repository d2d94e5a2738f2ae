import { firstIdAtTime, type Kind } from "../../kernel/ids.ts";
import { decodeCursor, encodeCursor, isCursorOf, LIMIT_DEFAULT, LIMIT_MAX, pageJson } from "../../kernel/page.ts";
import { composedStatement, type Queryable } from "./statement.ts";

/** The order of a list. Ids come last in each and are in the order of creation, so that alone they are one. */
export type Sort = {
  descending: boolean;
  /** What comes before the id, in terms of the row `c`. */
  by: string | null;
  /** The same as a cursor holds it. */
  held: string;
  type: "string" | "number" | "time" | null;
};

export const byCreation = (descending: boolean): Sort => ({ descending, by: null, held: "null", type: null });
export const byText = (text: string, descending = false): Sort => ({ descending, by: text, held: text, type: "string" });
export const byTime = (column: string, descending: boolean): Sort => ({
  descending,
  by: column,
  held: `(extract(epoch from ${column}) * 1000)::bigint`,
  type: "time",
});
export const byNumber = (column: string, descending: boolean): Sort => ({ descending, by: column, held: column, type: "number" });

/** Puts a value into the statement and gives the place that stands for it. */
export type Place = (value: unknown) => string;

export type Listing = {
  /** What its cursors are bound to: `listIdentity` of its name, filters and sort. */
  list: string;
  /** The table; its rows are called `c`. */
  table: string;
  /** What the JSON of a row takes besides the row. */
  join?: string;
  /** The JSON of a row. */
  json: string | ((place: Place) => string);
  sort: Sort;
  /** What the rows must fulfil besides being the partner's. */
  conditions(place: Place): string[];
  /** What they must fulfil that only an index of values answers, which has no order: in terms of a row of the name given. */
  found?: Found;
  /** What is asked for where nothing is found. Its pages have cursors of their own, so that a walk stays with what it began with. */
  otherwise?: Found;
};

export type Found = {
  conditions(row: string, place: Place): string[];
  /** Whether comparing a row costs next to nothing, so that the first rows of the list may be looked through before the index is asked. */
  cheap: boolean;
};

/** So many rows of a list are looked through for what many have, before all that have it are looked up. */
const WALK = 1_000;

/** The end of the year 9999: later times come only from forged cursors. */
const TIME_MAX_MS = 253_402_300_799_999;

export type Paging = { limit?: number | undefined; cursor?: string | undefined };

/** Whose rows a list shows: one partner's, which every table but the global ones is led by, or everybody's. */
export type Tenant = string | null;

/** A page of a list. */
export async function keysetPage(db: Queryable, tenant: Tenant, listing: Listing, paging: Paging): Promise<{ json: string }> {
  const { limit = LIMIT_DEFAULT, cursor } = paging;
  const { otherwise, ...first } = listing;
  const page = async (asked: Listing) => ({ asked, rows: await keysetRows(db, tenant, asked, paging) });
  const spare = otherwise && { ...first, list: `${first.list} otherwise`, found: otherwise };
  const goesOn = spare !== undefined && cursor !== undefined && isCursorOf(spare.list, cursor);
  let { asked, rows } = await page(goesOn ? spare : first);
  if (rows.length === 0 && cursor === undefined && spare !== undefined) ({ asked, rows } = await page(spare));
  return { json: pageJson(rows, limit, ({ held, id }) => encodeCursor(asked.list, held === null ? [id] : [held, id])) };
}

export type KeysetRow = { id: string; held: string | number | null; json: string };

/** The rows of a page and one more to tell whether the list goes on. */
export async function keysetRows(db: Queryable, tenant: Tenant, listing: Listing, paging: Paging): Promise<KeysetRow[]> {
  if (listing.found?.cheap !== true) return readRows(db, tenant, listing, paging, lookedUp);
  const { limit = LIMIT_DEFAULT } = paging;
  const near = await readRows(db, tenant, listing, paging, walked);
  return near.length > limit ? near : readRows(db, tenant, listing, paging, lookedUp);
}

type Source = (listing: Listing, conditions: string[], order: string, place: Place) => string;

/**
 * What was found stands in a query of its own, which has no order and no limit: with them, the planner takes it for quicker to walk
 * the list and compare every row, which took seconds for 200,000 contacts.
 */
const lookedUp: Source = ({ table, found }, conditions, order, place) => {
  const wanted = found?.conditions("g", place) ?? [];
  const any = `c.id = any (array(select g.id from ${table} g where ${["g.partner_id = $1", ...wanted].join(" and ")}))`;
  return `select * from ${table} c where ${[...conditions, ...(wanted.length === 0 ? [] : [any])].join(" and ") || "true"} order by ${order}`;
};

/** A page is full after a few rows where many have what is wanted; all of them would be looked up for nothing. */
const walked: Source = ({ table, found }, conditions, order, place) => `
    select * from (select * from ${table} c where ${conditions.join(" and ")} order by ${order} limit ${WALK}) c
    where ${found?.conditions("c", place).join(" and ")} order by ${order}`;

/**
 * Only the filters given are in the statement, so that each form gets the plan of its own index. The inner limit, the longest page
 * there is, tells the planner that any page is short: without it every call was planned anew, which was a quarter of its cost.
 */
function readRows(db: Queryable, tenant: Tenant, listing: Listing, { limit = LIMIT_DEFAULT, cursor }: Paging, source: Source) {
  const { list, join = "", json, sort } = listing;
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  // The partner is $1 wherever there is one: what is joined to the rows names it too.
  const whose = tenant === null ? [] : [`c.partner_id = ${place(tenant)}`];
  const rows = place(limit + 1);
  const conditions = [...whose, ...listing.conditions(place), ...afterOf(list, sort, cursor, place)];
  const rendered = typeof json === "string" ? json : json(place);
  const direction = sort.descending ? "desc" : "asc";
  const order = [...(sort.by === null ? [] : [sort.by]), "c.id"].map((column) => `${column} ${direction}`).join(", ");
  return db.query<KeysetRow>(
    composedStatement(`
  select c.id, ${sort.held} as held, ${rendered} as json
  from (
    ${source(listing, conditions, order, place)}
    limit ${LIMIT_MAX + 1}
  ) c ${join}
  order by ${order}
  limit ${rows}`),
    values,
  );
}

function afterOf(list: string, { by, type, descending }: Sort, cursor: string | undefined, place: Place): string[] {
  if (cursor === undefined) return [];
  const held = type === "time" ? "number" : type;
  const position = decodeCursor(list, cursor, [...(held === null ? [] : [held]), "string"])
    .map((value) => (typeof value === "string" ? place(value) : numberPlace(value, type, place)))
    .join(", ");
  const columns = by === null ? "c.id" : `(${by}, c.id)`;
  return [`${columns} ${descending ? "<" : ">"} ${by === null ? position : `(${position})`}`];
}

/** A forged number may be too large for the column, and must then be compared all the same. */
function numberPlace(value: number, type: Sort["type"], place: Place): string {
  if (type === "number") return `${place(value)}::bigint`;
  return place(new Date(Math.min(Math.max(value, 0), TIME_MAX_MS)));
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

/** A pattern for text that has some other in it. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/** A text shorter than a trigram is in so many rows, and in no index, that it is looked for on the way. */
export function isShorterThanTrigram(text: string): boolean {
  return text.length < 3;
}
