import { type Query, type Statement, statement } from "./statement.ts";

/** Up to this many rows are sent as VALUES, at two thirds of the cost of arrays. */
const FEW = 4;

type Column = readonly [name: string, type: string];

/** Builds inserts into one table, for any number of rows. */
export function insertRows(table: string, columns: readonly Column[]): (rows: readonly (readonly unknown[])[]) => Query {
  const names = columns.map(([name]) => name).join(", ");
  const few = Array.from({ length: FEW }, (_, index) =>
    statement(`insert into ${table} (${names}) values ${tuples(columns.length, index + 1)}`),
  );
  const arrays = columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(", ");
  const many = statement(`insert into ${table} (${names}) select * from unnest(${arrays})`);
  return (rows) => {
    const plain: Statement | undefined = few[rows.length - 1];
    if (plain !== undefined) return { statement: plain, values: rows.flat() };
    return { statement: many, values: columns.map((_, index) => rows.map((row) => row[index])) };
  };
}

function tuples(width: number, count: number): string {
  const tuple = (row: number) => `(${Array.from({ length: width }, (_, index) => `$${row * width + index + 1}`).join(", ")})`;
  return Array.from({ length: count }, (_, row) => tuple(row)).join(", ");
}
