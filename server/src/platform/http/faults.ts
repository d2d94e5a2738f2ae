import type { ErrorObject } from "ajv/dist/2020.js";
import type { Fault } from "../../kernel/errors.ts";
import { exampleId, kindName, kindOfPattern } from "../../kernel/ids.ts";
import { didYouMean } from "../../kernel/suggest.ts";
import { escapePointer } from "./body.ts";
import { FREE_TEXT } from "./shapes.ts";

type Source = "body" | "query";
type Schema = Record<string, unknown> & { description?: string; properties?: object; anyOf?: Schema[] };

/** How many faults a caller is told, and how many errors are read for them: a body may have tens of thousands. */
const FAULTS_MAX = 50;
const ERRORS_MAX = 4 * FAULTS_MAX;

/** The first errors of Ajv as faults: one for each value, each a sentence that says what would be valid. */
export function faultsOf(errors: readonly ErrorObject[], source: Source): Fault[] {
  const faults = new Map<string, Fault>();
  for (const error of withoutOtherForms(errors.slice(0, ERRORS_MAX))) {
    const fault = describe(error, source);
    if (!faults.has(fault.pointer)) faults.set(fault.pointer, fault);
    if (faults.size === FAULTS_MAX) break;
  }
  return [...faults.values()];
}

/**
 * A value with several forms has errors for each form. Those of the forms that it resembles are enough; a value that
 * resembles none has one error, which names them all.
 */
function withoutOtherForms(errors: readonly ErrorObject[]): ErrorObject[] {
  const dropped = new Set<ErrorObject>();
  for (const choice of errors.filter(({ keyword }) => keyword === "anyOf")) {
    const inside = errors.filter(
      ({ schemaPath, instancePath }) =>
        schemaPath.startsWith(`${choice.schemaPath}/`) && `${instancePath}/`.startsWith(`${choice.instancePath}/`),
    );
    const differs = (form: ErrorObject[]) =>
      form.some(({ keyword, instancePath }) => instancePath === choice.instancePath && /^(type|const)$/.test(keyword));
    const forms = [
      ...Map.groupBy(inside, ({ schemaPath }) => schemaPath.slice(choice.schemaPath.length + 1).split("/")[0]).values(),
    ];
    const others = forms.filter(differs);
    for (const error of others.flat()) dropped.add(error);
    if (others.length < forms.length) dropped.add(choice);
  }
  // What is wrong with the name of a member is an error of its own.
  return errors.filter((error) => !dropped.has(error) && error.keyword !== "propertyNames");
}

function describe(error: ErrorObject, source: Source): Fault {
  const { keyword, instancePath, params, propertyName } = error;
  const name = params.missingProperty ?? params.additionalProperty;
  const noun = source === "body" ? "field" : "parameter";
  if (name === undefined) {
    const inside = propertyName === undefined ? "" : `/${escapePointer(propertyName)}`;
    const pointer = `#${(instancePath + inside).slice(0, 200)}`;
    const code = keyword === "anyOf" ? "type" : keyword;
    return { in: source, pointer, code, detail: `${pathOf(pointer, source)} ${expectation(error)}` };
  }
  const pointer = `#${instancePath}/${escapePointer(String(name))}`;
  const path = pathOf(pointer, source);
  if (keyword === "dependentRequired")
    return { in: source, pointer, code: "required", detail: `${path} is required with ${params.property}.` };
  if (keyword === "required") return { in: source, pointer, code: "required", detail: `${path} is required.` };
  const code = `unknown_${noun}`;
  if (name === "") return { in: source, pointer, code, detail: `A ${noun} has no name.` };
  const { properties, patternProperties } = error.parentSchema as Schema;
  if (patternProperties !== undefined) return { in: source, pointer, code, detail: `The name ${path} is not allowed.` };
  const owner = instancePath === "" ? "this operation" : pathOf(`#${instancePath}`, source);
  const hint = didYouMean(String(name), Object.keys(properties ?? {}));
  return { in: source, pointer, code, detail: `${path} is not a ${noun} of ${owner}.${hint}` };
}

/** A pointer in a sentence: `contact.phone`. A repeated parameter has one name, whichever of its values it is. */
function pathOf(pointer: string, source: Source): string {
  const names = pointer.split("/").slice(1);
  const shown = source === "query" ? names.slice(0, 1) : names;
  return shown.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~")).join(".") || `The ${source}`;
}

const count = (limit: number, noun: string) => `${limit} ${noun}${limit === 1 ? "" : "s"}`;

/** What each keyword expects of a value. */
const EXPECTATIONS: Record<string, (limit: number) => string> = {
  minLength: (limit) => (limit === 1 ? "not be empty" : `have at least ${count(limit, "character")}`),
  maxLength: (limit) => `have at most ${count(limit, "character")}`,
  minItems: (limit) => `have at least ${count(limit, "item")}`,
  maxItems: (limit) => (limit === 0 ? "be empty" : `have at most ${count(limit, "item")}`),
  minProperties: (limit) => `have at least ${count(limit, "field")}`,
  maxProperties: (limit) => `have at most ${count(limit, "field")}`,
  minimum: (limit) => `be at least ${limit}`,
  maximum: (limit) => `be at most ${limit}`,
  uniqueItems: () => "not have the same item twice",
};

const FORMATS: Record<string, string> = {
  "date-time": "a date and time such as 2026-01-31T12:00:00Z",
  date: "a date such as 2026-01-31",
  currency: "a lower-case ISO 4217 code such as usd",
  email: "an e-mail address such as ada@example.com",
  cidr: "a network such as 203.0.113.0/24, with no bits set after the prefix",
  ip: "an IPv4 or IPv6 address",
  uri: "a URL such as https://example.com",
  "web-address": "an http or https URL such as https://example.com",
};

/** Patterns that many fields share. */
const PATTERNS: Record<string, string> = {
  "\\S": "not be blank",
  "^\\S(.*\\S)?$": "not begin or end with whitespace",
  [FREE_TEXT]: "not contain line breaks or U+0000",
};

const TYPES: Record<string, string> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
};

const typeName = (type: unknown) => [type].flat().map((one) => TYPES[String(one)] ?? String(one));

function expectation({ keyword, params, parentSchema, data }: ErrorObject): string {
  const schema = (parentSchema ?? {}) as Schema;
  if (keyword === "type") return `must be ${typeName(params.type).join(" or ")}.`;
  if (keyword === "const") return `must be ${params.allowedValue}.`;
  if (keyword === "anyOf") return `must be ${(schema.anyOf ?? []).map(formName).join(" or ")}.`;
  if (keyword === "enum") {
    const allowed = (params.allowedValues as unknown[]).map(String);
    return `must be one of ${allowed.join(", ")}.${typeof data === "string" ? didYouMean(data, allowed) : ""}`;
  }
  if (keyword === "format") return `must be ${FORMATS[params.format] ?? "valid"}.`;
  if (keyword === "pattern") return `must ${patternRule(params.pattern, schema.description)}.`;
  return `must ${EXPECTATIONS[keyword]?.(params.limit) ?? "be valid"}.`;
}

function formName(form: Schema): string {
  if (form.const !== undefined) return String(form.const);
  return Array.isArray(form.enum) ? `one of ${form.enum.join(", ")}` : typeName(form.type).join(" or ");
}

/** A pattern is never shown: the kind of its ids, its rule in words, or the description of the field. */
function patternRule(pattern: string, description = "of the documented form"): string {
  const kind = kindOfPattern(pattern);
  if (kind === null) return PATTERNS[pattern] ?? `be ${midSentence(description)}`;
  const name = kindName(kind);
  return `be the id of ${/^[aeiou]/.test(name) ? "an" : "a"} ${name}, such as ${exampleId(kind)}`;
}

/** Without its full stop, and in lower case unless it starts with an abbreviation. */
function midSentence(text: string): string {
  return text.replace(/\.$/, "").replace(/^[A-Z](?![A-Z.])/, (letter) => letter.toLowerCase());
}
