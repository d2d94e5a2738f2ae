import { isIP } from "node:net";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { TSchema } from "typebox";
import { fail } from "../../kernel/errors.ts";
import { isCurrency } from "../../kernel/money.ts";
import { isCidr } from "./cidr.ts";
import { faultsOf } from "./faults.ts";

const FAULTS_MAX = 50;

type Source = "body" | "query";

/** Bodies are not coerced; query parameters are text, so numbers and booleans are parsed. */
const validators = { body: createAjv(false), query: createAjv("array") };

function createAjv(coerceTypes: false | "array") {
  // A number parsed from text may be infinite, and with strictNumbers ajv would not check it against its bounds.
  const strictNumbers = coerceTypes === false;
  const ajv = new Ajv2020({ allErrors: true, verbose: true, coerceTypes, strict: true, strictNumbers, allowUnionTypes: true });
  addFormats.default(ajv, ["email", "uri"]);
  ajv.addFormat("date-time", isTime);
  ajv.addFormat("date", isDay);
  ajv.addFormat("currency", isCurrency);
  ajv.addFormat("cidr", isCidr);
  ajv.addFormat("ip", (text: string) => isIP(text) !== 0 && !text.includes("%"));
  ajv.addFormat("web-address", (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));
  return ajv;
}

const TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** RFC 3339, as far as Date supports it: no leap seconds. Date would read 30 February as 2 March, so the day is compared. */
function isTime(text: string): boolean {
  const day = TIME.exec(text)?.[1];
  return day !== undefined && !Number.isNaN(Date.parse(text)) && new Date(day).toISOString().startsWith(day);
}

/** A calendar date. The database has no year 0. */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text))) return false;
  return new Date(text).toISOString().startsWith(text);
}

/** Compiled on first use: to compile the schemas of every route takes two fifths of the CPU time of a start. */
export function compile(schema: TSchema, source: Source): (value: unknown) => void {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= validators[source].compile(schema);
    if (!validate(value)) refuse(validate, source);
  };
}

/** Reports all faults at once: 400 for a query, 422 for a body. */
function refuse(validate: ValidateFunction, source: Source): never {
  const faults = faultsOf(validate.errors ?? [], source).slice(0, FAULTS_MAX);
  if (source === "body") fail("validation_failed", { faults });
  fail(faults.some(({ code }) => code === "unknown_parameter") ? "unknown_parameter" : "invalid_parameter", { faults });
}
