import { readWrittenPhone } from "../../../kernel/phone.ts";
import { unstorable } from "../../../platform/http/body.ts";
import type { CustomField } from "../../accounts/custom-fields/index.ts";
import type { Importable, Reading } from "../records/index.ts";
import { CELL_CHARACTERS_MAX, type CellFault, CUSTOM, type Plan, parseJson, parseObject, quote, targetOf } from "./model.ts";

export type ReadRow = { input: Record<string, unknown>; faults: CellFault[] };

/** Converts the cells of a row to the input of a resource. */
export function createRowReader(
  kind: Importable,
  custom: readonly CustomField[],
  plan: Plan,
): (cells: readonly string[]) => ReadRow {
  const readings = new Map<string, Reading>(kind.fields.map(({ name, reading }) => [name, reading]));
  const types = new Map(custom.map(({ key, type }) => [key, type]));
  // Of columns with the same name, the first is read.
  const targets = plan.columns.map((column, index) => (plan.columns.indexOf(column) === index ? targetOf(plan, column) : null));

  return (cells) => {
    const input: Record<string, unknown> = {};
    let customValues: Record<string, unknown> = {};
    const faults: CellFault[] = [];
    if (cells.length !== plan.columns.length) {
      const detail = `The row has ${cells.length} cells, but the file has ${plan.columns.length} columns.`;
      return { input, faults: [{ column: null, code: "wrong_cell_count", detail, value: null }] };
    }
    for (const [index, target] of targets.entries()) {
      const cell = cells[index] ?? "";
      if (target === null || cell === "") continue;
      const refuse = (code: string, detail: string) =>
        void faults.push({ column: plan.columns[index] ?? null, code, detail, value: quote(cell) });
      if (cell.length > CELL_CHARACTERS_MAX) {
        refuse("cell_too_long", `A cell may have at most ${CELL_CHARACTERS_MAX} characters.`);
        continue;
      }
      const key = target.startsWith(CUSTOM) ? target.slice(CUSTOM.length) : null;
      const value =
        key !== null
          ? customValue(types.get(key), cell)
          : target === "custom"
            ? parseObject(cell)
            : read(readings.get(target) ?? "text", cell, plan.default_country);
      const [wrong] = unstorable(value);
      if (wrong !== undefined) refuse(wrong.code, wrong.detail);
      else if (key !== null) customValues[key] = value;
      else if (target !== "custom") input[target] = value;
      else if (value === null) refuse("not_an_object", "custom must be a JSON object.");
      else customValues = { ...customValues, ...value };
    }
    if (Object.keys(customValues).length > 0) input.custom = customValues;
    return { input, faults };
  };
}

function read(reading: Reading, cell: string, country: string | null): unknown {
  if (reading === "phone") return readWrittenPhone(cell, country).phone ?? cell;
  if (reading === "list") return parseList(cell);
  if (reading === "integer") return /^-?\d{1,16}$/.test(cell.trim()) ? Number(cell) : cell;
  if (reading === "object") return parseObject(cell) ?? cell;
  return reading === "trimmed" ? cell.trim() : cell;
}

/** A list as exports write it: separated by semicolons, or as JSON. */
function parseList(cell: string): string[] {
  const json = cell.startsWith("[") ? parseJson(cell) : undefined;
  if (Array.isArray(json) && json.every((item) => typeof item === "string")) return json;
  const items = cell.split(";").map((item) => item.trim());
  return [...new Set(items.filter((item) => item !== ""))];
}

const TRUE = new Set(["true", "yes", "y", "1"]);
const FALSE = new Set(["false", "no", "n", "0"]);

/** A value that does not fit its type stays text, and is refused when the values are validated. */
function customValue(type: CustomField["type"] | undefined, cell: string): unknown {
  const text = cell.trim();
  if (type === "number") return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : cell;
  if (type === "boolean") return TRUE.has(text.toLowerCase()) || (FALSE.has(text.toLowerCase()) ? false : cell);
  if (type === "multi_select") return parseList(cell);
  return type === "text" || type === undefined ? cell : text;
}
