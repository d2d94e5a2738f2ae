import { randomBytes } from "node:crypto";
import { access, chmod, constants, lchown, lstat, mkdir, open, readdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Account } from "./account.ts";
import { EmbeddedDatabaseError, errorCode, isFullDiskError, OWN_SERVER_REMEDY } from "./errors.ts";

const ABANDONED_AFTER_MS = 5 * 60_000;

/** Creates DATA_DIR if it is missing and returns its real path, the same for every process. */
export async function prepareDataDir(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    const real = await realpath(folder);
    await access(real, constants.R_OK | constants.W_OK | constants.X_OK);
    return real;
  } catch (error) {
    if (isFullDiskError(errorCode(error) ?? "")) throw error;
    throw new EmbeddedDatabaseError(
      `The data folder ${folder} is not a folder that this user (uid ${process.getuid?.()}) can write to (${errorCode(error)}).`,
      "Make it writable for this user (chown or chmod), or set DATA_DIR to a folder that is.",
      error,
    );
  }
}

/** Ensures a folder that only `account` and root can enter. Refuses a folder that another user created. */
export async function ensurePrivateFolder(folder: string, account: Account): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    if (errorCode(error) !== "EEXIST") throw error;
  });
  if (account.borrowed && (await lstat(folder)).isDirectory()) await lchown(folder, account.uid, account.gid);
  const found = await lstat(folder);
  if (found.isDirectory() && found.uid === account.uid) await chmod(folder, 0o700);
  await requirePrivateFolder(folder, account);
}

/** Access to the socket folder makes a user a superuser of the database, so it is checked before each use. */
export async function requirePrivateFolder(folder: string, account: Account): Promise<void> {
  const found = await lstat(folder);
  if (found.isDirectory() && found.uid === account.uid && (found.mode & 0o077) === 0) return;
  throw new EmbeddedDatabaseError(
    `The folder ${folder} must be private to ${account.name} (mode 0700), and is not.`,
    `Find out who created it, remove it and start again. ${OWN_SERVER_REMEDY}`,
  );
}

/** A name with the pid of its creator, so that a later start can tell whether that process still runs. */
export function temporaryName(base: string): string {
  return `${base}-${process.pid}-${randomBytes(4).toString("hex")}`;
}

/** Removes leftovers of crashed processes. Recent ones are kept: they may belong to a process in another container. */
export async function removeAbandoned(parent: string, base: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const creator = name.startsWith(`${base}-`) ? /^(\d+)-[0-9a-f]{8}$/.exec(name.slice(base.length + 1)) : null;
    if (creator === null) continue;
    const path = join(parent, name);
    const found = await lstat(path).catch(() => null);
    if (found === null || Date.now() - found.mtimeMs < ABANDONED_AFTER_MS) continue;
    const pid = Number(creator[1]);
    if (pid === process.pid || !isAlive(pid)) await rm(path, { recursive: true, force: true });
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

/** Makes a file, or a rename in a folder, durable. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
