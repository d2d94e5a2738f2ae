import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import { checkedPayouts } from "./model.ts";
import type { ProgrammePatch } from "./schema.ts";

const IBAN = "DE89370400440532013000";
const debtor = (rest: object = {}) => ({ payout_debtor: { name: "Northlight", iban: IBAN, ...rest } }) as ProgrammePatch;

test("a patch without payouts is as it was sent", () => {
  const patch = { name: "Partners" } as unknown as ProgrammePatch;
  expect(checkedPayouts(patch)).toEqual(patch);
  expect(checkedPayouts({ ...patch, payout_cron: null, payout_debtor: null })).toEqual({
    ...patch,
    payout_cron: null,
    payout_debtor: null,
  });
});

test("the account of the debtor is stored without spaces, its BIC in upper case", () => {
  expect(checkedPayouts(debtor({ iban: "de89 3704 0044 0532 0130 00", bic: "cobadeff xxx" }))).toEqual(
    debtor({ bic: "COBADEFFXXX" }),
  );
  expect(checkedPayouts(debtor())).toEqual(debtor());
  const all = { ...debtor(), payout_cron: "0 6 15 * *", payout_time_zone: "Europe/Berlin" };
  expect(checkedPayouts(all)).toEqual(all);
});

describe("what is none is refused", () => {
  test.each<[ProgrammePatch, string[]]>([
    [{ payout_time_zone: "Europe/Atlantis" }, ["#/payout_time_zone unknown_time_zone"]],
    [{ payout_time_zone: "Europe/Atlantis", payout_debtor: null }, ["#/payout_time_zone unknown_time_zone"]],
    [debtor({ iban: "DE89370400440532013001" }), ["#/payout_debtor/iban wrong_checksum"]],
    [debtor({ bic: "COBA" }), ["#/payout_debtor/bic invalid_bic"]],
    [{ ...debtor(), payout_time_zone: "Europe/Atlantis" }, ["#/payout_time_zone unknown_time_zone"]],
    [debtor({ iban: "", bic: "COBA" }), ["#/payout_debtor/iban unknown_country", "#/payout_debtor/bic invalid_bic"]],
  ])("%j", (patch, faults) => {
    expect(refusalOf(() => checkedPayouts(patch))).toMatchObject({ code: "validation_failed", faults });
  });

  test("a schedule, by its own rule", () => {
    const refusal = refusalOf(() => checkedPayouts({ payout_cron: "every day" }));
    expect(refusal?.code).toBe("validation_failed");
    expect(refusal?.faults).toEqual([expect.stringMatching(/^#\/payout_cron \w+$/)]);
  });
});
