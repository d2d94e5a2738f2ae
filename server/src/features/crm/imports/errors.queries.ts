import { decodeCursor, encodeCursor, LIMIT_DEFAULT, listIdentity, pageJson } from "../../../kernel/page.ts";
import type { Paging } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { CellFault } from "./model.ts";

type Place = { partner_id: string; id: string };

/** A row that failed, as it was, and all that is wrong with it. */
export type FailedRow = { row: number; cells: readonly string[]; faults: readonly CellFault[] };

const insertStatement = statement(`
  insert into import_errors (partner_id, import_id, row, ordinal, column_name, code, detail, value, cells)
  select $1, $2, v.row, v.ordinal, v.column, v.code, v.detail, v.value, v.cells
  from json_to_recordset($3::json) as v ("row" int, ordinal int, "column" text, code text, detail text, value text, cells text[])`);

export async function insertErrors(tx: Queryable, { partner_id, id }: Place, rows: readonly FailedRow[]): Promise<void> {
  const errors = rows.flatMap(({ row, cells, faults }) =>
    faults.map((fault, ordinal) => ({ row, ordinal, ...fault, cells: ordinal === 0 ? cells : null })),
  );
  await tx.query(insertStatement, [partner_id, id, JSON.stringify(errors)]);
}

const pageStatement = statement(`
  select e.row, e.ordinal, (select row_to_json(x)::text from (
    select e.row, e.column_name as column, e.code, e.detail, e.value) x) as json
  from import_errors e
  where e.partner_id = $1 and e.import_id = $2 and (e.row, e.ordinal) > ($3, $4)
  order by e.row, e.ordinal limit $5`);

/** A row has far fewer faults than that, so that a row and the place of a fault in it are one number. */
const PER_ROW = 1_000;
const PLACE_MAX = 2 ** 31 * PER_ROW - 1;

/** What is wrong with the rows of an import, in their order. */
export async function errorsPage(db: Queryable, { partner_id, id }: Place, { limit = LIMIT_DEFAULT, cursor }: Paging) {
  const list = listIdentity("import-errors", { id });
  const [held = 0] = cursor === undefined ? [] : decodeCursor(list, cursor, ["number"]);
  const place = Math.min(Math.max(Number(held), 0), PLACE_MAX);
  type Found = { row: number; ordinal: number; json: string };
  const rows = await db.query<Found>(pageStatement, [partner_id, id, Math.floor(place / PER_ROW), place % PER_ROW, limit + 1]);
  return { json: pageJson(rows, limit, (last) => encodeCursor(list, [last.row * PER_ROW + last.ordinal])) };
}

const rowsStatement = statement(`
  select e.row, (array_agg(e.cells order by e.ordinal) filter (where e.cells is not null))[1:1] as cells,
    string_agg(coalesce(e.column_name || ': ', '') || e.detail, ' ' order by e.ordinal) as said
  from import_errors e
  where e.partner_id = $1 and e.import_id = $2 and e.row > $3 and e.row <= (
    select max(row) from (select distinct row from import_errors where partner_id = $1 and import_id = $2 and row > $3 order by row limit $4) r)
  group by e.row order by e.row`);

/** Rows that failed, with all that is wrong with each in one text. */
export async function failedRows(db: Queryable, { partner_id, id }: Place, after: number, limit: number) {
  type Found = { row: number; cells: string[][]; said: string };
  const rows = await db.query<Found>(rowsStatement, [partner_id, id, after, limit]);
  return rows.map(({ cells, ...rest }) => ({ ...rest, cells: cells.flat() }));
}
