import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ToChild, ToParent } from "./child.ts";
import type { AskParent } from "./played.model.ts";
import type { RunInput, RunResult } from "./run.model.ts";

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));
const SOURCES = fileURLToPath(new URL("../../..", import.meta.url));
const UNSHARE = "/usr/bin/unshare";

export type Isolation = { process: "own"; network: "namespace" | "disabled"; blocked: string[] };
export type Ran = { isolation: Isolation } & ({ result: RunResult } | { failed: "timed_out" | "error"; detail: string });

let namespaces: boolean | undefined;

/** Whether a process can have a network of its own here: containers often forbid it. */
function hasNamespaces(): boolean {
  namespaces ??= existsSync(UNSHARE) && spawnSync(UNSHARE, ["-rn", "true"], { env: {}, timeout: 5_000 }).status === 0;
  return namespaces;
}

export const networkOfRuns = (): Isolation["network"] => (hasNamespaces() ? "namespace" : "disabled");

/** The folder of a package, with the package.json beside it. */
const packageOf = (name: string) => join(dirname(fileURLToPath(import.meta.resolve(name))), "..");

/**
 * Starts a process that has nothing: no environment, no files but the sources it runs, no network, no child processes, no code from
 * text. It lives for one run.
 */
export function startChild(entry = CHILD): ChildProcess {
  const readable = [
    join(SOURCES, "kernel"),
    join(SOURCES, "features/agents"),
    join(SOURCES, "../package.json"),
    packageOf("libphonenumber-js/min"),
  ];
  const flags = [
    "--permission",
    ...[entry, ...readable].map((path) => `--allow-fs-read=${path}`),
    "--disallow-code-generation-from-strings",
    "--no-warnings",
    "--max-old-space-size=128",
  ];
  const command = [process.execPath, ...flags, entry];
  const [file = "", ...args] = hasNamespaces() ? [UNSHARE, "-rn", ...command] : command;
  return spawn(file, args, { env: {}, cwd: "/", stdio: ["ignore", "ignore", "pipe", "ipc"] });
}

/** Runs a conversation in a process of its own, and ends that process whatever happens. */
export async function runIsolated(run: RunInput, answer: AskParent, within_ms: number): Promise<Ran> {
  const child = startChild();
  const isolation: Isolation = { process: "own", network: networkOfRuns(), blocked: [] };
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2_000);
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Ran>((resolve) => {
      const fail = (failed: "timed_out" | "error", detail: string) => resolve({ isolation, failed, detail });
      timer = setTimeout(() => fail("timed_out", `The run took longer than ${within_ms / 1_000} seconds.`), within_ms);
      child.on("error", (error) => fail("error", error.message));
      child.on("exit", () => fail("error", said === "" ? "The process has ended." : said));
      child.on("message", (message: ToParent) => {
        if ("ready" in message) child.send({ run } satisfies ToChild);
        else if ("ask" in message)
          void answer(message.ask).then(
            (given) => child.connected && child.send({ id: message.id, answer: given } satisfies ToChild),
            (error: unknown) => fail("error", error instanceof Error ? error.message : "unknown"),
          );
        else if ("error" in message) fail("error", message.error);
        else resolve({ isolation: { ...isolation, blocked: message.blocked }, result: message.result as RunResult });
      });
    });
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
}
