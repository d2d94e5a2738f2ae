import type { Difference } from "../features/money/charges/index.ts";
import { findPartner } from "./acting.ts";
import { command } from "./shell/command.ts";

const SHOWN_MAX = 100;

export const verifyLedger = command({
  name: "ledger verify",
  summary: "Calculate all money again and compare",
  description:
    "Calculates every commission again from sales, charges, refunds and terms, adds the ledger up again, and compares both with what is stored, payouts with their commissions, transfers and statements, and commissions of the marketplace with its purchases; each book in one snapshot. The service may run meanwhile. The exit code is 1 if anything differs.",
  options: {
    partner: {
      type: "text",
      value: "PARTNER",
      description: "The book of this partner only: its id, or a unique part of its name.",
    },
  },
  examples: [
    { title: "Verify the books of all partners", run: "tributary ledger verify" },
    { title: "Verify one book", run: "tributary ledger verify --partner northwind" },
  ],
  async run(call) {
    const { verifyBook, verifyBooks } = await import("../features/money/charges/index.ts");
    const checks = [
      (await import("../features/money/payouts/index.ts")).checkPayouts,
      (await import("../features/snapshots/marketplace/index.ts")).checkPurchases,
    ];
    const services = await call.services();
    const { partner } = call.options;
    const books =
      partner === undefined
        ? verifyBooks(services.db, checks)
        : [await verifyBook(services.db, await findPartner(services, partner), checks)];
    const report = { books: 0, commissions: 0, differences: [] as Difference[] };
    for await (const { commissions, differences } of books) {
      report.books += 1;
      report.commissions += commissions;
      report.differences.push(...differences);
    }
    call.out.result(report, () => [
      ...report.differences.slice(0, SHOWN_MAX).map(line),
      ...(report.differences.length > SHOWN_MAX
        ? [`… and ${report.differences.length - SHOWN_MAX} more; --json shows all.`]
        : []),
      `${report.books} books with ${report.commissions} commissions: ${report.differences.length === 0 ? "all in order" : `${report.differences.length} differences`}.`,
    ]);
    return report.differences.length === 0 ? 0 : 1;
  },
});

function line({ partner_id, table, id, problem, expected, found }: Difference): string {
  return `${partner_id}  ${table}  ${id}: ${problem}; expected ${expected}, found ${found}`;
}
