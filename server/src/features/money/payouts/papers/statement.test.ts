import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOf, pagesOf } from "../../../../../test/harness/pdf.ts";
import { exampleId, newId } from "../../../../kernel/ids.ts";
import { figure, type Statement, type StatementPayout, type StatementRow } from "./statement.model.ts";
import { statementPdf } from "./statement.ts";
import { statementCsv } from "./statement-csv.ts";

const ROW: StatementRow = {
  commission_id: exampleId("commission"),
  accrued_at: "2026-04-01T12:00:00.000Z",
  kind: "recurring",
  level: 0,
  plan: "Growth plan",
  client: "Harbour Dental",
  charge: "in_1001",
  base_cents: 49_950,
  rate_bps: 1_250,
  amount_cents: 6_244,
  reason_code: null,
};

const rowsOf = (count: number): StatementRow[] =>
  Array.from({ length: count }, (_, index) => ({
    ...ROW,
    commission_id: newId("commission", index),
    amount_cents: index % 10 === 9 ? -index : 1_000 + index,
  }));

const sumOf = (rows: StatementRow[]) => rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0);

function statementOf(rows: StatementRow[], payout: Partial<StatementPayout> = {}, over: Partial<Statement> = {}): Statement {
  const earned = rows.filter(({ amount_cents }) => amount_cents > 0);
  return {
    programme: { name: "Northlight Partners", colour: "#2f5bd8" },
    partner: { company: "Test Agency", id: exampleId("partner") },
    statement_number: "S-000042",
    payout: {
      id: exampleId("payout"),
      currency: "eur",
      gross_cents: sumOf(earned),
      adjustments_cents: sumOf(rows) - sumOf(earned),
      carry_in_cents: 0,
      net_cents: sumOf(rows),
      count: rows.length,
      period_from: "2026-04-15T06:00:00Z",
      period_to: "2026-05-15T06:00:00Z",
      cutoff: "2026-05-14T06:00:00Z",
      scheduled_for: "2026-05-15T06:00:00Z",
      status: "paid",
      paid_at: "2026-05-18T09:00:00Z",
      reference: "BATCH-42",
      method_hint: "SEPA, DE89 3000",
      ...payout,
    },
    rows,
    ...over,
  };
}

const textOf = async (statement: Statement) => (await pagesOf(await bytesOf(statementPdf(statement)))).join("\n");

async function csvOf(statement: Statement): Promise<string> {
  let text = "";
  for await (const chunk of statementCsv(statement)) text += chunk;
  return text;
}

test("the paper says who is paid what, when and how", async () => {
  const text = await textOf(statementOf([ROW, { ...ROW, kind: "reversal", amount_cents: -2_498, reason_code: "refund" }]));
  for (const expected of [
    "S-000042",
    "Northlight Partners",
    `Test Agency\n${exampleId("partner")}`,
    "Status Paid on 18 May 2026",
    "Payout date 15 May 2026",
    "Period 15 Apr 2026 – 15 May 2026",
    "Cut-off 14 May 2026",
    "Paid by SEPA, DE89 3000",
    "Reference BATCH-42",
    "Gross commissions 62.44",
    "Adjustments −24.98",
    "Carried over 0.00",
    "Net payout EUR 37.46",
    "499.50 12.5 % 62.44",
    `Reversal · refund · ${exampleId("commission")} · in_1001`,
    "Total of 2 commissions EUR 37.46",
  ]) {
    expect(text).toContain(expected);
  }
});

test("every row is on the pages once, in its order, under a header, and the pages are numbered", async () => {
  const rows = rowsOf(200);
  const pages = await pagesOf(await bytesOf(statementPdf(statementOf(rows))));
  expect(pages.length).toBeGreaterThan(5);
  for (const [index, page] of pages.entries()) {
    expect(page).toMatch(new RegExp(`^Page ${index + 1} of ?${pages.length} `));
    expect(page).toContain("No. Earned on Commission Base Rate Amount EUR");
  }
  const lines = pages.join("\n").split("\n");
  const shown = lines.flatMap((line, index) =>
    line.startsWith("Recurring · ") ? [{ id: line.split(" · ")[1], amount: lines[index + 1]?.split(" ").at(-1) }] : [],
  );
  expect(shown).toEqual(
    rows.map(({ commission_id, amount_cents }) => ({ id: commission_id, amount: figure(amount_cents, "eur") })),
  );
});

test("names in any script are written as they are read", async () => {
  const names = ["Стоматология «Гавань»", "Щербаков і Їжак", "Οδοντιατρείο Λιμάνι", 'חברת ABC בע"מ', "شركة الميناء", "Łódź Đặng"];
  const text = await textOf(
    statementOf(
      names.map((client) => ({ ...ROW, client, plan: null })),
      {},
      { partner: { company: "סוכנות הבדיקה", id: exampleId("partner") } },
    ),
  );
  for (const name of [...names, "סוכנות הבדיקה"]) expect(text).toContain(name);
});

test("long names are cut, and amounts and ids never", async () => {
  const endless = { ...ROW, client: "x".repeat(5_000), plan: "word ".repeat(500), charge: "y".repeat(500) };
  const text = await textOf(statementOf([{ ...endless, amount_cents: Number.MAX_SAFE_INTEGER }]));
  expect(text).toContain("90,071,992,547,409.91");
  expect(text).toContain(ROW.commission_id);
  expect(text).toContain("…");
  expect(text).toMatch(/^Page 1 of ?1 /);
});

test("amounts are in the units of their currency", async () => {
  const yen = await textOf(statementOf([{ ...ROW, amount_cents: 1_234_567 }], { currency: "jpy" }));
  expect(yen).toContain("Net payout JPY 1,234,567\n");
  const dinar = await textOf(statementOf([{ ...ROW, amount_cents: 1_234_567 }], { currency: "kwd" }));
  expect(dinar).toContain("Net payout KWD 1,234.567\n");
});

test("equal input gives equal bytes", async () => {
  const statement = statementOf(rowsOf(60));
  const [one, two] = await Promise.all([bytesOf(statementPdf(statement)), bytesOf(statementPdf(statement))]);
  expect(one.equals(two)).toBe(true);
});

test.each<[string, Partial<StatementPayout>]>([
  ["the rows make another sum", { gross_cents: 1, net_cents: 1, adjustments_cents: 0 }],
  ["there are other rows", { count: 29 }],
  ["the sums make another net amount", { carry_in_cents: 1 }],
])("no statement is finished when %s", async (_, payout) => {
  await expect(bytesOf(statementPdf(statementOf(rowsOf(30), payout)))).rejects.toThrow();
  await expect(csvOf(statementOf(rowsOf(30), payout))).rejects.toThrow();
});

test("pages leave before the last row is read", async () => {
  let read = 0;
  async function* rows() {
    for (const row of rowsOf(300)) {
      read += 1;
      yield row;
    }
  }
  const chunks = statementPdf(statementOf(rowsOf(300), {}, { rows: rows() }));
  await chunks.next();
  expect(read).toBeLessThan(40);
  await chunks.return(undefined);
});

test("the CSV has every row as it is, and no name is a formula", async () => {
  const rows = [{ ...ROW, client: "=1+1", plan: null }, ...rowsOf(450)];
  const lines = parse(await csvOf(statementOf(rows)), { columns: true }) as Record<string, string>[];
  expect(lines).toHaveLength(451);
  expect(lines[0]).toEqual({
    statement_number: "S-000042",
    payout_id: exampleId("payout"),
    number: "1",
    commission_id: ROW.commission_id,
    accrued_at: "2026-04-01T12:00:00.000Z",
    kind: "recurring",
    level: "0",
    client: "'=1+1",
    plan: "",
    charge: "in_1001",
    reason_code: "",
    base_cents: "49950",
    rate_bps: "1250",
    amount_cents: "6244",
    amount: "62.44",
    currency: "eur",
  });
  expect(lines.reduce((sum, { amount_cents }) => sum + Number(amount_cents), 0)).toBe(sumOf(rows));
});

test("any names make a readable paper", async () => {
  const name = fc.oneof(
    fc.string({ unit: "binary", maxLength: 80 }),
    fc.string({ unit: fc.constantFrom(..."אבגدمحa1 (.)-\u200f\u2067\u202e😀") }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ client: name, plan: name, charge: name }), { minLength: 1, maxLength: 12 }),
      async (some) => {
        const rows = some.map((names, index) => ({ ...ROW, ...names, commission_id: newId("commission", index) }));
        const text = await textOf(statementOf(rows));
        for (const { commission_id } of rows) expect(text).toContain(commission_id);
        expect(text).toContain(`EUR ${figure(sumOf(rows), "eur")}`);
      },
    ),
    { numRuns: 12 },
  );
});
