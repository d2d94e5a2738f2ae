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

test("a phrase is found as whole words", () => {
  expect(occursIn("real * please", wordsOf("A real person, please!"))).toBe(true);
  expect(occursIn("real * please", wordsOf("real please"))).toBe(false);
  expect(occursIn("uber", wordsOf("Über uns"))).toBe(true);
});

test("property: no text stalls or breaks a slot", () => {
  const slot = fc.record({ type: fc.constantFrom(...SLOT_TYPES), choices: fc.array(fc.string(), { maxLength: 3 }) });
  fc.assert(fc.property(slot, fc.string({ unit: "binary", maxLength: 5_000 }), (given, text) => void read(given, text)));
});
