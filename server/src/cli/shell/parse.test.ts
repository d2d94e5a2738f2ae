import { expect, test } from "vitest";
import { command } from "./command.ts";
import { UsageError } from "./errors.ts";
import { parseCommand } from "./parse.ts";

const sample = command({
  name: "sample",
  summary: "A sample",
  args: { first: { description: "The first." }, second: { description: "The second.", optional: true } },
  options: {
    text: { type: "text", description: "Text." },
    texts: { type: "texts", description: "Texts." },
    list: { type: "list", description: "A list." },
    count: { type: "integer", description: "A number.", default: 7 },
    lasts: { type: "duration", description: "A time." },
    colour: { type: "text", description: "A colour.", choices: ["red", "green"] },
    flag: { type: "flag", description: "A flag." },
  },
  examples: [],
  run: async () => undefined,
});

const parse = (...argv: string[]) => parseCommand(sample, argv);

test("values are parsed by their types, in any position", () => {
  const { args, options, json } = parse(
    "--text",
    "a b",
    "x",
    "--texts=1,2",
    "--texts",
    "3",
    "--list",
    "a, b",
    "--list=c,a",
    "--lasts",
    "90d",
    "--flag",
    "--json",
    "y",
  );
  expect(args).toEqual({ first: "x", second: "y" });
  expect(options).toEqual({
    text: "a b",
    texts: ["1,2", "3"],
    list: ["a", "b", "c"],
    count: 7,
    lasts: 90 * 86_400_000,
    flag: true,
  });
  expect(json).toBe(true);
});

test("a value may start with a minus, and -- ends the options", () => {
  expect(parse("x", "--text", "-created_at").options.text).toBe("-created_at");
  expect(parse("x", "--text=--json").options.text).toBe("--json");
  expect(parse("--", "--flag").args).toEqual({ first: "--flag" });
});

test("an absent option is absent, an absent flag is false", () => {
  expect(parse("x")).toEqual({ args: { first: "x" }, options: { count: 7, flag: false }, json: false, help: false });
});

test.each([
  [["x", "--count", "1.5"]],
  [["x", "--count", "1e3"]],
  [["x", "--count", ""]],
  [["x", "--lasts", "90"]],
  [["x", "--lasts", "-1d"]],
  [["x", "--list", " , "]],
  [["x", "--text", ""]],
  [["x", "--colour", "blue"]],
  [["x", "--flag", "--flag"]],
  [["x", "--no-flag"]],
  [["x", "y", "z"]],
  [[]],
])("%j is wrong usage", (argv) => {
  expect(() => parse(...argv)).toThrow(UsageError);
});
