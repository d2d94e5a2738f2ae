/** A JSON array in a parameter as rows `v`: `json_to_recordset($3::json) as v (id text, name text)`. */
export function recordset(parameter: string, types: Readonly<Record<string, string>>): string {
  const columns = Object.entries(types).map(([name, type]) => `"${name}" ${type}`);
  return `json_to_recordset(${parameter}::json) as v (${columns.join(", ")})`;
}
