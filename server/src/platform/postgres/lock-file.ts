import { link, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { errorCode } from "./errors.ts";
import { isAlive, temporaryName } from "./folders.ts";

/** The content of postmaster.pid, of a running or crashed server. */
export type Postmaster = { pid: number; socket: string | null; status: string };

const EMPTY_IS_STALE_AFTER_MS = 10_000;

export function postmasterFile(data: string): string {
  return join(data, "postmaster.pid");
}

export async function postmasterOrNull(data: string): Promise<Postmaster | null> {
  const text = await readFile(postmasterFile(data), "utf8").catch(() => "");
  const lines = text.split("\n").map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, socket: lines[4] || null, status: lines[7] ?? "" };
}

/**
 * Removes stale lock files that PostgreSQL itself would never ignore: after a crash their pid may belong to another
 * process (common in containers, where pids are reused), or a full disk left them empty.
 */
export async function removeStaleLocks(data: string, socket: string): Promise<void> {
  for (const path of [postmasterFile(data), join(socket, ".s.PGSQL.5432.lock")]) {
    const text = await readFile(path, "utf8").catch(() => null);
    if (text !== null && (await isStale(path, text, data))) await removeUnlessReplaced(path, text);
  }
}

async function isStale(path: string, text: string, data: string): Promise<boolean> {
  if (text.trim() === "") return Date.now() - (await stat(path)).mtimeMs > EMPTY_IS_STALE_AFTER_MS;
  const pid = Number(text.split("\n")[0]);
  // A dead process is left to PostgreSQL, which also checks for surviving children.
  return Number.isInteger(pid) && isAlive(pid) && !(await worksInFolder(pid, data));
}

/** Whether the process is a server of this data, by its working directory, which is set before the lock. */
export async function worksInFolder(pid: number, data: string): Promise<boolean> {
  if (process.platform !== "linux") return true;
  const folder = await stat(data);
  try {
    const working = await stat(`/proc/${pid}/cwd`);
    return working.dev === folder.dev && working.ino === folder.ino;
  } catch (error) {
    // Without access, only a process of another user is certainly not the server.
    if (errorCode(error) === "EACCES") return (await stat(`/proc/${pid}`)).uid === folder.uid;
    return errorCode(error) !== "ENOENT";
  }
}

/** Another process may have replaced the file since it was read: then it is restored. */
async function removeUnlessReplaced(path: string, text: string): Promise<void> {
  const aside = join(path, "..", temporaryName(`${basename(path)}.stale`));
  try {
    await rename(path, aside);
    if ((await readFile(aside, "utf8")) !== text) await link(aside, path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" && errorCode(error) !== "EEXIST") throw error;
  } finally {
    await rm(aside, { force: true });
  }
}
