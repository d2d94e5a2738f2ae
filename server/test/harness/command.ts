import { spawn } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { COMMANDS, GROUPS } from "../../src/cli/commands.ts";
import { runCommandLine } from "../../src/cli/shell/run.ts";
import { eventually } from "../postgres/processes.ts";
import type { Environment } from "./service-process.ts";
import type { Json } from "./world.ts";

const ENTRY = fileURLToPath(new URL("../../bin/tributary.mjs", import.meta.url));
/** Where npm links `tributary`, and the Node that runs these tests. */
const BIN = fileURLToPath(new URL("../../../node_modules/.bin", import.meta.url));

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

export type RunningCommand = {
  pid: number;
  stdout(): string;
  stderr(): string;
  ended: Promise<Ended>;
  /** Waits for a text in what it prints. */
  says(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
};

const running = new Set<RunningCommand>();

function launch(command: string, args: string[], environment: Environment, cwd: string): RunningCommand {
  const path = [BIN, dirname(process.execPath), process.env.PATH].join(delimiter);
  // A group of its own: a shell hands signals on to nobody.
  const child = spawn(command, args, {
    cwd,
    env: { PATH: path, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      output[name] += chunk;
    });
  }
  let over = false;
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code, signal) => {
      over = true;
      running.delete(started);
      resolve({ code, signal, ...output });
    });
  });
  const started: RunningCommand = {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ended,
    async says(text) {
      await eventually(`"${text}" from ${command} ${args.join(" ")}`, () => {
        if ((output.stdout + output.stderr).includes(text)) return true;
        if (over) throw new Error(`it ended without "${text}": ${output.stdout}${output.stderr}`);
        return null;
      });
    },
    kill: (signal) => void (over || process.kill(-(child.pid ?? 0), signal)),
  };
  running.add(started);
  return started;
}

/** Starts `tributary` with arguments, in a process of its own. */
export function startCommand(args: string[], environment: Environment): RunningCommand {
  return launch(process.execPath, [ENTRY, ...args], environment, "/");
}

export function runCommand(args: string[], environment: Environment): Promise<Ended> {
  return startCommand(args, environment).ended;
}

/** Runs `tributary` with arguments in this process: a process of its own would spend most of its time on loading modules. */
export async function runHere(args: string[], environment: Environment): Promise<Ended> {
  const [stdout, stderr] = [collector(), collector()];
  const terminal = { stdout: stdout.stream, stderr: stderr.stream, env: environment, on: () => undefined };
  const code = await runCommandLine({ commands: COMMANDS, groups: GROUPS }, args, terminal);
  return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() };
}

function collector() {
  let text = "";
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream: stream as NodeJS.WriteStream, text: () => text };
}

/** The document that a command prints with `--json`. */
export async function runForJson(args: string[], environment: Environment, run = runCommand): Promise<Json> {
  const { code, stdout, stderr } = await run([...args, "--json"], environment);
  if (code !== 0) throw new Error(`tributary ${args.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

export const runHereForJson = (args: string[], environment: Environment) => runForJson(args, environment, runHere);

/** A line as it is typed into a shell. The shell outlives a signal, to tell how the command took it. */
export function startLine(line: string, environment: Environment, cwd: string): RunningCommand {
  return launch("/bin/sh", ["-c", `trap : TERM INT HUP\n${line}`], environment, cwd);
}

/** Kills whatever a test left running, also when it failed. */
export async function killCommands(): Promise<void> {
  const left = [...running];
  for (const command of left) command.kill("SIGKILL");
  await Promise.all(left.map(({ ended }) => ended));
}
