import { spawn } from "node:child_process";
import { join } from "node:path";
import { identityOf } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { EmbeddedDatabaseError, fullDisk, meansFullDisk, OWN_SERVER_REMEDY } from "./errors.ts";
import { boundLog, openLog, readLinesSince } from "./log-file.ts";
import { makeSocketFolder, type Place } from "./place.ts";
import { SERVER_ENVIRONMENT, settingArguments } from "./settings.ts";
import { spawnRefused } from "./spawn-refused.ts";

/** All it takes to bring this DATA_DIR's server up. */
export type Server = {
  place: Place;
  binaries: Binaries;
  settings: Record<string, string>;
  log: (message: string) => void;
};

/** `held`: another server has the folder. `gone`: stopped or killed by someone, so it may be tried again. */
export type Ending = { kind: "held" } | { kind: "gone" } | { kind: "failed"; error: EmbeddedDatabaseError };

export type Launch = { pid: number | undefined; ending: Ending | null; ended_ms: number };

const HELD = /lock file ".*" (already exists|is empty)|pre-existing shared memory block/;

/** Starts a server that outlives us: a session of its own, so that Ctrl-C in our terminal does not reach it. */
export async function launchServer({ place, binaries, settings }: Server): Promise<Launch> {
  const socket = await makeSocketFolder(place);
  await boundLog(place);
  const log = await openLog(place);
  const offset = (await log.stat()).size;
  const program = join(binaries.folder, "bin", "postgres");
  const child = spawn(program, ["-D", place.data, ...settingArguments(socket, settings)], {
    ...identityOf(place.account),
    cwd: "/",
    env: SERVER_ENVIRONMENT,
    stdio: ["ignore", log.fd, log.fd],
    detached: true,
  });
  child.unref();
  const launch: Launch = { pid: child.pid, ending: null, ended_ms: 0 };
  child.once("error", (error) => {
    launch.ending = { kind: "failed", error: spawnRefused(program, place.account, error) };
  });
  child.once("exit", async (code, signal) => {
    launch.ended_ms = Date.now();
    launch.ending = code === 0 || signal !== null ? { kind: "gone" } : await explainFailure(place, offset, child.pid ?? 0);
  });
  await log.close();
  return launch;
}

async function explainFailure(place: Place, offset: number, pid: number): Promise<Ending> {
  const lines = await readLinesSince(place, offset).catch(() => []);
  // Others may be starting too, and write to the same log.
  if (lines.some((line) => line.includes(`[${pid}]`) && HELD.test(line))) return { kind: "held" };
  if (lines.some(meansFullDisk)) return { kind: "failed", error: fullDisk(place.home) };
  return {
    kind: "failed",
    error: new EmbeddedDatabaseError(
      `PostgreSQL could not start on ${place.data}. The end of ${place.log}:\n${lines.slice(-8).join("\n")}`,
      `Mend what it complains about and start again. ${OWN_SERVER_REMEDY}`,
    ),
  };
}
