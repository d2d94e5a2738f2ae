import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Refusal } from "../../kernel/errors.ts";
import { escapePointer, parseBody } from "./body.ts";

function refusalOf(text: string | Buffer): Refusal | null {
  try {
    parseBody(Buffer.from(text as string));
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

const pointersOf = (text: string) => refusalOf(text)?.explanation.faults?.map(({ pointer }) => pointer) ?? [];
const nested = (depth: number, open: string, close: string, inner: string) => open.repeat(depth) + inner + close.repeat(depth);

const plain = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"));
const name = plain.filter((text) => !["__proto__", "constructor", "prototype"].includes(text));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 6 }, plain, fc.integer(), fc.boolean(), fc.constant(null), tie("list"), tie("record")),
  list: fc.array(tie("value"), { maxLength: 4 }),
  record: fc.dictionary(name, tie("value"), { maxKeys: 4 }),
}));

describe("a body", () => {
  test("is parsed as JSON", () => {
    fc.assert(
      fc.property(value, (value) => {
        expect(parseBody(Buffer.from(JSON.stringify(value)))).toEqual(value);
      }),
    );
  });

  test("that is empty has no value", () => {
    expect(parseBody(Buffer.alloc(0))).toBeUndefined();
  });

  test("is accepted with 32 levels and refused with 33, arrays and objects alike", () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      expect(refusalOf(nested(32, open, close, "1"))).toBeNull();
      expect(refusalOf(nested(33, open, close, "1"))?.code).toBe("invalid_json");
      expect(refusalOf(nested(10_000, open, close, "1"))?.code).toBe("invalid_json");
    }
  });

  test("may have any number of brackets in strings and side by side", () => {
    const brackets = fc.string({ unit: fc.constantFrom("[", "{", '"', "\\", "]", "}"), minLength: 40, maxLength: 200 });
    fc.assert(
      fc.property(brackets, (text) => {
        expect(parseBody(Buffer.from(JSON.stringify([text, text])))).toEqual([text, text]);
      }),
    );
    expect(refusalOf(`[${Array<string>(1_000).fill("[[]]").join(",")}]`)).toBeNull();
  });

  test("of any bytes is either parsed or refused", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map(Buffer.from),
      fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(bytes, (bytes) => {
        expect(["invalid_json", "validation_failed", undefined]).toContain(refusalOf(bytes)?.code);
      }),
      { numRuns: 1_000 },
    );
  });

  test("is refused when it is not UTF-8", () => {
    const cut = fc.constantFrom([0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf5, 0x80, 0x80, 0x80]);
    fc.assert(
      fc.property(cut, plain, (wrong, text) => {
        const bytes = Buffer.concat([
          Buffer.from(`"${text.replaceAll(/["\\\p{C}]/gu, "")}`),
          Buffer.from(wrong),
          Buffer.from('"'),
        ]);
        expect(refusalOf(bytes)?.explanation.detail).toContain("UTF-8");
      }),
    );
  });
});

describe("text that the database cannot store", () => {
  test.each([
    ['"\\u0000"', ["#"]],
    ['{"company":"a\\u0000b"}', ["#/company"]],
    ['{"contact":{"name":"\\ud800"}}', ["#/contact/name"]],
    ['{"list":[1,"\\udc00",{"x":"\\u0000"}]}', ["#/list/1", "#/list/2/x"]],
    ['{"a/b~c":"\\u0000"}', ["#/a~1b~0c"]],
    ['{"__proto__":{"x":1}}', ["#/__proto__"]],
    ['{"metadata":{"constructor":"x","prototype":"y"}}', ["#/metadata/constructor", "#/metadata/prototype"]],
  ])("in %s is refused with a pointer to each occurrence", (text, pointers) => {
    expect(refusalOf(text)?.code).toBe("validation_failed");
    expect(pointersOf(text)).toEqual(pointers);
  });

  test("in a member's name is refused, with a valid pointer", () => {
    for (const text of ['{"\\u0000":1}', '{"\\ud800":1}']) {
      const [pointer = ""] = pointersOf(text);
      expect(pointer).toMatch(/^#\//);
      expect(pointer.isWellFormed()).toBe(true);
    }
  });

  test("is reported at most fifty times", () => {
    expect(pointersOf(JSON.stringify(Array<string>(500).fill("\0")))).toHaveLength(50);
  });
});

test("a pointer's segment decodes by RFC 6901 to the first hundred characters of the name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 100 }), (name) => {
      const segment = escapePointer(name);
      expect(segment).not.toContain("/");
      expect(segment.replaceAll("~1", "/").replaceAll("~0", "~")).toBe(name);
    }),
  );
  expect(escapePointer("x".repeat(101))).toBe("x".repeat(100));
});
