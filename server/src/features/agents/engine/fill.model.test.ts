import { expect, test } from "vitest";
import { fillArguments, fillText } from "./fill.model.ts";

const known = {
  values: { "contact.name": "Ada", "contact.email": null, "agent.name": undefined },
  memory: {
    slots: { budget: 500, sure: false, empty: "" },
    results: { http_request: { body: { first: "noon", list: ["a"], none: null } } },
  },
};
const fill = (text: string) => fillText(text, known);

test.each([
  ["Hi {{contact.name}}", "Hi Ada"],
  ["Hi {{ contact.name | you }}", "Hi Ada"],
  ["{{contact.email|none}}", "none"],
  ["[{{contact.email}}]", "[]"],
  ["[{{agent.name}}{{contact.phone}}]", "[]"],
  ["{{slot.budget}} EUR, {{slot.sure}}", "500 EUR, false"],
  ["{{slot.empty|x}}{{slot.gone|y}}{{slot.constructor}}", "xy"],
  ["{{result.http_request.body.first}}", "noon"],
  ["{{result.http_request.body.list.0}}", "a"],
  ["[{{result.http_request.body.none}}{{result.http_request.body.none.deep}}{{result.http_request.gone.x}}]", "[]"],
  ["[{{result.add_tag}}{{result.constructor.name}}{{result.http_request.body.first.length}}]", "[]"],
  ["[{{constructor}}]", "[]"],
  ["no {{ end", "no {{ end"],
])("%s is said as %s", (text, said) => {
  expect(fill(text)).toBe(said);
});

test("an argument that is one placeholder keeps the type of its value", () => {
  expect(fillArguments("{{slot.budget}}", known)).toBe(500);
  expect(fillArguments("{{ slot.sure }}", known)).toBe(false);
  expect(fillArguments("{{result.http_request.body}}", known)).toEqual({ first: "noon", list: ["a"], none: null });
  expect(fillArguments("{{slot.gone}}", known)).toBeUndefined();
  expect(fillArguments("{{slot.budget|7}}", known)).toBe("500");
  expect(fillArguments("x{{slot.budget}}", known)).toBe("x500");
  expect(fillArguments("{{slot.budget}}x", known)).toBe("500x");
  expect(fillArguments("{{slot.budget}}{{slot.budget}}", known)).toBe("500500");
});

test("arguments are filled in at any depth, and those without a value are left out", () => {
  const args = {
    a: "{{slot.gone}}",
    b: ["{{slot.budget}}", { c: "{{contact.name}}" }],
    d: 7,
    e: null,
    f: { g: "{{slot.gone}}" },
  };
  expect(fillArguments(args, known)).toEqual({ b: [500, { c: "Ada" }], d: 7, e: null, f: {} });
});
