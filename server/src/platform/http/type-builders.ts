// The builders of TypeBox that schemas are written with, typed as TypeBox types them. Its 370 modules, which build the same
// plain objects, would cost every process 0.2 s of CPU time at the start.
import type { TSchema, Type } from "typebox";

export type { Static, TObject, TOptional, TProperties, TSchema, TString } from "typebox";

type Options = Record<string, unknown>;
type Properties = Record<string, TSchema>;

/** Says that a function is TypeBox's builder of that name. Through `never`: a comparison of the generic types exhausts the compiler. */
const typed = <Name extends keyof typeof Type>(builder: (...args: never) => object) => builder as never as (typeof Type)[Name];
const plain = (keywords: Options) => (options?: Options) => ({ ...keywords, ...options });

const boolean = typed<"Boolean">(plain({ type: "boolean" }));
const integer = typed<"Integer">(plain({ type: "integer" }));
const nothing = typed<"Null">(plain({ type: "null" }));
const number = typed<"Number">(plain({ type: "number" }));
const string = typed<"String">(plain({ type: "string" }));
const unknown = typed<"Unknown">(plain({}));

const array = typed<"Array">((items: TSchema, options?: Options) => ({ type: "array", items, ...options }));
const anyOf = typed<"Union">((schemas: TSchema[], options?: Options) => ({ anyOf: schemas, ...options }));
const oneOf = typed<"Enum">((values: unknown[], options?: Options) => ({ enum: values, ...options }));
const literal = typed<"Literal">((value: unknown, options?: Options) => ({ type: typeof value, const: value, ...options }));
const record = typed<"Record">((key: { pattern?: string }, value: TSchema, options?: Options) => ({
  type: "object",
  patternProperties: { [key.pattern ?? "^.*$"]: value },
  ...options,
}));

/** Marks a property that `required` leaves out. Not enumerable: neither JSON nor a copy with other options has it. */
const OPTIONAL = "~optional";
const markOptional = (schema: TSchema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true });
const optional = typed<"Optional">(markOptional);

const object = typed<"Object">((properties: Properties, options?: Options) => {
  const required = Object.entries(properties).flatMap(([name, schema]) => (OPTIONAL in schema ? [] : name));
  return { type: "object", ...(required.length > 0 && { required }), properties, ...options };
});

/** Without the options of the whole object. */
const partial = typed<"Partial">(({ properties }: { properties: Properties }, options?: Options) => {
  const marked = Object.entries(properties).map(([name, schema]) => [name, markOptional(schema)]);
  return { type: "object", properties: Object.fromEntries(marked), ...options };
});

export {
  anyOf as Union,
  array as Array,
  boolean as Boolean,
  integer as Integer,
  literal as Literal,
  nothing as Null,
  number as Number,
  object as Object,
  oneOf as Enum,
  optional as Optional,
  partial as Partial,
  record as Record,
  string as String,
  unknown as Unknown,
};
