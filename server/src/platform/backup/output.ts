import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { BackupRefused } from "./format.ts";
import type { Sink } from "./write-file.ts";

export type Output = Sink & {
  /** Called once everything is written: gives the file its final name. */
  complete(): Promise<void>;
  discard(): Promise<void>;
};

/**
 * A file that gets its final name only when it is complete and on disk; until then it has a temporary name beside it.
 * Readable by its owner only, because it contains all data.
 */
export async function openOutput(path: string): Promise<Output> {
  const draft = `${path}.${process.pid}.partial`;
  const file = await openDraft(path, draft);
  return {
    async write(bytes) {
      await writeAll(file, bytes);
    },
    async complete() {
      await file.sync();
      await file.close();
      await rename(draft, path);
      await syncFolder(dirname(path));
    },
    async discard() {
      await file.close().catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}

async function openDraft(path: string, draft: string): Promise<FileHandle> {
  try {
    await removeAbandoned(path);
    return await open(draft, "w", 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BackupRefused(`${path} cannot be written (${code}).`, "Choose an existing, writable folder.");
  }
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await file.write(bytes, written)).bytesWritten;
  }
}

/** Makes the rename durable. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Removes temporary files of killed backups with the same name. */
async function removeAbandoned(path: string): Promise<void> {
  const prefix = `${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    const pid = name.startsWith(prefix) ? /^(\d+)\.partial$/.exec(name.slice(prefix.length))?.[1] : undefined;
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(dirname(path), name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
