import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { apiKeyHint, hashApiKey, isWellFormedApiKey, newApiKey } from "./api-key.ts";

const key = fc.constant(null).map(() => newApiKey());
const BASE62 = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
const KEY_LENGTH = 42;

describe("a key", () => {
  test("is trb_ and 38 characters that need no quoting", () => {
    fc.assert(
      fc.property(key, (key) => {
        expect(key).toMatch(/^trb_[0-9A-Za-z]{38}$/);
        expect(isWellFormedApiKey(key)).toBe(true);
      }),
    );
  });

  test("is not valid with any single character changed, in the prefix, the secret or the checksum", () => {
    fc.assert(
      fc.property(
        key,
        fc.nat(KEY_LENGTH - 1),
        fc.oneof(fc.constantFrom(...BASE62), fc.string({ minLength: 1, maxLength: 1 })),
        (key, index, character) => {
          fc.pre(key[index] !== character);
          expect(isWellFormedApiKey(key.slice(0, index) + character + key.slice(index + 1))).toBe(false);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test("is not valid with two neighbours swapped, a character missing or one too many", () => {
    fc.assert(
      fc.property(key, fc.integer({ min: 4, max: KEY_LENGTH - 2 }), (key, index) => {
        const [left = "", right = ""] = [key[index], key[index + 1]];
        if (left !== right) expect(isWellFormedApiKey(key.slice(0, index) + right + left + key.slice(index + 2))).toBe(false);
        expect(isWellFormedApiKey(key.slice(0, index) + key.slice(index + 1))).toBe(false);
        expect(isWellFormedApiKey(key.slice(0, index) + left + key.slice(index))).toBe(false);
        expect(isWellFormedApiKey(`${key}\n`)).toBe(false);
      }),
    );
  });

  test("is unique, stored as a hash, and shown by its last four characters only", () => {
    const keys = Array.from({ length: 1_000 }, newApiKey);
    expect(new Set(keys).size).toBe(1_000);
    expect(new Set(keys.map((key) => hashApiKey(key).toString("hex"))).size).toBe(1_000);
    for (const key of keys) expect(apiKeyHint(key)).toBe(key.slice(-4));
  });
});

test("any other text is not a valid key, and does not throw", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.string().map((text) => `trb_${text}`),
      ),
      (text) => {
        expect(isWellFormedApiKey(text)).toBe(false);
      },
    ),
  );
});
