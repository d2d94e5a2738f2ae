import { exampleId, kindOfPattern } from "../../kernel/ids.ts";

/** The parts of a JSON Schema that an example is built from. */
export type JsonSchema = {
  title?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  default?: unknown;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  format?: string;
  pattern?: string;
};

/** An example built from the examples in a schema. A string with a pattern needs its own example, unless it is an id. */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0] ?? {});
  if (schema.type === "object") {
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, member]) => [name, exampleOf(member)]));
  }
  if (schema.type === "array") {
    const { items, maxItems, minItems = 1 } = schema;
    return maxItems === 0 || items === undefined ? [] : Array.from({ length: Math.max(minItems, 1) }, () => exampleOf(items));
  }
  if (schema.type === "string") return exampleText(schema);
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  return schema.type === "boolean" ? false : null;
}

function exampleText({ pattern, format }: JsonSchema): string {
  const kind = pattern === undefined ? null : kindOfPattern(pattern);
  if (kind !== null) return exampleId(kind);
  if (format === "date-time") return "2026-11-02T09:30:00.000Z";
  return "text";
}
