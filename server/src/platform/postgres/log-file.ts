import { constants, type FileHandle, open, rename, rm, writeFile } from "node:fs/promises";
import { temporaryName } from "./folders.ts";
import type { Place } from "./place.ts";

const LOG_LIMIT_BYTES = 4 * 1024 * 1024;
const KEPT_BYTES = 1024 * 1024;
const TAIL_BYTES = 16 * 1024;

/** Opens the server's log for appending, never through a link: as root we would hand its target away. */
export async function openLog(place: Place): Promise<FileHandle> {
  const flags = constants.O_CREAT | constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW;
  const handle = await open(place.log, flags, 0o600);
  if (place.account.borrowed) await handle.chown(place.account.uid, place.account.gid);
  return handle;
}

/** Keeps the log bounded. The server appends to the file it has open, so its end is put aside and it is emptied in place. */
export async function boundLog(place: Place): Promise<void> {
  const handle = await openLog(place);
  try {
    const { size } = await handle.stat();
    if (size <= LOG_LIMIT_BYTES) return;
    await keepAside(`${place.log}.1`, await readFrom(handle, size - KEPT_BYTES));
    await handle.truncate(0);
  } finally {
    await handle.close();
  }
}

/** Best effort: on a full disk, emptying the log matters more than keeping its end. */
async function keepAside(path: string, content: Buffer): Promise<void> {
  const draft = temporaryName(path);
  try {
    await writeFile(draft, content, { flag: "wx", mode: 0o600 });
    await rename(draft, path);
  } catch {
    await rm(draft, { force: true });
  }
}

/** The last lines written to the log since `offset`, by whatever process. */
export async function readLinesSince(place: Place, offset: number): Promise<string[]> {
  const handle = await openLog(place);
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
