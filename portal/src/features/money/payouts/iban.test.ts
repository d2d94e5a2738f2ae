import { expect, test } from "vitest";
import { inGroups } from "./iban.ts";

test("an account number is shown in groups of four, however it is typed", () => {
  for (const typed of ["de89370400440532013000", "DE89 3704 0044 0532 0130 00", " de89 37040044 0532013000 "])
    expect(inGroups(typed)).toBe("DE89 3704 0044 0532 0130 00");
  expect(["", "d", "de89", "de893"].map(inGroups)).toEqual(["", "D", "DE89", "DE89 3"]);
});
