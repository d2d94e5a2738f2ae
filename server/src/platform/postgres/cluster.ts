import { spawn } from "node:child_process";
import { lchown, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { identityOf } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { EmbeddedDatabaseError, errorCode, fullDisk, meansFullDisk, OWN_SERVER_REMEDY } from "./errors.ts";
import { removeAbandoned, syncToDisk, temporaryName } from "./folders.ts";
import { holdsFiles, type Place } from "./place.ts";
import { SERVER_ENVIRONMENT } from "./settings.ts";
import { spawnRefused } from "./spawn-refused.ts";

const DRAFT = "postgres.init";

/** Trust is safe because only the account that runs the server, and root, can enter the socket's folder. */
const HOST_BASED_ACCESS = "local all all trust\n";

/**
 * Makes the cluster when there is none; true if it was made here. Whoever renames its finished draft first wins,
 * the others throw theirs away: no lock of ours that a crash could leave behind.
 */
export async function initialiseCluster(place: Place, binaries: Binaries, sync: boolean): Promise<boolean> {
  await removeAbandoned(place.home, DRAFT);
  if (await holdsFiles(place.data)) return false;
  const draft = join(place.home, temporaryName(DRAFT));
  try {
    await mkdir(draft, { mode: 0o700 });
    if (place.account.borrowed) await lchown(draft, place.account.uid, place.account.gid);
    await runInitdb(place, binaries, draft, sync);
    await writeFile(join(draft, "pg_hba.conf"), HOST_BASED_ACCESS);
    if (sync) await syncToDisk(join(draft, "pg_hba.conf"));
    await rename(draft, place.data);
    if (sync) await syncToDisk(place.home);
    return true;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (errorCode(error) === "ENOTEMPTY" || errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** The builtin C.UTF-8 sorts and folds alike on every machine, whatever its LANG and C library. */
function initdbArguments(draft: string, sync: boolean): string[] {
  const locale = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const rest = ["--username=postgres", "--auth-local=trust", "--auth-host=reject", "--no-instructions"];
  return ["-D", draft, ...locale, ...rest, ...(sync ? [] : ["--no-sync"])];
}

async function runInitdb(place: Place, binaries: Binaries, draft: string, sync: boolean): Promise<void> {
  const program = join(binaries.folder, "bin", "initdb");
  const child = spawn(program, initdbArguments(draft, sync), {
    ...identityOf(place.account),
    cwd: "/",
    env: SERVER_ENVIRONMENT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", (error) => reject(spawnRefused(program, place.account, error)));
    child.on("close", resolve);
  });
  if (code === 0) return;
  if (meansFullDisk(output)) throw fullDisk(place.home);
  const ending = output.trimEnd().split("\n").slice(-6).join("\n");
  throw new EmbeddedDatabaseError(
    `The database could not be made in ${place.home}; initdb ended with ${code} and said:\n${ending}`,
    `Remove what it complains about and start again. ${OWN_SERVER_REMEDY}`,
  );
}

/** Refuses data that these binaries cannot read, before PostgreSQL does so less kindly. */
export async function requireSameMajor(place: Place, binaries: Binaries): Promise<void> {
  const major = await readFile(join(place.data, "PG_VERSION"), "utf8").then(
    (text) => text.trim(),
    (error) => {
      throw new EmbeddedDatabaseError(
        `${place.data} is not empty, yet holds no readable database (PG_VERSION: ${errorCode(error)}).`,
        "Move it away and start again; a new database will be made in its place.",
        error,
      );
    },
  );
  if (major === binaries.major) return;
  throw new EmbeddedDatabaseError(
    `The database in ${place.data} is of PostgreSQL ${major}; this program brings PostgreSQL ${binaries.major}.`,
    `Run a PostgreSQL ${major} server on it and set DATABASE_URL to that, or move the folder away to start with an empty database.`,
  );
}
