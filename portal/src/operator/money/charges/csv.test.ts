import { describe, expect, test } from "vitest";
import { startOfDay } from "../../../ui/days.ts";
import { chargesOf, HEADER } from "./csv.ts";

describe("charges from a table", () => {
  test("amounts are whole units of their currency, and what is empty is left out", () => {
    const { charges, faults } = chargesOf(
      `${HEADER}\ncli_1,in_1,499.5,usd,2026-11-01,1,"Growth, ""plus"""\n\ncli_2,in_2,5000,jpy,2026-11-02T10:00:00Z,,\n`,
    );
    expect(faults).toEqual([]);
    expect(charges).toEqual([
      {
        client_id: "cli_1",
        external_id: "in_1",
        amount_cents: 49950,
        currency: "usd",
        charged_at: startOfDay("2026-11-01"),
        months: 1,
        plan: 'Growth, "plus"',
      },
      { client_id: "cli_2", external_id: "in_2", amount_cents: 5000, currency: "jpy", charged_at: "2026-11-02T10:00:00.000Z" },
    ]);
  });

  test("a table that was copied has tabs, and its columns stand in any order", () => {
    const { charges } = chargesOf("amount\tcurrency\tclient_id\texternal_id\tcharged_at\n12\tEUR\tcli_1\tin_1\t2026-11-01");
    expect(charges).toEqual([
      { client_id: "cli_1", external_id: "in_1", amount_cents: 1200, currency: "eur", charged_at: startOfDay("2026-11-01") },
    ]);
  });

  test("what cannot be read is named by its line, the rest is kept", () => {
    const { charges, faults } = chargesOf(
      `${HEADER}\ncli_1,in_1,1e3,usd,2026-11-01\ncli_2,in_2,10,usd,soon\ncli_3,in_3,10,us,2026-11-01\ncli_4,in_4,10,usd,2026-11-01`,
    );
    expect(charges.map(({ external_id }) => external_id)).toEqual(["in_4"]);
    expect(faults.map((fault) => fault.slice(0, 6))).toEqual(["Line 2", "Line 3", "Line 4"]);
  });

  test("without a header nothing is guessed", () => {
    expect(chargesOf("cli_1,in_1,10,usd,2026-11-01")).toMatchObject({
      charges: [],
      faults: [expect.stringContaining("client_id")],
    });
  });
});
