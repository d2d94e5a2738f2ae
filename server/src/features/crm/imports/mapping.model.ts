import { type Fault, fail } from "../../../kernel/errors.ts";
import type { CustomField } from "../../accounts/custom-fields/index.ts";
import type { Importable, ImportMode } from "../records/index.ts";
import { CUSTOM, type Mapping } from "./model.ts";

const normalise = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Maps each column to a field: the requested one, or else the one with its name. */
export function mapColumns(
  kind: Importable,
  custom: readonly CustomField[],
  columns: readonly string[],
  requested: Mapping | undefined,
): Mapping {
  const targets = new Set([...kind.fields.map(({ name }) => name), "custom", ...custom.map(({ key }) => CUSTOM + key)]);
  checkMapping(columns, targets, requested ?? {});
  const byName = fieldsByName(kind, custom);
  const mapping = new Map<string, string | null>();
  const used = new Set(Object.values(requested ?? {}));
  for (const column of columns) {
    if (mapping.has(column)) continue;
    const isRequested = requested !== undefined && Object.hasOwn(requested, column);
    const field = (isRequested ? requested[column] : byName.get(normalise(column))) ?? null;
    const free = field !== null && (isRequested || !used.has(field));
    mapping.set(column, free ? field : null);
    if (free) used.add(field);
  }
  return Object.fromEntries(mapping);
}

function fieldsByName(kind: Importable, custom: readonly CustomField[]): Map<string, string> {
  const byName = new Map<string, string>();
  for (const { key } of custom) for (const name of [key, CUSTOM + key]) byName.set(normalise(name), CUSTOM + key);
  byName.set("custom", "custom");
  for (const { name, synonyms = [] } of kind.fields) for (const one of [...synonyms, name]) byName.set(normalise(one), name);
  return byName;
}

function checkMapping(columns: readonly string[], targets: ReadonlySet<string>, requested: Mapping): void {
  const faults: Fault[] = [];
  const refuse = (code: string, detail: string) => faults.push({ in: "query", pointer: "#/mapping", code, detail });
  const seen = new Set<string>();
  for (const [column, field] of Object.entries(requested)) {
    if (!columns.includes(column)) refuse("unknown_column", `The file has no column ${column.slice(0, 100)}.`);
    if (field === null) continue;
    if (!targets.has(field))
      refuse("unknown_field", `${field.slice(0, 100)} is not a field. Use one of ${[...targets].join(", ")}.`);
    if (seen.has(field)) refuse("mapped_twice", `Two columns are mapped to ${field}.`);
    seen.add(field);
  }
  const detail = faults.length === 1 ? (faults[0]?.detail ?? "") : `The mapping has ${faults.length} errors.`;
  if (faults.length > 0) fail("invalid_parameter", { detail, faults: faults.slice(0, 50) });
}

/** Refuses a file without a column that every row needs. */
export function requireColumns(kind: Importable, mode: ImportMode, mapping: Mapping): void {
  const mapped = new Set(Object.values(mapping));
  const missing = kind.required[mode].find((group) => !group.some((field) => mapped.has(field)));
  if (missing === undefined) return;
  const names = missing.join(", ").replace(/, ([^,]*)$/, " or $1");
  fail("invalid_csv", {
    detail: `No column is mapped to ${names}. Rename the column, or map it with the mapping parameter.`,
    meta: { missing_fields: missing },
  });
}
