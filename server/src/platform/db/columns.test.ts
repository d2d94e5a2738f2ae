import { expect, test } from "vitest";
import { nullable, Time } from "../http/shapes.ts";
import { Type } from "../http/type.ts";
import { assignments, columnsOf, insertValues, objectJson, parsedRow, rowJson, valuesOf } from "./columns.ts";

const Thing = Type.Object({ id: Type.String(), size: Type.Integer(), made_at: Time, sold_at: nullable(Time) });

test("the JSON of a row has the members of its schema in their order, times in the format of the API", () => {
  expect(rowJson(Thing, { size: "coalesce(c.size, 0)" })).toBe(
    "(select row_to_json(x)::text from (select c.id as id, coalesce(c.size, 0) as size, " +
      "wire_time(c.made_at) as made_at, wire_time(c.sold_at) as sold_at) x)",
  );
  expect(objectJson(Type.Object({ id: Type.String(), made_at: Time }), "s")).toBe(
    "json_build_object('id', s.id, 'made_at', wire_time(s.made_at))",
  );
});

test("lists of columns become the parts of statements, with parameters in the same order as the values", () => {
  const columns = ["id", "size"] as const;
  expect(columnsOf("c", columns)).toBe("c.id, c.size");
  expect(insertValues(columns)).toBe("(id, size) values ($1, $2)");
  expect(assignments(columns, 3)).toBe("id = $3, size = $4");
  expect(valuesOf({ size: 2, id: "a" }, columns)).toEqual(["a", 2]);
});

test("a row that was selected as JSON is its members and the JSON itself, and no row is null", () => {
  expect(parsedRow([{ json: '{"id":"a"}' }])).toEqual({ id: "a", json: '{"id":"a"}' });
  expect(parsedRow([])).toBeNull();
});
