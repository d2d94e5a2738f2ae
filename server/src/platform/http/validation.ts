import { isIP } from "node:net";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type Fault, fail } from "../../kernel/errors.ts";
import { isCurrency } from "../../kernel/money.ts";
import { isDay, isTime } from "../../kernel/storable.ts";
import { escapePointer } from "./body.ts";
import { isCidr } from "./cidr.ts";
import type { TSchema } from "./type.ts";

const FAULTS_MAX = 50;

type Source = "body" | "query";

/** Bodies are not coerced; query parameters are text, so numbers and booleans are parsed. */
const validators = { body: createAjv(false), query: createAjv("array") };

function createAjv(coerceTypes: false | "array") {
  // A number parsed from text may be infinite, and with strictNumbers ajv would not check it against its bounds.
  const strictNumbers = coerceTypes === false;
  // Our own schemas are checked by the lint of the OpenAPI document; to compile the meta-schema takes 0.1 s of CPU time.
  const validateSchema = false;
  const ajv = new Ajv2020({ allErrors: true, coerceTypes, strict: true, strictNumbers, allowUnionTypes: true, validateSchema });
  addFormats.default(ajv, ["email", "uri"]);
  ajv.addFormat("date-time", isTime);
  ajv.addFormat("day", isDay);
  ajv.addFormat("currency", isCurrency);
  ajv.addFormat("cidr", isCidr);
  ajv.addFormat("ip", (text: string) => isIP(text) !== 0 && !text.includes("%"));
  ajv.addFormat("web-address", (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));
  return ajv;
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
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== "if");
  const faults = errors.slice(0, FAULTS_MAX).map((error) => describe(error, source));
  const detail =
    faults.length === 1
      ? (faults[0]?.detail ?? "")
      : `${faults.length} ${source === "body" ? "fields" : "parameters"} are not valid.`;
  if (source === "body") fail("validation_failed", { detail, faults });
  const unknown = faults.some(({ code }) => code === "unknown_parameter");
  fail(unknown ? "unknown_parameter" : "invalid_parameter", { detail, faults });
}

function describe(error: ErrorObject, source: Source): Fault {
  const { keyword, instancePath, params } = error;
  const inside = (name: string) => `#${instancePath}/${escapePointer(name)}`;
  const named = (pointer: string) => pointer.replace(/^#\/?/, "") || "the body";
  if (keyword === "required") {
    const pointer = inside(String(params.missingProperty));
    return { in: source, pointer, code: "required", detail: `${named(pointer)} is required.` };
  }
  if (keyword === "additionalProperties" || keyword === "unevaluatedProperties") {
    const pointer = inside(String(params.additionalProperty ?? params.unevaluatedProperty));
    const noun = source === "body" ? "field" : "parameter";
    return { in: source, pointer, code: `unknown_${noun}`, detail: `${named(pointer)} is not a ${noun} of this operation.` };
  }
  const pointer = `#${instancePath.slice(0, 200)}`;
  return { in: source, pointer, code: keyword, detail: `${named(pointer)} ${expectation(error)}.` };
}

function expectation({ keyword, params, parentSchema, message }: ErrorObject): string {
  const description = (parentSchema as { description?: string } | undefined)?.description;
  if (keyword === "enum" || keyword === "const") {
    const allowed = (params.allowedValues ?? [params.allowedValue]) as unknown[];
    return `must be one of ${allowed.map(String).join(", ")}`;
  }
  if (keyword === "pattern" || keyword === "format") {
    return description === undefined ? (message ?? "is not valid") : `is not valid. Expected: ${description.replace(/\.$/, "")}`;
  }
  return message ?? "is not valid";
}
