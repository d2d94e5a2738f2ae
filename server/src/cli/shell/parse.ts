import { parseArgs } from "node:util";
import { didYouMean } from "../../kernel/suggest.ts";
import type { Command, Option } from "./command.ts";
import { UsageError } from "./errors.ts";

/** The options of every command. */
export const GLOBAL_OPTIONS = {
  json: { type: "flag", description: "Print JSON: one document, or one line per item of a stream." },
  help: { type: "flag", description: "Show help." },
} as const satisfies Record<string, Option>;

type Value = string | string[] | number | boolean;
export type Parsed = { args: Record<string, string>; options: Record<string, Value>; json: boolean; help: boolean };

/** Parses the words after the command's name by the command's definition, or throws a UsageError. */
export function parseCommand(command: Command, argv: readonly string[]): Parsed {
  const known: Record<string, Option> = { ...command.options, ...GLOBAL_OPTIONS };
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: {
      ...Object.fromEntries(
        Object.entries(known).map(([name, { type }]) => [name, { type: type === "flag" ? "boolean" : "string" } as const]),
      ),
      help: { type: "boolean", short: "h" },
    },
  });
  const typed: Record<string, string[]> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = known[token.name] ?? unknownOption(command, token.rawName, Object.keys(known));
    const text = textOf(command, token, option);
    typed[token.name] = [...(typed[token.name] ?? []), text];
  }
  if (typed.help !== undefined) return { args: {}, options: {}, json: typed.json !== undefined, help: true };
  return {
    args: readArguments(command, positionals),
    options: readOptions(command, typed),
    json: typed.json !== undefined,
    help: false,
  };
}

function unknownOption({ name }: Command, typed: string, known: string[]): never {
  const hint = didYouMean(
    typed,
    known.map((option) => `--${option}`),
  );
  throw new UsageError(`tributary ${name} has no option ${typed}.${hint}`, name);
}

type OptionToken = { name: string; rawName: string; value?: string | undefined; inlineValue?: boolean | undefined };

function textOf({ name }: Command, { rawName, value, inlineValue }: OptionToken, { type }: Option): string {
  if (type === "flag") {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`, name);
    return "";
  }
  // What looks like an option is more likely a forgotten value than a value.
  if (value === undefined || (inlineValue !== true && /^--|^-h$/.test(value))) {
    throw new UsageError(`${rawName} needs a value, as in ${rawName}=VALUE.`, name);
  }
  return value;
}

function readArguments({ name, args }: Command, words: string[]): Record<string, string> {
  const names = Object.keys(args);
  const missing = names.filter((argument, index) => args[argument]?.optional !== true && words[index] === undefined);
  if (missing.length > 0) throw new UsageError(`${missing.map((one) => one.toUpperCase()).join(" and ")} is required.`, name);
  if (words.length > names.length) {
    const surplus = words.slice(names.length).map((one) => `"${one}"`);
    throw new UsageError(`tributary ${name} does not take ${surplus.join(" ")}. Put text with spaces in quotes.`, name);
  }
  return Object.fromEntries(words.map((value, index) => [names[index] ?? "", value]));
}

function readOptions(command: Command, typed: Record<string, string[]>): Record<string, Value> {
  const values: Record<string, Value> = {};
  const missing: string[] = [];
  for (const [name, option] of Object.entries(command.options)) {
    const texts = typed[name];
    if (texts !== undefined) values[name] = readValue(command, `--${name}`, option, texts);
    else if (option.type === "flag") values[name] = false;
    else if (option.default !== undefined) values[name] = option.default;
    else if (option.required) missing.push(`--${name}`);
  }
  if (missing.length > 0)
    throw new UsageError(`${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} required.`, command.name);
  return values;
}

const UNITS_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function readValue({ name: command }: Command, name: string, option: Option, texts: string[]): Value {
  const refuse = (rule: string): never => {
    throw new UsageError(`${name} ${rule.replace(/[^.?]$/, "$&.")}`, command);
  };
  const choose = (text: string) => {
    if (option.choices === undefined || option.choices.includes(text)) return text;
    const hint = didYouMean(text, option.choices);
    return refuse(hint === "" ? `must be one of ${option.choices.join(", ")}, not "${text}"` : `cannot be "${text}".${hint}`);
  };
  if (option.type === "texts") return texts.map(choose);
  if (option.type === "list") {
    const items = texts.flatMap((text) => text.split(",").map((item) => item.trim())).filter((item) => item !== "");
    return items.length === 0 ? refuse("needs at least one value") : [...new Set(items)].map(choose);
  }
  if (texts.length > 1) return refuse("may be used only once");
  const [text = ""] = texts;
  if (option.type === "flag") return true;
  if (option.type === "text") return text === "" ? refuse("must not be empty") : choose(text);
  if (option.type === "integer") {
    return /^-?\d{1,15}$/.test(text) ? Number(text) : refuse(`must be a whole number, not "${text}"`);
  }
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined) return refuse(`must be a duration such as 90d, 12h, 30m or 10s, not "${text}"`);
  return Number(count) * (UNITS_MS[unit] ?? 0);
}
