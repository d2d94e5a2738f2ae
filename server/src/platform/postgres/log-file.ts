import { constants, type FileHandle, open, rename, rm, writeFile } from "node:fs/promises";
import { temporaryName } from "./folders.ts";
import type { Location } from "./location.ts";

const LOG_LIMIT_BYTES = 4 * 1024 * 1024;
const KEPT_BYTES = 1024 * 1024;
const TAIL_BYTES = 16 * 1024;

/** Opens the server's log for appending, never through a symbolic link: as root we would chown its target. */
export async function openLog(location: Location): Promise<FileHandle> {
  const flags = constants.O_CREAT | constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW;
  const handle = await open(location.log, flags, 0o600);
  if (location.account.borrowed) await handle.chown(location.account.uid, location.account.gid);
  return handle;
}

/** Limits the size of the log. The server keeps the file open, so its tail is copied and the file truncated. */
export async function trimLog(location: Location): Promise<void> {
  const handle = await openLog(location);
  try {
    const { size } = await handle.stat();
    if (size <= LOG_LIMIT_BYTES) return;
    await saveTail(`${location.log}.1`, await readFrom(handle, size - KEPT_BYTES));
    await handle.truncate(0);
  } finally {
    await handle.close();
  }
}

/** Best effort: on a full disk, truncating the log matters more than keeping its tail. */
async function saveTail(path: string, content: Buffer): Promise<void> {
  const draft = temporaryName(path);
  try {
    await writeFile(draft, content, { flag: "wx", mode: 0o600 });
    await rename(draft, path);
  } catch {
    await rm(draft, { force: true });
  }
}

/** The last lines of the log since `offset`, of any process. */
export async function readLinesSince(location: Location, offset: number): Promise<string[]> {
  const handle = await openLog(location);
  try {
    const { size } = await handle.stat();
    const start = Math.max(size < offset ? 0 : offset, size - TAIL_BYTES);
    const text = (await readFrom(handle, start)).toString("utf8");
    return text.split("\n").filter((line) => line !== "");
  } finally {
    await handle.close();
  }
}

async function readFrom(handle: FileHandle, start: number): Promise<Buffer> {
  const { size } = await handle.stat();
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.max(0, size - start)), 0, null, start);
  return buffer.subarray(0, bytesRead);
}
