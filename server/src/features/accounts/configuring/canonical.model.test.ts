import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalText, equal, hashOf } from "./canonical.model.ts";
import type { Value } from "./model.ts";

const json = fc.jsonValue({ maxDepth: 3, noUnicodeString: false }) as fc.Arbitrary<Value>;

/** The same value with the members of every object in the other order. */
function reversed(value: Value): Value {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

test("the canonical text sorts members by code units, without spaces", () => {
  expect(canonicalText({ b: [1, { d: null, c: "x\n" }], a: true, "€": 1, B: 1.5 })).toBe(
    '{"B":1.5,"a":true,"b":[1,{"c":"x\\n","d":null}],"€":1}',
  );
  expect(canonicalText([])).toBe("[]");
  expect(canonicalText({})).toBe("{}");
  // An emoji is two units from U+D83D on, before U+FB33, though its code point is after it.
  expect(canonicalText({ "\u{fb33}": 1, "\u{1f600}": 2 })).toBe('{"\u{1f600}":2,"\u{fb33}":1}');
});

test("it is the value, and the order of members does not matter", () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(JSON.parse(canonicalText(value))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalText(reversed(value))).toBe(canonicalText(value));
      expect(equal(reversed(value), value)).toBe(true);
    }),
  );
});

test("two values are equal if and only if their canonical texts are", () => {
  const small = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom(null, 0, 1, "a", "1", true),
      fc.array(tie("value"), { maxLength: 2 }),
      tie("object"),
    ),
    object: fc.dictionary(fc.constantFrom("a", "b"), tie("value"), { maxKeys: 2 }),
  })).value as fc.Arbitrary<Value>;
  fc.assert(
    fc.property(small, small, (a, b) => {
      expect(equal(a, b)).toBe(canonicalText(a) === canonicalText(b));
    }),
    { numRuns: 500 },
  );
});

test.each<[Value | undefined, Value | undefined, boolean]>([
  [undefined, undefined, true],
  [undefined, null, false],
  [null, undefined, false],
  [null, {}, false],
  [{}, null, false],
  [[], {}, false],
  [{}, [], false],
  [[1, 2], [1], false],
  [[1], [1, 2], false],
  [[1, 2], [2, 1], false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: 2 }, { a: 1 }, false],
  [{ a: 1 }, { b: 1 }, false],
  ["1", 1, false],
  [{ a: [{ b: 1, c: 2 }] }, { a: [{ c: 2, b: 1 }] }, true],
])("%j and %j: %s", (a, b, same) => {
  expect(equal(a, b)).toBe(same);
});

test("a hash is SHA-256 in hexadecimal", () => {
  expect(hashOf("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
