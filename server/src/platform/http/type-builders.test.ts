import { Type as TypeBox } from "typebox";
import { expect, test } from "vitest";
import { Type } from "./type.ts";

type Builders = typeof Type;

const SCHEMAS: ((type: Builders) => object)[] = [
  (type) => type.Boolean({ default: true }),
  (type) => type.Integer({ minimum: 1 }),
  (type) => type.Number(),
  (type) => type.String({ minLength: 1 }),
  (type) => type.Unknown({ title: "Anything" }),
  (type) => type.Array(type.String(), { maxItems: 2 }),
  (type) => type.Union([type.String(), type.Null()], { description: "A name" }),
  (type) => type.Enum(["a", "b"], { type: "string" }),
  (type) => type.Literal("all", { description: "Everything" }),
  (type) => type.Literal(1),
  (type) => type.Record(type.String(), type.Integer(), { maxProperties: 3 }),
  (type) => type.Record(type.String({ pattern: "^[a-z]{1,40}$" }), type.Integer()),
  (type) => type.Object({}),
  (type) => type.Object({ a: type.Optional(type.String()) }),
  (type) => type.Object({ a: type.String(), b: type.Optional(type.Integer()), c: type.Boolean() }, { title: "Abc" }),
  (type) => type.Partial(type.Object({ a: type.String(), b: type.Optional(type.Integer()) }), { minProperties: 1 }),
  (type) => type.Partial(type.Object({ a: type.String() }, { title: "Whole" }), { title: "Part" }),
  (type) => type.Partial(type.Object({ a: type.String() }, { additionalProperties: false })),
  (type) => type.Object({ inner: type.Partial(type.Object({ a: type.String() })) }),
];

test.each(SCHEMAS.map((make) => [make.toString(), make] as const))("%s is what TypeBox builds", (_title, make) => {
  expect(JSON.stringify(make(Type))).toBe(JSON.stringify(make(TypeBox as unknown as Builders)));
});

test("a schema made optional leaves the schema it was made of as it was", () => {
  const name = Type.String();
  const nickname = Type.Optional(name);
  expect(Type.Object({ name, nickname }).required).toEqual(["name"]);
});

test("a copy of an optional schema with other options is required", () => {
  const name = { ...Type.Optional(Type.String()), title: "Name" };
  expect(JSON.stringify(Type.Object({ name }))).toContain('"required":["name"]');
});
