import { type Query, type Statement, statement } from "./statement.ts";

/** Up to this many rows are sent as VALUES, at two thirds of the cost of arrays. */
const FEW = 4;

type Column = readonly [name: string, type: string];

/** Builds inserts into one tenant table, for any number of rows of one partner. The columns are those besides `partner_id`. */
export function insertRows(
  table: string,
  columns: readonly Column[],
): (partner_id: string, rows: readonly (readonly unknown[])[]) => Query {
  const names = ["partner_id", ...columns.map(([name]) => name)].join(", ");
  const few = Array.from({ length: FEW }, (_, index) =>
    statement(`insert into ${table} (${names}) values ${tuples(columns.length, index + 1)}`),
  );
  const arrays = columns.map(([, type], index) => `$${index + 2}::${type}[]`).join(", ");
  const many = statement(`insert into ${table} (${names}) select $1, v.* from unnest(${arrays}) as v`);
  return (partner_id, rows) => {
    const plain: Statement | undefined = few[rows.length - 1];
    if (plain !== undefined) return { statement: plain, values: [partner_id, ...rows.flat()] };
    return { statement: many, values: [partner_id, ...columns.map((_, index) => rows.map((row) => row[index]))] };
  };
}

/** `($1, $2, $3), ($1, $4, $5)`: the partner is one parameter for all rows. */
function tuples(width: number, count: number): string {
  const tuple = (row: number) => `($1, ${Array.from({ length: width }, (_, index) => `$${row * width + index + 2}`).join(", ")})`;
  return Array.from({ length: count }, (_, row) => tuple(row)).join(", ");
}
