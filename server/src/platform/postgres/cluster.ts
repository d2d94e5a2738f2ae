import { spawn } from "node:child_process";
import { lchown, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { identityOf } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { EmbeddedDatabaseError, errorCode, fullDisk, isFullDiskError, OWN_SERVER_REMEDY } from "./errors.ts";
import { removeAbandoned, syncToDisk, temporaryName } from "./folders.ts";
import { hasFiles, type Location } from "./location.ts";
import { SERVER_ENVIRONMENT } from "./settings.ts";
import { spawnError } from "./spawn-error.ts";

const DRAFT = "postgres.init";

/** Trust authentication is safe: only the server's account and root can enter the socket's folder. */
const HOST_BASED_ACCESS = "local all all trust\n";

/**
 * Creates the cluster if there is none; true if this call created it. Of several processes, the first to rename its
 * finished draft wins and the others discard theirs: no lock file that a crash could leave behind.
 */
export async function initialiseCluster(location: Location, binaries: Binaries, sync: boolean): Promise<boolean> {
  await removeAbandoned(location.home, DRAFT);
  if (await hasFiles(location.data)) return false;
  const draft = join(location.home, temporaryName(DRAFT));
  try {
    await mkdir(draft, { mode: 0o700 });
    if (location.account.borrowed) await lchown(draft, location.account.uid, location.account.gid);
    await runInitdb(location, binaries, draft, sync);
    await writeFile(join(draft, "pg_hba.conf"), HOST_BASED_ACCESS);
    if (sync) await syncToDisk(join(draft, "pg_hba.conf"));
    await rename(draft, location.data);
    if (sync) await syncToDisk(location.home);
    return true;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (errorCode(error) === "ENOTEMPTY" || errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** The builtin C.UTF-8 sorts and folds case alike on every machine, whatever its LANG and C library. */
function initdbArguments(draft: string, sync: boolean): string[] {
  const locale = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const rest = ["--username=postgres", "--auth-local=trust", "--auth-host=reject", "--no-instructions"];
  return ["-D", draft, ...locale, ...rest, ...(sync ? [] : ["--no-sync"])];
}

async function runInitdb(location: Location, binaries: Binaries, draft: string, sync: boolean): Promise<void> {
  const program = join(binaries.folder, "bin", "initdb");
  const child = spawn(program, initdbArguments(draft, sync), {
    ...identityOf(location.account),
    cwd: "/",
    env: SERVER_ENVIRONMENT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", (error) => reject(spawnError(program, location.account, error)));
    child.on("close", resolve);
  });
  if (code === 0) return;
  if (isFullDiskError(output)) throw fullDisk(location.home);
  const ending = output.trimEnd().split("\n").slice(-6).join("\n");
  throw new EmbeddedDatabaseError(
    `The database could not be created in ${location.home}; initdb exited with code ${code}:\n${ending}`,
    `Fix the problem that it reports and start again. ${OWN_SERVER_REMEDY}`,
  );
}

/** Refuses data of another major version with a clear message, before PostgreSQL does. */
export async function requireSameMajor(location: Location, binaries: Binaries): Promise<void> {
  const major = await readFile(join(location.data, "PG_VERSION"), "utf8").then(
    (text) => text.trim(),
    (error) => {
      throw new EmbeddedDatabaseError(
        `${location.data} is not empty, but holds no readable database (PG_VERSION: ${errorCode(error)}).`,
        "Move the folder away and start again to create a new database.",
        error,
      );
    },
  );
  if (major === binaries.major) return;
  throw new EmbeddedDatabaseError(
    `The database in ${location.data} has the format of PostgreSQL ${major}; the embedded version is PostgreSQL ${binaries.major}.`,
    `Run a PostgreSQL ${major} server on it and set DATABASE_URL to that, or move the folder away to start with an empty database.`,
  );
}
