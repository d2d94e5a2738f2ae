import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Refusal } from "./errors.ts";
import { decodeCursor, encodeCursor, isCursorOf, LIMIT_DEFAULT, listIdentity, pageById, pageJson, pageOf } from "./page.ts";

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

describe("a list with its own statement", () => {
  const rows = Array.from({ length: 30 }, (_, index) => ({ id: `id_${10 + index}`, json: JSON.stringify(index) }));
  const readAfter = async (after: string | null, limit: number) =>
    rows.filter(({ id }) => after === null || id > after).slice(0, limit + 1);

  test("has pages of the default length, each from where the last one ended", async () => {
    const first = JSON.parse((await pageById("things", {}, readAfter)).json);
    expect(first.data).toEqual(Array.from({ length: LIMIT_DEFAULT }, (_, index) => index));
    const second = JSON.parse((await pageById("things", { cursor: first.next_cursor }, readAfter)).json);
    expect(second).toEqual({ data: [25, 26, 27, 28, 29], has_more: false, next_cursor: null });
  });

  test("begins without a position and continues with the one of the last row", async () => {
    const positions: unknown[] = [];
    const read = async (position: (string | number)[] | null) => {
      positions.push(position);
      return rows.slice(0, 3);
    };
    const page = (cursor?: string) =>
      pageOf("things", { limit: 2, cursor }, ["string", "number"], read, ({ id }) => [id, id.length]);
    const { next_cursor } = JSON.parse((await page()).json);
    await page(next_cursor);
    expect(positions).toEqual([null, ["id_11", 5]]);
    await expect(pageOf("others", { cursor: next_cursor }, ["string", "number"], read, () => [])).rejects.toThrow(Refusal);
  });

  test("leaves out rows that have no items", () => {
    const page = pageJson([{ json: "" }, { json: "1,2" }, { json: "" }, { json: "3" }], 9, () => "");
    expect(JSON.parse(page).data).toEqual([1, 2, 3]);
  });
});

test("a cursor is told from that of another list, and from no cursor", () => {
  expect(isCursorOf("things", encodeCursor("things", ["a"]))).toBe(true);
  expect(isCursorOf("others", encodeCursor("things", ["a"]))).toBe(false);
  for (const other of ["", "e30", "%", Buffer.from("null").toString("base64url")])
    expect(isCursorOf("things", other)).toBe(false);
});

test.each([
  ["of another list", encodeCursor("others", ["a"]), "another list"],
  ["that is no cursor", "%", "cannot be read"],
  ["without an owner", "W10", "cannot be read"],
  ["with a position of another type", encodeCursor("things", [1]), "cannot be read"],
])("a cursor %s is refused with the reason", (_, cursor, reason) => {
  expect(() => decodeCursor("things", cursor, ["string"])).toThrow(reason);
});
