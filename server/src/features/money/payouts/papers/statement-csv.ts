import { decimalOf } from "../../../../kernel/money.ts";
import { type Column, csvHeader, csvRows } from "../../../../platform/http/csv.ts";
import { addedUp, type Statement, type StatementRow } from "./statement.model.ts";

const COLUMNS: Column[] = [
  ["statement_number"],
  ["payout_id"],
  ["number"],
  ["commission_id"],
  ["accrued_at"],
  ["kind"],
  ["level"],
  ["client"],
  ["plan"],
  ["charge"],
  ["reason_code"],
  ["base_cents"],
  ["rate_bps"],
  ["amount_cents"],
  ["amount"],
  ["currency"],
];
/** Rows of a chunk. */
const BATCH = 200;

/** The rows of a statement as CSV, in chunks; escaped against formulas as every export. Throws as the PDF does. */
export async function* statementCsv(statement: Statement): AsyncGenerator<string> {
  const { statement_number, payout } = statement;
  yield csvHeader(COLUMNS);
  let lines: object[] = [];
  let number = 0;
  for await (const row of addedUp(statement)) {
    number += 1;
    lines.push({ statement_number, payout_id: payout.id, number, ...lineOf(row, payout.currency) });
    if (lines.length < BATCH) continue;
    yield csvRows(COLUMNS, lines, true);
    lines = [];
  }
  if (lines.length > 0) yield csvRows(COLUMNS, lines, true);
}

function lineOf(row: StatementRow, currency: string) {
  return {
    ...row,
    accrued_at: new Date(row.accrued_at).toISOString(),
    amount: decimalOf(row.amount_cents, currency),
    currency,
  };
}
