import type { Config } from "../../config.ts";
import type { Logins } from "../../installation.ts";
import type { Services } from "../../platform/record/context.ts";
import type { Output } from "./output.ts";

/** A positional argument; the order is that of the declaration. */
export type Argument = { description: string; optional?: true };

export type OptionType = "text" | "texts" | "list" | "integer" | "duration" | "flag";

/** An option: `--name VALUE`, or `--name` alone for a flag. */
export type Option = {
  /** `texts` may be repeated, `list` is separated by commas and may be repeated, `duration` is 90d, 12h, 30m or 10s. */
  type: OptionType;
  description: string;
  /** The placeholder of the value in help. Default: VALUE. */
  value?: string;
  required?: true;
  default?: string | number;
  choices?: readonly string[];
};

export type Example = {
  title: string;
  /** As it is typed. A test runs every one, in the order of the table, on the demo programme. */
  run: string;
  /**
   * Where the test runs it: without a database, beside a running service with its key in TRIBUTARY_API_KEY, or by the tests on a
   * cluster alone. Default: on the demo programme.
   */
  on?: "nothing" | "service" | "cluster";
  /** The command runs until it is stopped: the test stops it once its output contains this. */
  until?: string;
};

/** One command, as data: parsing, help, suggestions and docs/command-line.md are derived from it. */
export type Command = {
  /** One word, or a group and a verb such as `keys create`. */
  name: string;
  summary: string;
  /** Details beyond the summary, in whole sentences. */
  description?: string;
  args: Record<string, Argument>;
  options: Record<string, Option>;
  examples: readonly Example[];
  /** Whether partial output is useless, so that a closed pipe is a failure. */
  whole_output?: true;
  /** Whether it handles signals and its exit itself, as the service does. */
  own_process?: true;
  run(call: Call): Promise<ExitCode | undefined>;
};

/** 0 done, 1 refused or failed. Wrong usage, 2, is never returned by a command. */
export type ExitCode = 0 | 1;

/** The input of a command's `run`. */
export type Call<Args = Record<string, string | undefined>, Options = Record<string, OptionValue>> = {
  args: Args;
  options: Options;
  out: Output;
  /** Aborted by Ctrl-C, by SIGTERM and by a reader that closed the pipe. */
  signal: AbortSignal;
  /** The configuration, or a ConfigError with all faults. */
  config(): Config;
  /**
   * Both logins of the database. An embedded one is joined or started, and left when the command ends. A missing one is
   * an error, unless `make` is set.
   */
  logins(options?: { make?: boolean }): Promise<Logins>;
  /** The services for features' commands. Fails unless the database is at the newest migration. */
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

type AlwaysSet = { required: true } | { default: string | number } | { type: "flag" };

export type OptionValues<Options extends Record<string, Option>> = {
  [Name in keyof Options]: Options[Name] extends AlwaysSet
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
