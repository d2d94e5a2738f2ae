import { readConfig } from "../../config.ts";
import { didYouMean } from "../../kernel/suggest.ts";
import { SERVICE_VERSION } from "../../platform/observe/version.ts";
import { type Access, createAccess } from "./access.ts";
import type { Command } from "./command.ts";
import { CommandRefusal, UsageError } from "./errors.ts";
import { type Groups, helpOfAll, helpOfCommand, helpOfGroup } from "./help.ts";
import { createOutput, type Output, type OutputOptions } from "./output.ts";
import { type Parsed, parseCommand } from "./parse.ts";
import { explain, problemLines } from "./problem.ts";

/** How long an interrupted command may take to close the database. */
const END_WITHIN_MS = 10_000;
const FINISH_WITHIN_MS = 2_000;
/** The abort reason when the reader closes the pipe. */
const CLOSED = "closed pipe";

export type Program = { commands: readonly Command[]; groups: Groups };
/** What a command line is run by: the process, by default. */
export type Terminal = Pick<OutputOptions, "stdout" | "stderr" | "env"> & { on(signal: string, listener: () => void): unknown };

/** Runs a command line. Returns the exit code, or null if the command keeps the process running. */
export async function runCommandLine(
  program: Program,
  argv: readonly string[],
  terminal: Terminal = process,
): Promise<0 | 1 | 2 | null> {
  const json = argv.includes("--json");
  const out = createOutput({ json, stdout: terminal.stdout, stderr: terminal.stderr, env: terminal.env });
  try {
    const found = findCommand(program, argv, out);
    if (found === null) return 0;
    const parsed = parseCommand(found.command, found.rest);
    if (parsed.help) {
      out.result(helpJson([found.command]), () => helpOfCommand(found.command, out.width));
      return 0;
    }
    return await runCommand(found.command, parsed, out, terminal);
  } catch (error) {
    reportProblem(error, out, terminal);
    return error instanceof UsageError ? 2 : 1;
  }
}

function reportProblem(error: unknown, out: Output, { stderr }: Terminal): void {
  const problem = explain(error);
  const text = out.json ? JSON.stringify({ error: problem }) : problemLines(problem, out.width).join("\n");
  stderr.write(`${text}\n`);
}

/** Finds the command by the first words; null when help or the version was printed. */
function findCommand({ commands, groups }: Program, argv: readonly string[], out: Output) {
  const [first, ...others] = argv.filter((word, index) => index > firstWord(argv) || word !== "--json");
  if (first === "--version") {
    out.result({ version: SERVICE_VERSION }, () => [SERVICE_VERSION]);
    return null;
  }
  const [word, ...rest] = first === "help" || first === "--help" || first === "-h" ? [...others, "--help"] : [first, ...others];
  if (word === "--help") {
    out.result(helpJson(commands), () => helpOfAll(commands, out.width));
    return null;
  }
  if (word === undefined) throw new UsageError("The command is missing.");
  const single = commands.find(({ name }) => name === word);
  if (single !== undefined) return { command: single, rest };
  const inGroup = commands.filter(({ name }) => name.startsWith(`${word} `));
  if (inGroup.length === 0) throw new UsageError(unknownCommand(word, commands));
  const [verb, ...more] = rest;
  const command = inGroup.find(({ name }) => name === `${word} ${verb}`);
  if (command !== undefined) return { command, rest: more };
  if (verb === "--help" || verb === "-h") {
    out.result(helpJson(inGroup), () => helpOfGroup(word, groups[word] ?? word, inGroup, out.width));
    return null;
  }
  const verbs = inGroup.map(({ name }) => name.slice(word.length + 1));
  const missing = verb === undefined || verb.startsWith("-");
  throw new UsageError(
    missing
      ? `tributary ${word} needs one of ${verbs.join(", ")}.`
      : `tributary ${word} has no ${verb}.${didYouMean(verb, verbs)} It has ${verbs.join(", ")}.`,
    word,
  );
}

function firstWord(argv: readonly string[]): number {
  const index = argv.findIndex((word) => !word.startsWith("-"));
  return index === -1 ? argv.length : index;
}

function unknownCommand(word: string, commands: readonly Command[]): string {
  const words = new Set(commands.map(({ name }) => name.split(" ")[0] ?? ""));
  if (word.startsWith("-")) return `The command comes first, ${word} after it.`;
  return `There is no command ${word}.${didYouMean(word, [...words])}`;
}

function helpJson(commands: readonly Command[]) {
  return {
    commands: commands.map(({ name, summary, description = null, args, options, examples }) => ({
      name,
      summary,
      description,
      arguments: args,
      options,
      examples: examples.map(({ title, run }) => ({ title, run })),
    })),
  };
}

async function runCommand(command: Command, { args, options }: Parsed, out: Output, terminal: Terminal): Promise<0 | 1 | null> {
  const config = () => readConfig(terminal.env);
  const access = createAccess(config, (message) => out.note(`The database: ${message}`));
  const ending = new AbortController();
  if (command.own_process !== true) endOnSignals(ending, terminal);
  const call = {
    args,
    options,
    out,
    signal: ending.signal,
    config,
    logins: access.logins,
    services: access.services,
  };
  if (command.own_process === true) return (await command.run(call)) ?? null;
  return untilEnd(command.run(call), access, ending.signal, command.whole_output === true);
}

/** Waits for the command, and closes the database in any case. An interrupted command has a short time to finish. */
async function untilEnd(
  running: Promise<0 | 1 | undefined>,
  access: Access,
  signal: AbortSignal,
  whole_output: boolean,
): Promise<0 | 1> {
  running.catch(() => undefined);
  const interrupted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => setTimeout(reject, FINISH_WITHIN_MS), { once: true });
  });
  try {
    return (await Promise.race([running, interrupted])) ?? 0;
  } catch (error) {
    if (signal.reason === CLOSED) return whole_output ? 1 : 0;
    if (signal.reason instanceof CommandRefusal) throw signal.reason;
    if (signal.aborted) throw new CommandRefusal("interrupted", "Interrupted.", "Changes committed before are kept.");
    throw error;
  } finally {
    await access.close();
  }
}

function endOnSignals(ending: AbortController, terminal: Terminal): void {
  const end = (reason: string | CommandRefusal) => {
    if (ending.signal.aborted) return;
    ending.abort(reason);
    setTimeout(() => process.exit(1), END_WITHIN_MS).unref();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) terminal.on(signal, () => end(signal));
  // A reader that closes the pipe early, such as head, is no error.
  terminal.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return end(CLOSED);
    end(
      new CommandRefusal("output", `The output cannot be written (${error.code}).`, "Check its target and the free disk space."),
    );
  });
}
