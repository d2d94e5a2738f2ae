import fc from "fast-check";

/** As much of JSON Schema as the OpenAPI document uses. */
export type Schema = {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  patternProperties?: Record<string, Schema>;
  propertyNames?: Schema;
  additionalProperties?: boolean | Schema;
  minProperties?: number;
  maxProperties?: number;
  dependentRequired?: Record<string, string[]>;
  examples?: unknown[];
};

export type Resolve = (schema: Schema) => Schema;

const FORMATS: Record<string, fc.Arbitrary<string>> = {
  "date-time": fc.date({ min: new Date(0), max: new Date("2199-12-31"), noInvalidDate: true }).map((date) => date.toISOString()),
  date: fc
    .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  email: fc
    .tuple(fc.stringMatching(/^[a-z0-9]{1,20}$/), fc.stringMatching(/^[a-z]{1,20}\.[a-z]{2,6}$/))
    .map((parts) => parts.join("@")),
  currency: fc.constantFrom("usd", "eur", "jpy", "gbp"),
  cidr: fc.constantFrom("10.0.0.0/8", "127.0.0.0/8", "2001:db8::/32", "192.0.2.7/32"),
  ip: fc.oneof(
    fc.ipV4(),
    fc.ipV6().filter((text) => !text.includes(".")),
  ),
  "web-address": fc.webUrl({ size: "small" }),
  uri: fc.webUrl({ size: "small" }),
};

/** Values that a schema allows, and of those every kind: the shortest, the longest, all members, only the required ones. */
export function valuesOf(given: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((option) => valuesOf(option, resolve)));
  switch (schema.type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: Math.min(schema.maximum ?? 2 ** 31, 2 ** 53 - 1) });
    case "number":
      return fc.double({
        min: schema.minimum ?? -Number.MAX_VALUE,
        max: schema.maximum ?? Number.MAX_VALUE,
        noNaN: true,
      });
    case "string":
      return textsOf(schema);
    case "array":
      return listsOf(schema, resolve);
    case "object":
      return objectsOf(schema, resolve);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Texts of a pattern. Kept, because fast-check reads a pattern for a long time, and the same ones stand in most schemas. */
function matching(pattern: string): fc.Arbitrary<string> {
  const texts = patterns.get(pattern) ?? fc.stringMatching(new RegExp(pattern, "u"), { size: "small" });
  patterns.set(pattern, texts);
  return texts;
}
const patterns = new Map<string, fc.Arbitrary<string>>();

function textsOf({ format, pattern, minLength = 0, maxLength: longest, examples = [] }: Schema): fc.Arbitrary<string> {
  // A pattern may say by itself how long its texts are, such as a hash.
  const maxLength = longest ?? (pattern === undefined ? 60 : Number.POSITIVE_INFINITY);
  const fits = (text: string) => text.length >= minLength && [...text].length <= maxLength;
  if (format !== undefined) return (FORMATS[format] ?? fail(`values of the format ${format}`)).filter(fits);
  const shown = examples.filter((example) => typeof example === "string");
  // A look-ahead cannot be generated from, so the examples stand for it.
  if (pattern?.includes("(?")) return fc.constantFrom(...(shown.length > 0 ? shown : [fail(`an example of ${pattern}`)]));
  if (pattern !== undefined) return matching(pattern).filter(fits).filter(isStorable);
  return fc
    .string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, 300), size: "small" })
    .filter(fits)
    .filter(isStorable);
}

/** No body may have members of these names, as docs/api.md says. */
const FORBIDDEN_NAMES = new Set(["__proto__", "constructor", "prototype"]);

/** What the API says of all text: no U+0000, no half of a pair. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

function listsOf({ items = {}, minItems = 0, maxItems = 5, uniqueItems = false }: Schema, resolve: Resolve) {
  const values = valuesOf(items, resolve);
  const bounds = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 6)) };
  return uniqueItems
    ? fc.uniqueArray(values, { ...bounds, selector: (value) => JSON.stringify(value) })
    : fc.array(values, bounds);
}

function objectsOf(schema: Schema, resolve: Resolve): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [], patternProperties = {}, minProperties = 0, dependentRequired = {} } = schema;
  const [free] = Object.entries(patternProperties);
  if (free !== undefined) {
    const [pattern, member] = free;
    const names = textsOf({ pattern, ...schema.propertyNames })
      .filter(isStorable)
      .filter((name) => !FORBIDDEN_NAMES.has(name));
    return fc.dictionary(names, valuesOf(member, resolve), { maxKeys: 4 });
  }
  const members = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, valuesOf(member, resolve)]));
  return fc
    .record(members, { requiredKeys: required })
    .map((value) => ({ ...value }) as Record<string, unknown>)
    .filter((value) => Object.keys(value).length >= minProperties)
    .filter((value) =>
      Object.entries(dependentRequired).every(([name, others]) => !(name in value) || others.every((other) => other in value)),
    );
}

/** What a schema does not allow: a good value that is spoilt in one place. */
export function spoiltValuesOf(given: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  const otherTypes = [[], {}, "text", 1.5, true, null, -1].filter((value) => !isOfType(schema, value, resolve));
  const options: fc.Arbitrary<unknown>[] = [fc.constantFrom(...otherTypes)];
  if (schema.type === "object" && schema.properties !== undefined) {
    const good = objectsOf(schema, resolve);
    options.push(good.map((value) => ({ ...value, no_such_member: 1 })));
    for (const name of schema.required ?? []) options.push(good.map(({ [name]: _, ...rest }) => rest));
    for (const [name, member] of Object.entries(schema.properties)) {
      options.push(fc.tuple(good, spoiltValuesOf(member, resolve)).map(([value, spoilt]) => ({ ...value, [name]: spoilt })));
    }
  }
  if (schema.type === "integer" && schema.maximum !== undefined) options.push(fc.constant(schema.maximum + 1));
  if (schema.type === "string" && schema.maxLength !== undefined) options.push(fc.constant("x".repeat(schema.maxLength + 1)));
  if (schema.type === "array" && schema.maxItems !== undefined && schema.items !== undefined) {
    const length = schema.maxItems + 1;
    options.push(valuesOf(schema.items, resolve).map((item) => Array(length).fill(item)));
  }
  return fc.oneof(...options);
}

function isOfType(schema: Schema, value: unknown, resolve: Resolve): boolean {
  const { type, anyOf, enum: options } = resolve(schema);
  if (anyOf !== undefined) return anyOf.some((option) => isOfType(option, value, resolve));
  if (options !== undefined) return options.includes(value);
  if (type === undefined) return true;
  if (value === null) return type === "null";
  if (Array.isArray(value)) return type === "array";
  if (type === "integer") return Number.isInteger(value);
  return type === typeof value;
}

function fail(what: string): never {
  throw new Error(`schema-values.ts needs ${what}`);
}
