import { type Fault, fail } from "../../../kernel/errors.ts";
import { isDay } from "../../../kernel/storable.ts";

export const FIELD_TYPES = ["text", "number", "boolean", "date", "select", "multi_select", "url"] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** What the values of a custom field are checked against. */
export type CustomField = { key: string; type: FieldType; options: string[]; required: boolean; archived: boolean };

/** How many fields an account has for a kind of record, archived ones included. */
export const FIELDS_MAX = 100;

export type Custom = Record<string, string | number | boolean | string[]>;

const TEXT_MAX = 1_000;

/** The code of the fault and the expected value, or null for a valid value. */
type Check = (value: unknown, field: CustomField) => [code: string, expectation: string] | null;

const wrongType = (expectation: string): [string, string] => ["wrong_type", expectation];
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= TEXT_MAX;

const CHECKS: Record<FieldType, Check> = {
  text: (value) => (isText(value) ? null : wrongType(`text of up to ${TEXT_MAX} characters`)),
  number: (value) => (typeof value === "number" ? null : wrongType("a number")),
  boolean: (value) => (typeof value === "boolean" ? null : wrongType("true or false")),
  date: (value) => (isText(value) && isDay(value) ? null : wrongType("a date such as 2026-11-02")),
  url: (value) => (isText(value) && isWebAddress(value) ? null : wrongType("an http or https URL")),
  select: (value, { options }) => (isText(value) && options.includes(value) ? null : ["unknown_option", oneOf(options)]),
  multi_select: (value, { options }) => {
    if (!Array.isArray(value) || new Set(value).size !== value.length) return wrongType("a list of options, each once");
    return value.every((item) => options.includes(item)) ? null : ["unknown_option", `a list of ${oneOf(options)}`];
  },
};

function oneOf(options: readonly string[]): string {
  return `one of ${options.slice(0, 20).join(", ")}`;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/**
 * A record's values after a merge patch: null removes a value, and members that are left out keep theirs. All faults are reported
 * together. Required fields are checked for a new record (`before` is null) and whenever the patch is present.
 */
export function patchCustomValues(
  fields: readonly CustomField[],
  before: Custom | null,
  patch: Record<string, unknown> | undefined,
): Custom {
  if (patch === undefined && before !== null) return before;
  const faults: Fault[] = [];
  const after: Record<string, unknown> = { ...before };
  const refuse = (key: string, code: string, detail: string) =>
    faults.push({ in: "body", pointer: `#/custom/${key}`, code, detail });
  for (const [key, value] of Object.entries(patch ?? {})) {
    const field = fields.find((one) => one.key === key);
    if (field === undefined) refuse(key, "unknown_custom_field", `custom.${key} is not a custom field of this account.`);
    else if (value === null) delete after[key];
    else if (field.archived) refuse(key, "archived_custom_field", `custom.${key} is archived and takes no new values.`);
    else {
      const wrong = CHECKS[field.type](value, field);
      if (wrong !== null) refuse(key, wrong[0], `custom.${key} must be ${wrong[1]}.`);
      after[key] = value;
    }
  }
  for (const { key, required, archived } of fields) {
    if (required && !archived && !Object.hasOwn(after, key)) refuse(key, "required", `custom.${key} is required.`);
  }
  if (faults.length > 0) fail("validation_failed", { faults: faults.slice(0, 50) });
  return after as Custom;
}

/** The fault of the options of a type, if any: they are for the select types alone. */
export function optionsFault(type: FieldType, options: readonly string[]): Pick<Fault, "code" | "detail"> | null {
  const selects = type === "select" || type === "multi_select";
  if (selects === options.length > 0) return null;
  return selects
    ? { code: "required_by_type", detail: `options is required for ${type}.` }
    : { code: "not_of_type", detail: `options does not apply to ${type}.` };
}

const PARAMETER = "custom.";

/**
 * The filters of a list by custom fields, each as the values that its text can represent: a list covers several accounts, and fields
 * of one key may have different types in them.
 */
export function customFilter(query: object): Custom[][] {
  return Object.entries(query as Record<string, string>)
    .filter(([name]) => name.startsWith(PARAMETER))
    .map(([name, text]) => possibleValues(text).map((value) => ({ [name.slice(PARAMETER.length)]: value })));
}

/** The keys of the custom fields that a query filters by. */
export function filteredKeys(query: object): string[] {
  return Object.keys(query)
    .filter((name) => name.startsWith(PARAMETER))
    .map((name) => name.slice(PARAMETER.length));
}

function possibleValues(text: string): Custom[string][] {
  const values: Custom[string][] = [text, [text]];
  if (/^-?\d+(\.\d+)?$/.test(text)) values.push(Number(text));
  if (text === "true" || text === "false") values.push(text === "true");
  return values;
}
