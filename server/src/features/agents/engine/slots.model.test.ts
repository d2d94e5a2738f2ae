import fc from "fast-check";
import { expect, test } from "vitest";
import { SLOT_TYPES, type Slot } from "./model.ts";
import { readSlot } from "./slots.model.ts";
import { occursIn, wordsOf } from "./words.model.ts";

const read = (slot: Omit<Slot, "ask">, text: string) => readSlot({ ask: "?", ...slot }, text);

test("a slot takes what fits, as people write it", () => {
  for (const [text, value] of [
    ["500", 500],
    ["about 1.500 EUR", 1500],
    ["1,500.50", 1500.5],
    ["1.500,50 €", 1500.5],
    ["-3", -3],
    ["12.5", 12.5],
    ["between 5 and 7", null],
    ["none", null],
    ["A4", null],
  ] as const)
    expect([text, read({ type: "number" }, text)]).toEqual([text, value]);
  expect(read({ type: "number", min: 10, max: 20 }, "21")).toBeNull();
  expect(read({ type: "text", max: 3 }, " abc ")).toBe("abc");
  expect(read({ type: "text", max: 3 }, "abcd")).toBeNull();
  expect(read({ type: "email" }, "it is Ada@Harbour.example, thanks")).toBe("ada@harbour.example");
  expect(read({ type: "email" }, "ada@harbour")).toBeNull();
  expect(read({ type: "phone" }, "call +49 30 901820")).toBe("+4930901820");
  expect(read({ type: "phone" }, "call me")).toBeNull();
  expect(read({ type: "date" }, "on 2.11.2026")).toBe("2026-11-02");
  expect(read({ type: "date" }, "2026-02-30")).toBeNull();
  expect(read({ type: "boolean" }, "Ja, gerne")).toBe(true);
  expect(read({ type: "boolean" }, "no")).toBe(false);
  expect(read({ type: "boolean" }, "yes and no")).toBeNull();
  const choices = ["Café", "Café Größe L", "Tea"];
  expect(read({ type: "choice", choices }, "one CAFE please")).toBe("Café");
  expect(read({ type: "choice", choices }, "cafe größe l")).toBe("Café Größe L");
  expect(read({ type: "choice", choices }, "3")).toBe("Tea");
  expect(read({ type: "choice", choices }, "tea or café")).toBeNull();
});

test.each<[Omit<Slot, "ask">, string, unknown]>([
  [{ type: "number" }, "1.234.567", 1_234_567],
  [{ type: "number" }, "1,234,567.5", 1_234_567.5],
  [{ type: "number" }, "1.50", 1.5],
  [{ type: "number" }, "1234.567", 1234.567],
  [{ type: "number" }, "-1.500", -1500],
  [{ type: "number" }, "5.", 5],
  [{ type: "number" }, "5,..", 5],
  [{ type: "number" }, "9007199254740991", 9_007_199_254_740_991],
  [{ type: "number" }, "9007199254740993", null],
  [{ type: "number" }, "-9007199254740993", null],
  [{ type: "number", min: 10 }, "10", 10],
  [{ type: "number", min: 10 }, "9", null],
  [{ type: "number", max: 10 }, "10", 10],
  [{ type: "number", max: 0 }, "1", null],
  [{ type: "text" }, " ", null],
  [{ type: "text", min: 3 }, "ab", null],
  [{ type: "text", min: 3 }, "abc", "abc"],
  [{ type: "text" }, "x".repeat(2_001), "x".repeat(2_000)],
  [{ type: "text" }, "a\ud800", "a\ufffd"],
  [{ type: "email" }, "<ada@b.example>", "ada@b.example"],
  [{ type: "email" }, "ada@b.co.example!?", "ada@b.co.example"],
  [{ type: "email" }, "ada@b.example or eve@b.example", null],
  [{ type: "email" }, "a@b@c.example", null],
  [{ type: "email" }, "@b.example", null],
  [{ type: "email" }, "ada@b..example", null],
  [{ type: "email" }, `${"x".repeat(244)}@b.example`, `${"x".repeat(244)}@b.example`],
  [{ type: "email" }, `${"x".repeat(245)}@b.example`, null],
  [{ type: "email", max: 3 }, "ada@b.example", "ada@b.example"],
  [{ type: "phone" }, "", null],
  [{ type: "phone" }, "12345", null],
  [{ type: "phone" }, "(+49) 30 / 901820", "+4930901820"],
  [{ type: "phone" }, "+49 (30) 90-18.20, thanks", "+4930901820"],
  [{ type: "date" }, "2026-1-2", "2026-01-02"],
  [{ type: "date" }, "by 2.1.2026.", "2026-01-02"],
  [{ type: "date" }, "31.02.2026", null],
  [{ type: "date" }, "2026-13-01", null],
  [{ type: "date" }, "12026-01-02", null],
  [{ type: "date" }, "2026-01-023", null],
  [{ type: "date" }, "102.1.2026", null],
  [{ type: "date" }, "2.1.20267", null],
  [{ type: "date" }, "tomorrow", null],
  [{ type: "boolean" }, "", null],
  [{ type: "boolean" }, "Não", false],
  [{ type: "boolean" }, "sí", true],
  [{ type: "boolean" }, "maybe", null],
  [{ type: "choice", choices: ["A", "B"] }, "2", "B"],
  [{ type: "choice", choices: ["A", "B"] }, "0", null],
  [{ type: "choice", choices: ["A", "B"] }, "3", null],
  [{ type: "choice", choices: ["A", "B"] }, "2 please", null],
  [{ type: "choice", choices: ["A", "B"] }, "2x", null],
  [{ type: "choice", choices: ["A", "B"] }, "b", "B"],
  [{ type: "choice" }, "1", null],
])("%j of %j is %j", (slot, text, value) => {
  expect(read(slot, text)).toBe(value);
});

test("a phrase is found as whole words", () => {
  expect(occursIn("real * please", wordsOf("A real person, please!"))).toBe(true);
  expect(occursIn("real * please", wordsOf("real please"))).toBe(false);
  expect(occursIn("uber", wordsOf("Über uns"))).toBe(true);
});

test("property: no text stalls or breaks a slot", () => {
  const slot = fc.record({ type: fc.constantFrom(...SLOT_TYPES), choices: fc.array(fc.string(), { maxLength: 3 }) });
  fc.assert(fc.property(slot, fc.string({ unit: "binary", maxLength: 5_000 }), (given, text) => void read(given, text)));
});
