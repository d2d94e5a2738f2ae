import { mkdtemp, readdir, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Kept in memory. */
const MEMORY = "/dev/shm";
/** A run leaves up to 2 GB, and `npm test` has two at a time. */
const ROOM_BYTES = 8 * 2 ** 30;

/**
 * A folder for the databases of one run, in memory where there is room. Every test file copies a database of two thousand files: on a disk
 * that takes a fifth of the CPU time of the file.
 */
export async function makeRunFolder(): Promise<string> {
  const parent = (await hasRoom()) ? MEMORY : tmpdir();
  return mkdtemp(join(parent, `tributary-test-${process.pid}-`));
}

async function hasRoom(): Promise<boolean> {
  const names = await readdir(MEMORY).catch(() => []);
  // What a run left that was killed, because nothing else clears the memory.
  for (const name of names.filter(isAbandoned)) await rm(join(MEMORY, name), { recursive: true, force: true });
  const { bsize, bavail } = await statfs(MEMORY).catch(() => ({ bsize: 0, bavail: 0 }));
  return Math.min(bsize * bavail, process.availableMemory()) > ROOM_BYTES;
}

function isAbandoned(name: string): boolean {
  const pid = /^tributary-test-(\d+)-/.exec(name)?.[1];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
