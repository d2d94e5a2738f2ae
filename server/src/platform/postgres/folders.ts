import { randomBytes } from "node:crypto";
import { access, chmod, constants, lchown, lstat, mkdir, open, readdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Account } from "./account.ts";
import { EmbeddedDatabaseError, errorCode, meansFullDisk, OWN_SERVER_REMEDY } from "./errors.ts";

const ABANDONED_AFTER_MS = 5 * 60_000;

/** Makes DATA_DIR if need be and gives its real path, so that every process names it alike. */
export async function prepareDataDir(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    const real = await realpath(folder);
    await access(real, constants.R_OK | constants.W_OK | constants.X_OK);
    return real;
  } catch (error) {
    if (meansFullDisk(errorCode(error) ?? "")) throw error;
    throw new EmbeddedDatabaseError(
      `The data folder ${folder} is not a folder that this user (uid ${process.getuid?.()}) can write to (${errorCode(error)}).`,
      "Make it writable for this user (chown or chmod), or set DATA_DIR to a folder that is.",
      error,
    );
  }
}

/** A folder only `account` (and root) can enter; makes it when missing. What others prepared is refused. */
export async function makePrivateFolder(folder: string, account: Account): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    if (errorCode(error) !== "EEXIST") throw error;
  });
  if (account.borrowed && (await lstat(folder)).isDirectory()) await lchown(folder, account.uid, account.gid);
  const found = await lstat(folder);
  if (found.isDirectory() && found.uid === account.uid) await chmod(folder, 0o700);
  await requirePrivateFolder(folder, account);
}

/** Whoever can enter the socket folder is a superuser of the database, so this must hold before each use. */
export async function requirePrivateFolder(folder: string, account: Account): Promise<void> {
  const found = await lstat(folder);
  if (found.isDirectory() && found.uid === account.uid && (found.mode & 0o077) === 0) return;
  throw new EmbeddedDatabaseError(
    `The folder ${folder} should belong to ${account.name} alone (mode 0700), and does not.`,
    `Find out who made it, remove it and start again. ${OWN_SERVER_REMEDY}`,
  );
}

/** Names the maker, so that a later start can tell whether it is still at work. */
export function temporaryName(base: string): string {
  return `${base}-${process.pid}-${randomBytes(4).toString("hex")}`;
}

/** Removes what crashed makers left: their process is gone and the folder old enough not to be another container's. */
export async function removeAbandoned(parent: string, base: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const maker = name.startsWith(`${base}-`) ? /^(\d+)-[0-9a-f]{8}$/.exec(name.slice(base.length + 1)) : null;
    if (maker === null) continue;
    const path = join(parent, name);
    const found = await lstat(path).catch(() => null);
    if (found === null || Date.now() - found.mtimeMs < ABANDONED_AFTER_MS) continue;
    const pid = Number(maker[1]);
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

/** Makes a file, or a rename in a folder, outlive a power cut. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
