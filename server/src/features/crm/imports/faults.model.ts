import type { Refusal } from "../../../kernel/errors.ts";
import { type CellFault, FAULTS_MAX, type Plan, quote, targetOf } from "./model.ts";

/** The errors of a refused row, each with the column and the cell that it is about. */
export function faultsOf({ code, message, explanation }: Refusal, plan: Plan, cells: readonly string[]): CellFault[] {
  const locate = (field: string | undefined) => {
    const exact = plan.columns.find((one) => field !== undefined && targetOf(plan, one) === field);
    const column = exact ?? plan.columns.find((one) => field !== undefined && isTarget(targetOf(plan, one), field)) ?? null;
    const cell = column === null ? "" : (cells[plan.columns.indexOf(column)] ?? "");
    return { column, value: cell === "" ? null : quote(cell) };
  };
  const { faults = [], meta } = explanation;
  if (faults.length === 0) {
    const [field] = Array.isArray(meta?.fields) ? (meta.fields as string[]) : [];
    return [{ ...locate(field), code, detail: message }];
  }
  // A nullable field has one fault for each of its types: the first is enough.
  const first = new Map(faults.toReversed().map((fault) => [fault.pointer, fault]));
  return [...first.values()]
    .toReversed()
    .slice(0, FAULTS_MAX)
    .map((fault) => ({
      ...locate(fault.pointer.replace(/^#\//, "").replaceAll("/", ".")),
      code: code === "validation_failed" ? fault.code : code,
      detail: fault.detail,
    }));
}

/** Whether a fault in a field is about a column's target: `tags.0` is part of tags, and a name may be split over two columns. */
function isTarget(target: string | null, field: string): boolean {
  if (target === null) return false;
  if (field === "name" && target === "first_name") return true;
  return field === target || field.startsWith(`${target}.`);
}
