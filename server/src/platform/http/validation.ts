import { isIP } from "node:net";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { fail } from "../../kernel/errors.ts";
import { isCurrency } from "../../kernel/money.ts";
import { isDay, isTime } from "../../kernel/storable.ts";
import { isCidr } from "./cidr.ts";
import { faultsOf } from "./faults.ts";
import type { TSchema } from "./type.ts";

type Source = "body" | "query";

/** Bodies are not coerced; query parameters are text, so numbers and booleans are parsed. */
const validators = { body: createAjv(false), query: createAjv("array") };

function createAjv(coerceTypes: false | "array") {
  // A number parsed from text may be infinite, and with strictNumbers ajv would not check it against its bounds.
  const strictNumbers = coerceTypes === false;
  // Our own schemas are checked by the lint of the OpenAPI document; to compile the meta-schema takes 0.1 s of CPU time.
  const checked = { strict: true, strictNumbers, validateSchema: false };
  const ajv = new Ajv2020({ allErrors: true, verbose: true, coerceTypes, allowUnionTypes: true, ...checked });
  addFormats.default(ajv, ["email", "uri"]);
  ajv.addFormat("date-time", isTime);
  ajv.addFormat("date", isDay);
  ajv.addFormat("currency", isCurrency);
  ajv.addFormat("cidr", isCidr);
  ajv.addFormat("ip", (text: string) => isIP(text) !== 0 && !text.includes("%"));
  ajv.addFormat("web-address", (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));
  return ajv;
}

/** Compiled on first use: to compile the schemas of every route takes two fifths of the CPU time of a start. */
export function compile(schema: TSchema, source: Source): (value: unknown) => void {
  let validate: ValidateFunction | undefined;
  const integers = source === "query" ? integersOf(schema) : [];
  return (value) => {
    for (const name of integers) onlyDigits(value as Record<string, unknown>, name);
    validate ??= validators[source].compile(schema);
    if (!validate(value)) refuse(validate, source);
  };
}

function integersOf(schema: TSchema): string[] {
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> };
  return Object.keys(properties).filter((name) => properties[name]?.type === "integer");
}

/** ajv would read "1e3", "0x10" and " 7" as integers. */
function onlyDigits(query: Record<string, unknown>, name: string): void {
  const text = query[name];
  if (typeof text === "string" && !/^-?\d+$/.test(text)) query[name] = `"${text}"`;
}

/** Reports all faults at once: 400 for a query, 422 for a body. */
function refuse(validate: ValidateFunction, source: Source): never {
  const faults = faultsOf(validate.errors ?? [], source);
  if (source === "body") fail("validation_failed", { faults });
  fail(faults.some(({ code }) => code === "unknown_parameter") ? "unknown_parameter" : "invalid_parameter", { faults });
}
