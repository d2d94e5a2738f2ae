/** As much of an object's schema as names its members and tells which of them are times. */
type ObjectSchema = { properties: Record<string, unknown> };

type Member = { format?: string; anyOf?: readonly Member[] };

function isTime({ format, anyOf = [] }: Member): boolean {
  return format === "date-time" || anyOf.some(isTime);
}

/** The members of a schema over a row: each is the column of its name, unless it has an expression. */
function members(schema: ObjectSchema, expressions: Record<string, string>, row: string): [name: string, expression: string][] {
  return Object.entries(schema.properties).map(([name, member]) => {
    const column = `${row}.${name}`;
    return [name, expressions[name] ?? (isTime(member as Member) ? `wire_time(${column})` : column)];
  });
}

/** The row `c` as the JSON text that a schema describes: the members of a resource are listed in its schema alone. */
export function rowJson(schema: ObjectSchema, expressions: Record<string, string> = {}): string {
  const list = members(schema, expressions, "c").map(([name, expression]) => `${expression} as ${name}`);
  return `(select row_to_json(x)::text from (select ${list.join(", ")}) x)`;
}

/** A row as the JSON value that a schema describes, for an array within another row. */
export function objectJson(schema: ObjectSchema, row: string): string {
  return `json_build_object(${members(schema, {}, row)
    .map(([name, expression]) => `'${name}', ${expression}`)
    .join(", ")})`;
}

/** Columns of the row `c` as a select list. */
export function selectList(columns: readonly string[]): string {
  return columns.map((column) => `c.${column}`).join(", ");
}

/** The columns and values of an insert of one row, with a parameter for each column in their order. */
export function insertValues(columns: readonly string[]): string {
  return `(${columns.join(", ")}) values (${columns.map((_, index) => `$${index + 1}`).join(", ")})`;
}

/** The assignments of an update, with a parameter for each column, from a number on. */
export function assignments(columns: readonly string[], first: number): string {
  return columns.map((column, index) => `${column} = $${first + index}`).join(", ");
}

/** The values of a row for such parameters. */
export function valuesOf<Name extends string>(row: Record<Name, unknown>, columns: readonly Name[]): unknown[] {
  return columns.map((column) => row[column]);
}

/** A row that was selected as its JSON alone. */
export function parsedRow<Row>([row]: { json: string }[]): (Row & { json: string }) | null {
  return row === undefined ? null : { ...JSON.parse(row.json), json: row.json };
}
