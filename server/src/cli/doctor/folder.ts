import { access, constants, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { locateDatabase } from "../../platform/postgres/index.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const SCARCE_BYTES = 1_000_000_000;
const TOO_FEW_BYTES = 200_000_000;

/** DATA_DIR: present, writable, and private. */
export async function checkDataDir({ data_dir }: Config): Promise<Finding> {
  const found = await stat(data_dir).catch((error: NodeJS.ErrnoException) => error.code ?? "unknown");
  if (found === "ENOENT") {
    return warn(
      "data folder",
      `DATA_DIR ${data_dir} does not exist yet.`,
      "The first start creates it. If your data is elsewhere, set DATA_DIR.",
    );
  }
  if (typeof found === "string")
    return fail("data folder", `DATA_DIR ${data_dir} cannot be read (${found}).`, "Check the permissions of its parent folders.");
  if (!found.isDirectory()) return fail("data folder", `DATA_DIR ${data_dir} is not a folder.`, "Set DATA_DIR to a folder.");
  const refused = await access(data_dir, constants.R_OK | constants.W_OK | constants.X_OK).catch((error) => error.code);
  if (refused !== undefined) {
    return fail(
      "data folder",
      `DATA_DIR ${data_dir} is not writable (${refused}).`,
      "chown or chmod it, or set DATA_DIR to a writable folder.",
    );
  }
  if ((found.mode & 0o022) !== 0) {
    return fail(
      "data folder",
      `DATA_DIR ${data_dir} is writable by other users (mode ${modeOf(found.mode)}), who could replace its secret key.`,
      `chmod go-w ${data_dir}`,
    );
  }
  return ok("data folder", `DATA_DIR is ${data_dir}.`);
}

export async function checkDisk({ data_dir, database_url }: Config): Promise<Finding> {
  const folder = database_url === null ? (await locateDatabase(data_dir)).data : data_dir;
  const disk = (await statfs(folder).catch(() => null)) ?? (await statfs(data_dir).catch(() => null));
  if (disk === null) return ok("disk", "There is no data yet.");
  return judgeDisk(folder, disk.bavail * disk.bsize);
}

export function judgeDisk(folder: string, free_bytes: number): Finding {
  const free = `${(free_bytes / 1e9).toFixed(1)} GB are free on the disk of ${folder}.`;
  const remedy = "Free some space, or move DATA_DIR to a larger disk.";
  if (free_bytes < TOO_FEW_BYTES) return fail("disk", free, remedy);
  return free_bytes < SCARCE_BYTES ? warn("disk", free, remedy) : ok("disk", free);
}

/** The location of the embedded database: not always DATA_DIR, because PostgreSQL does not run as root. */
export async function checkLocation({ data_dir }: Config): Promise<Finding> {
  const { data, relocated, made } = await locateDatabase(data_dir);
  if (!made)
    return warn(
      "database location",
      `There is no database in ${data_dir} yet.`,
      "tributary serve or tributary migrate creates it.",
    );
  if (!relocated) return ok("database location", `The embedded database is in ${data}.`);
  return ok(
    "database location",
    `The embedded database is in ${data}: PostgreSQL does not run as root, and its user has no access to ${data_dir}.`,
  );
}

/** first-run.json holds keys and passwords in plain text, so it must be private. */
export async function checkFirstRun({ data_dir }: Config): Promise<Finding> {
  return (
    (await checkMode("first-run file", join(data_dir, "first-run.json"))) ??
    ok("first-run file", "There is no first-run.json; nothing needs it.")
  );
}

/** Whether a file is private to its owner; null if it does not exist. */
export async function checkMode(check: string, file: string): Promise<Finding | null> {
  const found = await stat(file).catch(() => null);
  if (found === null) return null;
  if ((found.mode & 0o077) === 0) return ok(check, `${file} is private to its owner.`);
  return fail(check, `${file} is accessible to other users (mode ${modeOf(found.mode)}).`, `chmod 600 ${file}`);
}

function modeOf(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, "0");
}
