import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSealer } from "./seal.ts";

const sealer = createSealer("a secret key of at least thirty-two characters");
const text = fc.string({ unit: "grapheme" });

describe("a sealed text", () => {
  test("opens to the original text, for its own purpose", () => {
    fc.assert(
      fc.property(text, text, (content, purpose) => {
        expect(sealer.open(sealer.seal(content, purpose), purpose)).toBe(content);
      }),
    );
  });

  test("does not open for another purpose or under another key", () => {
    const other = createSealer("another secret key of thirty-two characters");
    fc.assert(
      fc.property(text, text, text, (content, purpose, wrong) => {
        const sealed = sealer.seal(content, purpose);
        if (wrong !== purpose) expect(() => sealer.open(sealed, wrong)).toThrow();
        expect(() => other.open(sealed, purpose)).toThrow();
      }),
    );
  });

  test("does not open with any byte changed", () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 1, max: 255 }), (content, at, change) => {
        const sealed = sealer.seal(content, "purpose");
        const index = at % sealed.length;
        sealed[index] = (sealed[index] ?? 0) ^ change;
        expect(() => sealer.open(sealed, "purpose")).toThrow();
      }),
      { numRuns: 1_000 },
    );
  });

  test("does not open when it was truncated or extended", () => {
    fc.assert(
      fc.property(text, fc.nat(), (content, at) => {
        const sealed = sealer.seal(content, "purpose");
        expect(() => sealer.open(sealed.subarray(0, at % sealed.length), "purpose")).toThrow();
        expect(() => sealer.open(Buffer.concat([sealed, Buffer.of(0)]), "purpose")).toThrow();
      }),
    );
  });

  test("is different each time, and contains no plain text", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8 }), (content) => {
        const [first, second] = [sealer.seal(content, "purpose"), sealer.seal(content, "purpose")];
        expect(first.equals(second)).toBe(false);
        expect(first.includes(content)).toBe(false);
      }),
    );
  });
});
