/** `$3, $4, $5` for the values of some columns. */
export function placeholders(columns: readonly string[], first: number): string {
  return columns.map((_, index) => `$${first + index}`).join(", ");
}

/** `name = $3, phone = $4` for the values of some columns. */
export function assignments(columns: readonly string[], first: number): string {
  return columns.map((column, index) => `${column} = $${first + index}`).join(", ");
}

/** Columns of a row, qualified by its alias. */
export function columnsOf(row: string, columns: readonly string[]): string {
  return columns.map((column) => `${row}.${column}`).join(", ");
}

type Schema = { properties: Record<string, unknown> };

/**
 * The select list that renders a row as its schema describes it, in the order of the schema. A member is the column of that name of the
 * row `c`, unless it has an expression of its own; times are rendered in the format of the API.
 */
export function membersOf({ properties }: Schema, expressions: Record<string, string> = {}): string {
  return Object.keys(properties)
    .map((name) => `${expressions[name] ?? (name.endsWith("_at") ? `wire_time(c.${name})` : `c.${name}`)} as ${name}`)
    .join(", ");
}
