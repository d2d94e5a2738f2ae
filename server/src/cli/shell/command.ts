import type { Config } from "../../config.ts";
import type { Logins } from "../../installation.ts";
import type { Services } from "../../platform/record/context.ts";
import type { Output } from "./output.ts";

/** A positional argument. They are given in the order in which they are declared. */
export type Argument = { description: string; optional?: true };

export type OptionType = "text" | "texts" | "list" | "integer" | "duration" | "flag";

/** An option: `--name VALUE`, or `--name` alone for a flag. */
export type Option = {
  /** `texts` may be repeated, `list` is separated by commas and may be repeated, `duration` is 90d, 12h, 30m or 10s. */
  type: OptionType;
  description: string;
  /** The word for the value in help: VALUE unless told. */
  value?: string;
  required?: true;
  default?: string | number;
  choices?: readonly string[];
};

export type Example = {
  says: string;
  /** As it is typed. A test runs every one, in the order of the table, on the demo programme. */
  run: string;
  /**
   * Where it is run: on an installation that has no database yet, or beside a running service, with its key in
   * TRIBUTARY_API_KEY. Left out, on the demo programme.
   */
  on?: "nothing" | "service";
  /** It goes on until it is told to stop: the test does so once this is in its output. */
  until?: string;
};

/** One command, as data: parsing, help, suggestions and docs/command-line.md are made from it. */
export type Command = {
  /** One word, or a group and a verb such as `keys create`. */
  name: string;
  summary: string;
  /** What the summary leaves open, in whole sentences. */
  description?: string;
  args: Record<string, Argument>;
  options: Record<string, Option>;
  examples: readonly Example[];
  /** Whether what it prints is worth nothing in part, so that a reader who goes away early is a failure. */
  whole_output?: true;
  /** Whether it looks after signals and its own end, as the service does. */
  own_process?: true;
  run(call: Call): Promise<ExitCode | undefined>;
};

/** 0 done, 1 refused or failed. Wrong usage is 2, and nothing that a command returns. */
export type ExitCode = 0 | 1;

/** What a command is run with. */
export type Call<Args = Record<string, string | undefined>, Options = Record<string, OptionValue>> = {
  args: Args;
  options: Options;
  out: Output;
  /** Aborted by Ctrl-C, by SIGTERM and by a reader that closed the pipe. */
  signal: AbortSignal;
  /** The environment as `serve` reads it, or a refusal with all that is wrong with it. */
  config(): Config;
  /**
   * Both logins of the database, wherever it stands; an embedded one is joined or started, and let go of when the command
   * ends. Where there is none yet it is refused, unless it may be made.
   */
  logins(options?: { make?: boolean }): Promise<Logins>;
  /** What features' commands need, on a database that is at this code's migration: refused otherwise. */
  services(): Promise<Services>;
};

type OptionValue = string | readonly string[] | number | boolean | undefined;

type ValueOf<Type extends OptionType> = Type extends "flag"
  ? boolean
  : Type extends "integer" | "duration"
    ? number
    : Type extends "text"
      ? string
      : readonly string[];

type Given = { required: true } | { default: string | number } | { type: "flag" };

export type OptionValues<Options extends Record<string, Option>> = {
  [Name in keyof Options]: Options[Name] extends Given
    ? ValueOf<Options[Name]["type"]>
    : ValueOf<Options[Name]["type"]> | undefined;
};

export type ArgumentValues<Args extends Record<string, Argument>> = {
  [Name in keyof Args]: Args[Name] extends { optional: true } ? string | undefined : string;
};

type Definition<Args extends Record<string, Argument>, Options extends Record<string, Option>> = Omit<
  Command,
  "args" | "options" | "run"
> & {
  args?: Args;
  options?: Options;
  run(call: Call<ArgumentValues<Args>, OptionValues<Options>>): Promise<ExitCode | undefined> | Promise<void>;
};

/** Declares a command, with a `run` typed by its arguments and options. */
export function command<
  const Args extends Record<string, Argument> = Record<never, never>,
  const Options extends Record<string, Option> = Record<never, never>,
>(definition: Definition<Args, Options>): Command {
  return { args: {}, options: {}, ...definition } as unknown as Command;
}
