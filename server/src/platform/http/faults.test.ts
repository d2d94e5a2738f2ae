import { expect, test } from "vitest";
import { type Fault, Refusal } from "../../kernel/errors.ts";
import { CentsByCurrency, Day, FreeText, Id, nullable, Time } from "./shapes.ts";
import { Type } from "./type.ts";
import { compile } from "./validation.ts";

const closed = { additionalProperties: false };
const Body = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 3 }),
    currency: Type.Optional(Type.String({ format: "currency" })),
    starts_at: Type.Optional(nullable(Time)),
    due_on: Type.Optional(Day),
    client_id: Type.Optional(nullable(Id("client"))),
    color: Type.Optional(Type.String({ pattern: "^#[0-9a-f]{6}$", description: "A colour such as #0b7285." })),
    title: Type.Optional(Type.String({ pattern: "\\S" })),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    size: Type.Optional(Type.Enum(["small", "large"])),
    tags: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2, uniqueItems: true })),
    clients: Type.Optional(Type.Union([Type.Literal("all"), Type.Array(Id("client"), { minItems: 1 })])),
    contact: Type.Optional(Type.Object({ email: Type.String({ format: "email" }) }, closed)),
    minimums: Type.Optional(CentsByCurrency("Amounts")),
    search: Type.Optional(FreeText(20, "Text to find", "harbour")),
  },
  { ...closed, minProperties: 1 },
);

function faultsOf(value: object | string, source: "body" | "query" = "body"): { detail: string; faults: Fault[] } {
  try {
    compile(Body, source)(value);
  } catch (error) {
    if (error instanceof Refusal) return { detail: error.message, faults: error.explanation.faults ?? [] };
    throw error;
  }
  throw new Error("valid");
}

test.each<[object | string, string]>([
  [{ count: 1 }, "name is required."],
  [{ name: "" }, "name must not be empty."],
  [{ name: "four" }, "name must have at most 3 characters."],
  [{ name: 1 }, "name must be a string."],
  ["text", "The body must be an object."],
  [{ name: "a", currency: "USD" }, "currency must be a lower-case ISO 4217 code such as usd."],
  [{ name: "a", starts_at: "today" }, "starts_at must be a date and time such as 2026-01-31T12:00:00Z."],
  [{ name: "a", starts_at: 5 }, "starts_at must be a string or null."],
  [{ name: "a", due_on: "31.1.2026" }, "due_on must be a date such as 2026-01-31."],
  [{ name: "a", client_id: "con_1" }, "client_id must be the id of a client, such as cli_01jd3k5y5cf7m8n9p0q1r2s3t4."],
  [{ name: "a", color: "red" }, "color must be a colour such as #0b7285."],
  [{ name: "a", title: " " }, "title must not be blank."],
  [{ name: "a", count: 0 }, "count must be at least 1."],
  [{ name: "a", count: 101 }, "count must be at most 100."],
  [{ name: "a", count: "1" }, "count must be an integer."],
  [{ name: "a", size: "smal" }, "size must be one of small, large. Did you mean small?"],
  [{ name: "a", tags: [] }, "tags must have at least 1 item."],
  [{ name: "a", tags: ["x", "y", "z"] }, "tags must have at most 2 items."],
  [{ name: "a", tags: ["x", "x"] }, "tags must not have the same item twice."],
  [{ name: "a", clients: "some" }, "clients must be all or an array."],
  [{ name: "a", clients: [] }, "clients must have at least 1 item."],
  [{ name: "a", contact: { email: "ada" } }, "contact.email must be an e-mail address such as ada@example.com."],
  [{ name: "a", search: "a\nb" }, "search must not contain line breaks or U+0000."],
  [{ name: "a", curency: "usd" }, "curency is not a field of this operation. Did you mean currency?"],
  [
    { name: "a", contact: { emial: "a@b.example", email: "a@b.example" } },
    "contact.emial is not a field of contact. Did you mean email?",
  ],
  [{ name: "a", minimums: { USD: 5 } }, "minimums.USD must be a lower-case ISO 4217 code such as usd."],
  [{ name: "a", minimums: { usd: 0 } }, "minimums.usd must be at least 1."],
  [{ name: "a", "": 1 }, "A field has no name."],
])("%j: one fault, in plain words", (value, detail) => {
  const { faults, detail: whole } = faultsOf(value);
  expect(faults.map((fault) => fault.detail)).toEqual([detail]);
  expect(whole).toBe(detail);
});

test("an unknown parameter suggests the one that was meant", () => {
  expect(faultsOf({ name: "a", serch: "x" }, "query").detail).toBe(
    "serch is not a parameter of this operation. Did you mean search?",
  );
});

test("the detail of several faults says the first three and counts the rest", () => {
  const { detail, faults } = faultsOf({ count: 0, size: 1, tags: [], due_on: "x" });
  expect(faults).toHaveLength(5);
  expect(detail).toBe(
    "name is required. due_on must be a date such as 2026-01-31. count must be at least 1. 2 more: see errors.",
  );
});

test.each(["1e1", "0x10", " 7", "7.0", "+7", ""])("an integer of a query is written in digits: %j is none", (count) => {
  expect(faultsOf({ name: "a", count }, "query").detail).toBe("count must be an integer.");
});

test("an integer of a query may have leading zeros", () => {
  const query = { name: "a", count: "007" };
  compile(Body, "query")(query);
  expect(query.count).toBe(7);
});
