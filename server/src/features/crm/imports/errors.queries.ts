import { listIdentity, pageOf } from "../../../kernel/page.ts";
import type { Paging } from "../../../platform/db/keyset.ts";
import { recordset } from "../../../platform/db/recordset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Person } from "../../../platform/record/context.ts";
import type { CellFault } from "./model.ts";

type ImportId = { partner_id: string; id: string };

/** A failed row with its cells and its errors. */
export type FailedRow = { row: number; cells: readonly string[]; faults: readonly CellFault[] };

const ERROR_TYPES = { row: "int", ordinal: "int", column: "text", code: "text", detail: "text", value: "text", cells: "text[]" };

const insertStatement = statement(`
  insert into import_errors (partner_id, import_id, row, ordinal, column_name, code, detail, value, cells)
  select $1, $2, v.row, v.ordinal, v.column, v.code, v.detail, v.value, v.cells from ${recordset("$3", ERROR_TYPES)}`);

export async function insertErrors(tx: Queryable, { partner_id, id }: ImportId, rows: readonly FailedRow[]): Promise<void> {
  const errors = rows.flatMap(({ row, cells, faults }) =>
    faults.map((fault, ordinal) => ({
      row,
      ordinal,
      ...fault,
      detail: fault.detail.toWellFormed(),
      cells: ordinal === 0 ? cells : null,
    })),
  );
  await tx.query(insertStatement, [partner_id, id, JSON.stringify(errors)]);
}

const pageStatement = statement(`
  select e.row, e.ordinal, (select row_to_json(x)::text from (
    select e.row, e.column_name as column, e.code, e.detail, e.value) x) as json
  from import_errors e
  where e.partner_id = $1 and e.import_id = $2 and (e.row, e.ordinal) > ($3, $4)
  order by e.row, e.ordinal limit $5`);

/** A row has fewer faults than that, so that a cursor holds the row and the ordinal of a fault in one number. */
const ORDINALS = 1_000;
const POSITION_MAX = 2 ** 31 * ORDINALS - 1;

/** The errors of an import, in the order of its rows. */
export function errorsPage(db: Queryable, { partner_id, id }: ImportId, paging: Paging): Promise<{ json: string }> {
  type Found = { row: number; ordinal: number; json: string };
  return pageOf<Found>(
    listIdentity("import-errors", { id }),
    paging,
    ["number"],
    (cursor, limit) => {
      const position = Math.min(Math.max(Number(cursor?.[0] ?? 0), 0), POSITION_MAX);
      const after = [Math.floor(position / ORDINALS), position % ORDINALS];
      return db.query<Found>(pageStatement, [partner_id, id, ...after, limit + 1]);
    },
    ({ row, ordinal }) => [row * ORDINALS + ordinal],
  );
}

const rowsStatement = statement(`
  select e.row, (array_agg(e.cells order by e.ordinal) filter (where e.cells is not null))[1:1] as cells,
    string_agg(coalesce(e.column_name || ': ', '') || e.detail, ' ' order by e.ordinal) as errors
  from import_errors e
  where e.partner_id = $1 and e.import_id = $2 and e.row > $3 and e.row <= (
    select max(row) from (select distinct row from import_errors where partner_id = $1 and import_id = $2 and row > $3 order by row limit $4) r)
  group by e.row order by e.row`);

/** Failed rows after a row, each with its errors in one text. */
export async function failedRows(db: Queryable, { partner_id, id }: ImportId, after: number, limit: number) {
  type Found = { row: number; cells: string[][]; errors: string };
  const rows = await db.query<Found>(rowsStatement, [partner_id, id, after, limit]);
  return rows.map(({ cells, ...rest }) => ({ ...rest, cells: cells.flat() }));
}

const reasonsStatement = statement(`
  select e.column_name as column, e.code, count(distinct e.row)::int as rows, min(e.row) as row,
    (array_agg(e.detail order by e.row))[1] as detail, (array_agg(e.value order by e.row))[1] as value
  from import_errors e where e.partner_id = $1 and e.import_id = $2
  group by e.column_name, e.code order by 3 desc, 4 limit $3`);

/** Why rows failed: an error, in how many rows it is, and the first of them with its cell. */
export type FailureReason = {
  column: string | null;
  code: string;
  rows: number;
  row: number;
  detail: string;
  value: string | null;
};

/** The most frequent errors of an import. */
export function failureReasons(db: Queryable, { partner_id, id }: ImportId, limit: number): Promise<FailureReason[]> {
  return db.query<FailureReason>(reasonsStatement, [partner_id, id, limit]);
}

/** A phone is compared without punctuation, and without its country code where the cell has none. */
const aboutStatement = statement(`
  select e.import_id, e.row from import_errors e join imports i on i.partner_id = $1 and i.id = e.import_id
  where e.partner_id = $1 and i.account_id = any ($2) and e.cells is not null and (
    lower(array_to_string(e.cells, ' ')) like any ($3) or exists (
      select from (select lower(btrim(cell)) as text, ltrim(regexp_replace(cell, '[^0-9]', '', 'g'), '0') as digits from unnest(e.cells) cell) c
      where c.text = any ($4) or length(c.digits) >= 7 and exists (
        select from unnest($5::text[]) phone where right(phone, length(c.digits)) = c.digits)))`);

const eraseStatement = statement(`
  delete from import_errors e using ${recordset("$2", { import_id: "text", row: "int" })}
  where e.partner_id = $1 and e.import_id = v.import_id and e.row = v.row`);

/** Deletes the failed rows that have the phone, the e-mail address, the external id or the name of one of some people. */
export async function eraseFailedRows(db: Queryable, partner_id: string, people: readonly Person[]): Promise<void> {
  const valuesOf = (name: Exclude<keyof Person, "account_id">) =>
    people.flatMap((person) => person[name]?.trim().toLowerCase() || []);
  if (people.length === 0) return;
  const accounts = [...new Set(people.map(({ account_id }) => account_id))];
  const names = valuesOf("name");
  // A full name may be split over two cells, and an address may be within a text.
  const within = [...names.filter((name) => name.includes(" ")), ...valuesOf("email")];
  const patterns = within.map((text) => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`);
  const cells = [...names, ...valuesOf("external_id")];
  const phones = valuesOf("phone").map((phone) => phone.replaceAll(/\D/g, ""));
  const rows = await db.query(aboutStatement, [partner_id, accounts, patterns, cells, phones]);
  if (rows.length > 0) await db.query(eraseStatement, [partner_id, JSON.stringify(rows)]);
}
