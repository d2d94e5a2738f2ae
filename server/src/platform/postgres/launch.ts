import { spawn } from "node:child_process";
import { join } from "node:path";
import { identityOf } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { EmbeddedDatabaseError, fullDisk, isFullDiskError, OWN_SERVER_REMEDY } from "./errors.ts";
import { type Location, makeSocketFolder } from "./location.ts";
import { openLog, readLinesSince, trimLog } from "./log-file.ts";
import { SERVER_ENVIRONMENT, settingArguments } from "./settings.ts";
import { spawnError } from "./spawn-error.ts";

/** Everything needed to start the server of this DATA_DIR. */
export type Server = {
  location: Location;
  binaries: Binaries;
  settings: Record<string, string>;
  log: (message: string) => void;
};

/** `locked`: another server uses the folder. `stopped`: stopped or killed from outside, so it may be retried. */
export type Ending = { kind: "locked" } | { kind: "stopped" } | { kind: "failed"; error: EmbeddedDatabaseError };

export type Launch = { pid: number | undefined; ending: Ending | null; ended_ms: number };

const LOCKED = /lock file ".*" (already exists|is empty)|pre-existing shared memory block/;

/** Starts a server that outlives this process, in its own session, so that Ctrl-C in the terminal does not reach it. */
export async function launchServer({ location, binaries, settings }: Server): Promise<Launch> {
  const socket = await makeSocketFolder(location);
  await trimLog(location);
  const log = await openLog(location);
  const offset = (await log.stat()).size;
  const program = join(binaries.folder, "bin", "postgres");
  const child = spawn(program, ["-D", location.data, ...settingArguments(socket, settings)], {
    ...identityOf(location.account),
    cwd: "/",
    env: SERVER_ENVIRONMENT,
    stdio: ["ignore", log.fd, log.fd],
    detached: true,
  });
  child.unref();
  const launch: Launch = { pid: child.pid, ending: null, ended_ms: 0 };
  child.once("error", (error) => {
    launch.ending = { kind: "failed", error: spawnError(program, location.account, error) };
  });
  child.once("exit", async (code, signal) => {
    launch.ended_ms = Date.now();
    launch.ending = code === 0 || signal !== null ? { kind: "stopped" } : await explainFailure(location, offset, child.pid ?? 0);
  });
  await log.close();
  return launch;
}

async function explainFailure(location: Location, offset: number, pid: number): Promise<Ending> {
  const lines = await readLinesSince(location, offset).catch(() => []);
  // Other starting servers write to the same log.
  if (lines.some((line) => line.includes(`[${pid}]`) && LOCKED.test(line))) return { kind: "locked" };
  if (lines.some(isFullDiskError)) return { kind: "failed", error: fullDisk(location.home) };
  return {
    kind: "failed",
    error: new EmbeddedDatabaseError(
      `PostgreSQL could not start on ${location.data}. Last lines of ${location.log}:\n${lines.slice(-8).join("\n")}`,
      `Fix the problem that it reports and start again. ${OWN_SERVER_REMEDY}`,
    ),
  };
}
