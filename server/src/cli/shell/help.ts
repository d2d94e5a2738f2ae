import type { Argument, Command, Option } from "./command.ts";
import { GLOBAL_OPTIONS } from "./parse.ts";
import { pad, wrap } from "./table.ts";

export const EXIT_CODES = { 0: "done", 1: "refused or failed", 2: "wrong usage" } as const;

const WIDTH_MAX = 100;
const WIDTH_MIN = 40;

export type Groups = Record<string, string>;

/** The general help: one line per command. */
export function helpOfAll(commands: readonly Command[], terminal: number): string[] {
  const width = bounded(terminal);
  return [
    "Usage: tributary COMMAND [OPTIONS]",
    "",
    "Commands:",
    ...rows(
      commands.map(({ name, summary }) => [name, summary]),
      width,
    ),
    "",
    ...wrap("tributary COMMAND --help shows a command's options and examples.", width),
    ...wrap("Commands use the same environment variables as the service: see docs/configuration.md.", width),
    ...wrap(`Exit codes: ${exitCodes()}.`, width),
  ];
}

/** The help of a group such as `keys`. */
export function helpOfGroup(group: string, about: string, commands: readonly Command[], terminal: number): string[] {
  const width = bounded(terminal);
  return [
    `Usage: tributary ${group} COMMAND [OPTIONS]`,
    "",
    ...wrap(`${about}.`, width),
    "",
    "Commands:",
    ...rows(
      commands.map(({ name, summary }) => [name, summary]),
      width,
    ),
    "",
    "Examples:",
    ...commands.flatMap(({ examples }) => examples.slice(0, 1).flatMap((example) => exampleLines(example))),
  ];
}

/** The help of one command. */
export function helpOfCommand(command: Command, terminal: number): string[] {
  const width = bounded(terminal);
  const { summary, description, args, options, examples } = command;
  const section = (title: string, lines: string[]) => (lines.length === 0 ? [] : ["", `${title}:`, ...lines]);
  return [
    ...wrap(`Usage: ${usageLine(command)}`, width),
    "",
    ...wrap(`${summary}.${description === undefined ? "" : ` ${description}`}`, width),
    ...section(
      "Arguments",
      rows(
        Object.entries(args).map(([name, argument]) => [name.toUpperCase(), describeArgument(argument)]),
        width,
      ),
    ),
    ...section(
      "Options",
      rows(
        Object.entries({ ...options, ...GLOBAL_OPTIONS }).map(([name, option]) => [optionLine(name, option), describe(option)]),
        width,
      ),
    ),
    ...section(
      "Examples",
      examples.flatMap((example) => exampleLines(example)),
    ),
  ];
}

export function usageLine({ name, args, options }: Command): string {
  const positionals = Object.entries(args).map(([argument, { optional }]) =>
    optional ? `[${argument.toUpperCase()}]` : argument.toUpperCase(),
  );
  const required = Object.entries(options)
    .filter(([, { required }]) => required)
    .map(([option, definition]) => optionLine(option, definition));
  return ["tributary", name, ...positionals, ...required, "[OPTIONS]"].join(" ");
}

export function optionLine(name: string, option: Option): string {
  return option.type === "flag" ? `--${name}` : `--${name} ${option.value ?? "VALUE"}`;
}

export function describeArgument({ description, optional }: Argument): string {
  return optional ? `${description} Optional.` : description;
}

export function describe({ description, choices, default: fallback, required, type }: Option): string {
  const more = [
    choices === undefined ? null : `One of ${choices.join(", ")}.`,
    type === "texts" ? "Repeatable." : null,
    type === "list" ? "Comma-separated." : null,
    fallback === undefined ? null : `Default: ${fallback}.`,
    required ? "Required." : null,
  ];
  return [description, ...more.filter((sentence) => sentence !== null)].join(" ");
}

export function exitCodes(): string {
  return Object.entries(EXIT_CODES)
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(", ");
}

function exampleLines({ title, run }: { title: string; run: string }): string[] {
  return [`  # ${title}`, `  ${run}`];
}

function bounded(terminal: number): number {
  return Math.max(Math.min(terminal, WIDTH_MAX), WIDTH_MIN);
}

/** Two columns; on a narrow terminal, stacked. */
function rows(pairs: (readonly [string, string])[], width: number): string[] {
  const longest = Math.max(0, ...pairs.map(([name]) => name.length));
  if (longest + 34 > width) return pairs.flatMap(([name, text]) => [`  ${name}`, ...wrap(text, width, "      ")]);
  return pairs.flatMap(([name, text]) => {
    const [first = "", ...rest] = wrap(text, width - longest - 4);
    return [`  ${pad(name, longest)}  ${first}`, ...rest.map((line) => `${" ".repeat(longest + 4)}${line}`)];
  });
}
