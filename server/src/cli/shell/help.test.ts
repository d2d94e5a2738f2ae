import { describe, expect, test } from "vitest";
import { COMMANDS, GROUPS } from "../commands.ts";
import { helpOfCommand } from "./help.ts";
import { parseCommand } from "./parse.ts";

describe.each(COMMANDS.map((command) => [command.name, command] as const))("the help of %s", (name, command) => {
  const text = helpOfCommand(command, 80).join("\n");

  test("shows every argument, option and example", () => {
    for (const argument of Object.keys(command.args)) expect(text).toContain(argument.toUpperCase());
    for (const option of Object.keys(command.options)) expect(text).toContain(`--${option}`);
    for (const { run } of command.examples) expect(text).toContain(run);
    expect(command.examples.length).toBeGreaterThan(0);
  });

  test("is about a command whose group is described", () => {
    const [group = "", verb] = name.split(" ");
    expect(verb === undefined || GROUPS[group] !== undefined).toBe(true);
  });

  test("fits 80 columns, except for the examples", () => {
    const [prose = ""] = text.split("Examples:");
    expect(Math.max(...prose.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("has sentences with a full stop, and a summary without", () => {
    const described = [...Object.values(command.args), ...Object.values(command.options)].map(({ description }) => description);
    for (const sentence of [...described, `${command.summary}.`, command.description ?? "."]) expect(sentence).toMatch(/\.$/);
    expect(command.summary).not.toMatch(/\.$/);
  });

  test("is shown by --help even if required options are missing", () => {
    expect(parseCommand(command, ["--help"]).help).toBe(true);
  });
});
