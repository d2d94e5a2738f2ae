import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Refusal } from "./errors.ts";
import { decodeCursor, encodeCursor, listIdentity, pageJson } from "./page.ts";

const text = fc.string({ unit: "grapheme" }).filter((value) => !value.includes("\0"));
const position = fc.array(fc.oneof(text, fc.maxSafeInteger()), { minLength: 1, maxLength: 4 });
const typesOf = (values: unknown[]) => values.map((value) => (typeof value === "number" ? "number" : "string"));

function codeOf(read: () => unknown): string {
  try {
    read();
    return "read";
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error);
  }
}

describe("a cursor", () => {
  test("decodes to the position that it encodes", () => {
    fc.assert(
      fc.property(text, position, (list, position) => {
        expect(decodeCursor(list, encodeCursor(list, position), typesOf(position))).toEqual(position);
      }),
    );
  });

  test("is unchanged by a URL", () => {
    fc.assert(
      fc.property(text, position, (list, position) => {
        const cursor = encodeCursor(list, position);
        expect(encodeURIComponent(cursor)).toBe(cursor);
      }),
    );
  });

  test("is refused by any other list", () => {
    fc.assert(
      fc.property(text, text, position, (list, other, position) => {
        fc.pre(list !== other);
        expect(codeOf(() => decodeCursor(other, encodeCursor(list, position), typesOf(position)))).toBe("invalid_cursor");
      }),
    );
  });

  test("is refused when its position has other types or another length", () => {
    fc.assert(
      fc.property(text, position, fc.array(fc.constantFrom("string", "number")), (list, position, types) => {
        fc.pre(typesOf(position).join() !== types.join());
        expect(codeOf(() => decodeCursor(list, encodeCursor(list, position), types))).toBe("invalid_cursor");
      }),
    );
  });

  test("is refused when it is malformed: any text, any bytes, any JSON", () => {
    const garbage = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.base64String(),
      fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64url")),
      fc.json().map((json) => Buffer.from(json).toString("base64url")),
      fc.array(fc.jsonValue()).map((values) => Buffer.from(JSON.stringify(values)).toString("base64url")),
    );
    fc.assert(
      fc.property(garbage, (cursor) => {
        expect(codeOf(() => decodeCursor("clients", cursor, ["string"]))).toBe("invalid_cursor");
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([["a\0b"], ["\ud800"], [1.5], [2 ** 53], [Number.POSITIVE_INFINITY], [null], [true], [{}], [[]]])(
    "is refused with a position that a database does not take: %j",
    (value) => {
      const cursor = encodeCursor("clients", [value as string]);
      for (const type of ["string", "number"] as const) {
        expect(codeOf(() => decodeCursor("clients", cursor, [type]))).toBe("invalid_cursor");
      }
    },
  );
});

describe("a page", () => {
  test("has at most limit rows, and a cursor exactly when there are more", () => {
    fc.assert(
      fc.property(fc.nat(30), fc.integer({ min: 1, max: 20 }), (total, limit) => {
        const rows = Array.from({ length: Math.min(total, limit + 1) }, (_, id) => ({ id, json: JSON.stringify({ id }) }));
        const page = JSON.parse(pageJson(rows, limit, ({ id }) => `after "${id}"`));
        expect(page.data).toEqual(rows.slice(0, limit).map(({ id }) => ({ id })));
        expect(page.has_more).toBe(total > limit);
        expect(page.next_cursor).toBe(total > limit ? `after "${limit - 1}"` : null);
      }),
    );
  });
});

test("a list's identity does not depend on the order of its filters, and changes with any filter", () => {
  const filters = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.array(fc.string())), { maxKeys: 5 });
  fc.assert(
    fc.property(filters, fc.string(), (given, name) => {
      const turned = Object.fromEntries(Object.entries(given).reverse());
      expect(listIdentity("clients", { ...turned, absent: undefined })).toBe(listIdentity("clients", given));
      const changed = (value: string) => listIdentity("clients", { ...given, [name]: value });
      expect(changed("one")).not.toBe(changed("other"));
    }),
  );
});
