import { isDay, startOfDay } from "../../../ui/days.ts";
import { inCents } from "../../../ui/money.tsx";
import type { BulkCharge } from "./data.ts";

export const HEADER = "client_id,external_id,amount,currency,charged_at,months,plan";

export type Parsed = { charges: BulkCharge[]; faults: string[] };

/** The values of a line; a value in quotes may have commas and doubled quotes. Tables are copied with tabs. */
export function valuesOf(line: string): string[] {
  if (line.includes("\t")) return line.split("\t").map((value) => value.trim());
  const values = [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, value = ""]) => value);
  return values.slice(0, -1).map((value) =>
    value
      .trim()
      .replace(/^"(.*)"$/s, "$1")
      .replaceAll('""', '"'),
  );
}

function amountOf(text: string, currency: string): number | null {
  return /^\d+(\.\d+)?$/.test(text) && /^[a-z]{3}$/.test(currency) ? inCents(text, currency) : null;
}

/** Charges from a table with a header. What cannot be read is named by its line; the API looks at the rest. */
export function chargesOf(text: string): Parsed {
  const [head = "", ...lines] = text.trim().split(/\r?\n/);
  const names = valuesOf(head).map((name) => name.toLowerCase());
  const missing = ["client_id", "external_id", "amount", "currency", "charged_at"].filter((name) => !names.includes(name));
  if (missing.length > 0)
    return { charges: [], faults: [`The first line must name the columns. Missing: ${missing.join(", ")}.`] };
  const parsed: Parsed = { charges: [], faults: [] };
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const values = valuesOf(line);
    const value = (name: string) => values[names.indexOf(name)] ?? "";
    const currency = value("currency").toLowerCase();
    const amount_cents = amountOf(value("amount"), currency);
    const at = value("charged_at");
    const charged = new Date(isDay(at) ? startOfDay(at) : at);
    const months = value("months");
    if (amount_cents === null)
      parsed.faults.push(`Line ${index + 2}: the amount "${value("amount")}" is not a number of ${currency || "a currency"}.`);
    else if (Number.isNaN(charged.getTime())) parsed.faults.push(`Line ${index + 2}: "${at}" is not a date.`);
    else
      parsed.charges.push({
        client_id: value("client_id"),
        external_id: value("external_id"),
        amount_cents,
        currency,
        charged_at: charged.toISOString(),
        ...(months === "" ? {} : { months: Number(months) }),
        ...(value("plan") === "" ? {} : { plan: value("plan") }),
      });
  }
  return parsed;
}
