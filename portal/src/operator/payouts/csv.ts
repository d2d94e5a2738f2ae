import { valuesOf } from "../money/charges/csv.ts";
import type { Outcome } from "./data.ts";

export const HEADER = "payout_id,outcome,reference,failure";

export type Parsed = { outcomes: Outcome[]; faults: string[] };

/** The id of a payout; also as bank files write it, with hyphens and the number of the attempt. */
const idOf = (text: string) => text.toLowerCase().replace(/^pay-([0-9a-z]{26})(-\d+)?$/, "pay_$1");

/** Outcomes from a table with a header. What cannot be read is named by its line; the API looks at the rest. */
export function outcomesOf(text: string): Parsed {
  const [head = "", ...lines] = text.trim().split(/\r?\n/);
  const names = valuesOf(head).map((name) => name.toLowerCase());
  const missing = ["payout_id", "outcome"].filter((name) => !names.includes(name));
  if (missing.length > 0)
    return { outcomes: [], faults: [`The first line must name the columns. Missing: ${missing.join(", ")}.`] };
  const parsed: Parsed = { outcomes: [], faults: [] };
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const values = valuesOf(line);
    const value = (name: string) => values[names.indexOf(name)] ?? "";
    const outcome = outcomeOf(value);
    if (typeof outcome === "string") parsed.faults.push(`Line ${index + 2}: ${outcome}`);
    else parsed.outcomes.push(outcome);
  }
  return parsed;
}

/** An outcome, or what is wrong with the line. */
function outcomeOf(value: (name: string) => string): Outcome | string {
  const payout_id = idOf(value("payout_id"));
  const outcome = value("outcome").toLowerCase();
  if (!/^pay_[0-9a-z]{26}$/.test(payout_id)) return `"${value("payout_id")}" is not the id of a payout.`;
  if (outcome === "paid") {
    const reference = value("reference");
    return { payout_id, outcome, ...(reference === "" ? {} : { reference }) };
  }
  if (outcome !== "failed") return `the outcome "${value("outcome")}" is neither paid nor failed.`;
  const failure = value("failure");
  return failure === "" ? "a failed payout needs the reason in the column failure." : { payout_id, outcome, failure };
}
