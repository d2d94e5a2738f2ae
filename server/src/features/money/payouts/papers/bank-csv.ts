import { decimalOf } from "../../../../kernel/money.ts";
import { type Column, csvHeader, csvRows } from "../../../../platform/http/csv.ts";
import { type BankExport, endToEndId, type Payment } from "./payments.ts";

const COLUMNS: Column[] = [
  ["reference"],
  ["payout_id"],
  ["attempt"],
  ["name"],
  ["iban"],
  ["bic"],
  ["details"],
  ["amount"],
  ["currency"],
  ["execution_date"],
  ["statement_number"],
];

/** All payments of an export, in any currency, as lines for a bank's upload or for a bookkeeper. */
export function bankCsv({ export: { execution_date }, payments }: Omit<BankExport, "debtor">): string {
  const rows = payments.map((payment) => ({ ...lineOf(payment), execution_date }));
  return csvHeader(COLUMNS) + csvRows(COLUMNS, rows, true);
}

function lineOf({ payout_id, attempt, name, iban, bic, details, amount_cents, currency, statement_number }: Payment) {
  return {
    reference: endToEndId(payout_id, attempt),
    payout_id,
    attempt,
    name,
    iban,
    bic,
    details,
    amount: decimalOf(amount_cents, currency),
    currency: currency.toUpperCase(),
    statement_number,
  };
}
