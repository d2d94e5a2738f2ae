import { describe, expect, test } from "vitest";
import { HEADER, outcomesOf } from "./csv.ts";

const ID = "pay_01jd3k5y5cf7m8n9p0q1r2s3t4";

describe("outcomes from a table", () => {
  test("paid has a reference, failed a reason, and ids may be as bank files write them", () => {
    const bank = ID.replace("_", "-").toUpperCase();
    const { outcomes, faults } = outcomesOf(
      `${HEADER}\n${ID},Paid,TRB-1,\n\n${bank}-2,failed,,"Account closed, final"\n${bank},paid,,`,
    );
    expect(faults).toEqual([]);
    expect(outcomes).toEqual([
      { payout_id: ID, outcome: "paid", reference: "TRB-1" },
      { payout_id: ID, outcome: "failed", failure: "Account closed, final" },
      { payout_id: ID, outcome: "paid" },
    ]);
  });

  test("what cannot be read is named by its line, the rest is kept", () => {
    const { outcomes, faults } = outcomesOf(`${HEADER}\npay_1,paid\n${ID},done\n${ID},failed\n${ID},paid`);
    expect(outcomes).toEqual([{ payout_id: ID, outcome: "paid" }]);
    expect(faults.map((fault) => fault.slice(0, 6))).toEqual(["Line 2", "Line 3", "Line 4"]);
  });

  test("without a header nothing is guessed", () => {
    expect(outcomesOf(`${ID},paid`)).toMatchObject({ outcomes: [], faults: [expect.stringContaining("payout_id")] });
  });
});
