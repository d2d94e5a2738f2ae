import { open, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { addAbortSignal } from "node:stream";
import type { Config } from "../config.ts";
import { BackupRefused } from "../platform/backup/index.ts";

const READ_AT_ONCE = 1 << 20;

/** The bytes of a backup, from a file or from standard input (`-`), until the signal aborts. */
export async function openSource(
  file: string,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<AsyncIterable<Buffer>> {
  if (file === "-") return addAbortSignal(signal, process.stdin);
  const handle = await open(resolve(file)).catch((error: NodeJS.ErrnoException) => {
    throw new BackupRefused(`${file} cannot be read (${error.code}).`, "Check its name and its permissions.");
  });
  const { size } = await handle.stat();
  const bytes = handle.createReadStream({ highWaterMark: READ_AT_ONCE });
  return watched(addAbortSignal(signal, bytes), size, onShare);
}

async function* watched(bytes: AsyncIterable<Buffer>, size: number, onShare: (share: number) => void): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const chunk of bytes) {
    read += chunk.length;
    onShare(read / size);
    yield chunk;
  }
}

/** The secret key, if there is one: neither command generates it. */
export async function readSecretKey({ secret_key, data_dir }: Config): Promise<string | null> {
  if (secret_key !== null) return secret_key;
  return readFile(join(data_dir, "secret.key"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}
