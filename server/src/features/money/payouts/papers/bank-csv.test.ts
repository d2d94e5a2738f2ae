import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { exampleId } from "../../../../kernel/ids.ts";
import { bankCsv } from "./bank-csv.ts";

const payment = { payout_id: exampleId("payout"), attempt: 1, name: "Test Agency", statement_number: "S-000042" };

test("every payment is a line, in the units of its currency, and no name is a formula", () => {
  const text = bankCsv({
    export: { id: exampleId("payout_export"), created_at: "2026-05-15T06:00:00Z", execution_date: "2026-05-18" },
    payments: [
      { ...payment, iban: "DE89370400440532013000", bic: "COBADEFF", amount_cents: 11_738, currency: "eur" },
      {
        ...payment,
        attempt: 2,
        name: '=HYPERLINK("x")',
        iban: null,
        details: "pay@example.org",
        amount_cents: 5_000,
        currency: "jpy",
      },
    ],
  });
  const line = { payout_id: exampleId("payout"), execution_date: "2026-05-18", statement_number: "S-000042" };
  expect(parse(text, { columns: true })).toEqual([
    {
      ...line,
      reference: "pay-01jd3k5y5cf7m8n9p0q1r2s3t4",
      attempt: "1",
      name: "Test Agency",
      iban: "DE89370400440532013000",
      bic: "COBADEFF",
      details: "",
      amount: "117.38",
      currency: "EUR",
    },
    {
      ...line,
      reference: "pay-01jd3k5y5cf7m8n9p0q1r2s3t4-2",
      attempt: "2",
      name: `'=HYPERLINK("x")`,
      iban: "",
      bic: "",
      details: "pay@example.org",
      amount: "5000",
      currency: "JPY",
    },
  ]);
});
