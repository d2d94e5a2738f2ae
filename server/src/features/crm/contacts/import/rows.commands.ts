import { fail, Refusal } from "../../../../kernel/errors.ts";
import { compile } from "../../../../platform/http/validation.ts";
import type { ImportBatch } from "../../records/index.ts";
import { canonicalPhone } from "../model.ts";
import { ContactCreate, ContactPatch } from "../schema.ts";
import type { ContactRow } from "./model.ts";

const checkCreate = compile(ContactCreate, "body");
const checkPatch = compile(ContactPatch, "body");

export function refusalOr<T>(run: () => T): T | Refusal {
  try {
    return run();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Validates a row against the schema, and its phone. */
export function readRow({ mode }: ImportBatch, input: ContactRow): ContactRow {
  const { id, first_name, last_name, ...fields } = input;
  const name = fields.name ?? [first_name, last_name].filter((part) => part !== undefined).join(" ");
  const row = { ...fields, ...(name === "" ? {} : { name }) };
  const form = refusalOr(() => (mode === "update" ? Object.keys(row).length > 0 && checkPatch(row) : checkCreate(row)));
  const phone = refusalOr(() => (row.phone == null ? row.phone : canonicalPhone(row.phone)));
  refuseAll([form, phone].filter((one) => one instanceof Refusal));
  return {
    ...row,
    ...(phone == null ? {} : { phone: phone as string }),
    ...(id === undefined || mode === "create" ? {} : { id }),
  };
}

/** Refuses a row with all its faults at once. */
function refuseAll(refusals: readonly Refusal[]): void {
  const [first, another] = refusals;
  if (another === undefined && first !== undefined) throw first;
  const faults = refusals.flatMap(({ explanation }) => explanation.faults ?? []);
  if (faults.length > 0) fail("validation_failed", { faults });
}
