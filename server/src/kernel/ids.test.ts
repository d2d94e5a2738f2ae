import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  exampleId,
  firstIdAt,
  firstIdAtTime,
  idPattern,
  isId,
  isIdOrName,
  type Kind,
  kindName,
  kindOfPattern,
  newId,
  PREFIXES,
  resemblesId,
  timeOfId,
} from "./ids.ts";

const KINDS = Object.keys(PREFIXES) as Kind[];
const kind = fc.constantFrom(...KINDS);
/** From the epoch to the last millisecond that 48 bits hold. */
const instant = fc.integer({ min: 0, max: 2 ** 48 - 1 });

describe("an id", () => {
  test("is its kind's prefix and 26 characters, and matches its pattern and isId", () => {
    fc.assert(
      fc.property(kind, instant, (kind, now_ms) => {
        const id = newId(kind, now_ms);
        expect(id).toMatch(new RegExp(idPattern(kind)));
        expect(id).toMatch(new RegExp(`^${PREFIXES[kind]}_[0-9a-hjkmnp-tv-z]{26}$`));
        expect(KINDS.filter((other) => isId(other, id))).toEqual([kind]);
      }),
    );
  });

  test("is not valid with a character outside the alphabet, added or removed", () => {
    const outside = fc.constantFrom("i", "l", "o", "u", "A", "-", "_", " ", "\n", "\0", "é");
    fc.assert(
      fc.property(kind, instant, fc.nat(25), outside, (kind, now_ms, index, character) => {
        const id = newId(kind, now_ms);
        const at = PREFIXES[kind].length + 1 + index;
        for (const wrong of [
          id.slice(0, at) + character + id.slice(at + 1),
          id.slice(0, at) + id.slice(at + 1),
          id + character,
          `${id}0`,
          id.toUpperCase(),
        ]) {
          expect(isId(kind, wrong)).toBe(false);
          expect(new RegExp(idPattern(kind)).test(wrong)).toBe(false);
        }
      }),
    );
  });

  test("sorts by its time, byte by byte", () => {
    fc.assert(
      fc.property(kind, instant, instant, (kind, a_ms, b_ms) => {
        fc.pre(a_ms !== b_ms);
        expect(newId(kind, a_ms) < newId(kind, b_ms)).toBe(a_ms < b_ms);
      }),
    );
  });

  test("is a UUIDv7 with its version and variant bits", () => {
    fc.assert(
      fc.property(instant, (now_ms) => {
        const bits = BigInt(`0b${[...newId("event", now_ms).slice(4)].map(fiveBits).join("")}`);
        expect([bits >> 80n, (bits >> 76n) & 0xfn, (bits >> 62n) & 0b11n]).toEqual([BigInt(now_ms), 7n, 0b10n]);
      }),
    );
  });
});

describe("ids of one millisecond", () => {
  test("keep their order of creation across kinds, even 10,000 of them", () => {
    fc.assert(
      fc.property(instant, (now_ms) => {
        const ids = Array.from({ length: 10_000 }, (_, index) =>
          newId(KINDS[index % KINDS.length] ?? "event", now_ms).slice(-26),
        );
        expect(ids.findIndex((id, index) => index > 0 && id <= (ids[index - 1] ?? ""))).toBe(-1);
      }),
      { numRuns: 10 },
    );
  });

  test("keep their order also when ids of other instants are made between them", () => {
    const made = new Map<number, string[]>();
    for (let index = 0; index < 5_000; index += 1) {
      const now_ms = 1_700_000_000_000 + ((index * 7) % 100);
      made.set(now_ms, [...(made.get(now_ms) ?? []), newId("event", now_ms)]);
    }
    for (const ids of made.values()) expect(ids).toEqual(ids.toSorted());
  });

  test("are between the first id of that millisecond and the first of the next", () => {
    fc.assert(
      fc.property(kind, fc.integer({ min: 0, max: 2 ** 48 - 2 }), (kind, now_ms) => {
        const id = newId(kind, now_ms);
        expect(firstIdAt(kind, now_ms) < id).toBe(true);
        expect(id < firstIdAt(kind, now_ms + 1)).toBe(true);
        expect(isId(kind, firstIdAt(kind, now_ms))).toBe(true);
      }),
    );
  });
});

describe("the time of an id", () => {
  test("is the millisecond that it was made at", () => {
    fc.assert(
      fc.property(kind, instant, (kind, now_ms) => {
        expect(timeOfId(newId(kind, now_ms))).toBe(now_ms);
        expect(timeOfId(firstIdAt(kind, now_ms))).toBe(now_ms);
      }),
    );
  });

  test.each([
    ["2026-11-02T09:30:00.000Z", Date.UTC(2026, 10, 2, 9, 30)],
    ["1970-01-01T00:00:00Z", 0],
    ["1969-12-31T23:59:59Z", 0],
    ["9999-12-31T23:59:59Z", Date.UTC(9999, 11, 31, 23, 59, 59)],
    ["+020000-01-01T00:00:00Z", 2 ** 48 - 1],
  ])("bounds a range from %s, within what an id can hold", (time, time_ms) => {
    expect(firstIdAtTime("client", time)).toBe(firstIdAt("client", time_ms));
  });
});

test("every kind has a prefix of its own, three or four letters", () => {
  expect(new Set(Object.values(PREFIXES)).size).toBe(KINDS.length);
  for (const prefix of Object.values(PREFIXES)) expect(prefix).toMatch(/^[a-z]{3,4}$/);
});

test("ids made in different milliseconds do not repeat their random part", () => {
  const random = Array.from({ length: 2_000 }, (_, at_ms) => newId("event", at_ms).slice(-9));
  expect(new Set(random).size).toBe(random.length);
});

function fiveBits(character: string): string {
  return "0123456789abcdefghjkmnpqrstvwxyz".indexOf(character).toString(2).padStart(5, "0");
}

test("a pattern tells its kind, and a kind has a name in sentences", () => {
  for (const one of KINDS) expect(kindOfPattern(idPattern(one))).toBe(one);
  expect(kindOfPattern("^x$")).toBeNull();
  expect([kindName("audit"), kindName("endpoint"), kindName("link"), kindName("contact"), kindName("payment_link")]).toEqual([
    "audit entry",
    "webhook endpoint",
    "affiliate link",
    "contact",
    "payment link",
  ]);
});

test("a text resembles an id of its kind by its prefix, and is one by all of it", () => {
  expect([resemblesId("contact", "con_x"), resemblesId("contact", "led_x"), resemblesId("contact", "con")]).toEqual([
    true,
    false,
    false,
  ]);
  expect([
    isIdOrName("contact", exampleId("contact")),
    isIdOrName("contact", "con_x"),
    isIdOrName("contact", exampleId("lead")),
  ]).toEqual([true, false, false]);
});

test("ids of one instant differ in their random bits, and the first one at an instant is below all others", () => {
  const tails = Array.from({ length: 50 }, () => newId("contact", 1_000).slice(-9));
  expect(new Set(tails).size).toBe(50);
  expect(timeOfId(firstIdAt("contact", 1_234_567_890))).toBe(1_234_567_890);
  expect(firstIdAt("contact", 1_000) < newId("contact", 1_000)).toBe(true);
});
