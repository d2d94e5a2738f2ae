import { expect, test } from "vitest";
import { sourceRules } from "./model.ts";

const { complete, natural, keys, validate, portable } = sourceRules;
const page = (url: string | null) => ({ kind: "url", name: "Prices", language: "en", text: null, url });

test("a spec has all its members, and its key is its name", () => {
  expect(complete({ kind: "text", name: "Prices", text: "99" })).toEqual({
    kind: "text",
    name: "Prices",
    language: "en",
    text: "99",
    url: null,
  });
  expect(natural({}, "prices")).toBe("prices");
  expect(["prices", "a-b_2", "x".repeat(64)].every((key) => keys.test(key))).toBe(true);
  expect(["", "Prices", "2a", "a.b", "x".repeat(65)].some((key) => keys.test(key))).toBe(false);
});

test("a page has an address without a password", () => {
  const codes = (url: string | null) => validate(page(url)).map(({ pointer, code }) => `${pointer} ${code}`);
  for (const url of [null, "https://a.example/x", "http://a.example"]) expect(codes(url)).toEqual([]);
  for (const url of ["ftp://a.example", "xhttps://a.example", "a.example", "", "https://u@a.example", "https://:p@a.example"])
    expect(codes(url), url).toEqual(["/url url_not_allowed"]);
});

test("a text that is too long for a snapshot stays where it is", () => {
  const text = { kind: "text", name: "Prices", text: null };
  expect(portable(text)).toEqual({
    spec: null,
    left_out: ["The text of the knowledge source Prices is too long for a snapshot."],
  });
  expect(portable({ ...text, text: "99" })).toEqual({ spec: { ...text, text: "99" }, left_out: [] });
  expect(portable(page("https://a.example"))).toEqual({ spec: page("https://a.example"), left_out: [] });
});
