import { chmod, cp, lstat, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { restoreLinks } from "./binary-links.ts";
import { errorCode } from "./errors.ts";
import { removeAbandoned, syncToDisk, temporaryName } from "./folders.ts";

/** Copies the binaries to `parent`, once per version and atomically: a partial copy never has the final name. */
export async function copyBinaries(native: string, version: string, parent: string): Promise<string> {
  const base = `postgresql-${version}-${process.arch}`;
  const target = join(parent, base);
  await removeAbandoned(parent, base);
  if (await exists(target)) return target;

  const draft = join(parent, temporaryName(base));
  try {
    await cp(native, draft, { recursive: true, verbatimSymlinks: true });
    await makeReadable(draft);
    await restoreLinks(draft);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (errorCode(error) !== "ENOTEMPTY" && errorCode(error) !== "EEXIST") throw error;
  }
  return target;
}

/** The copy is for another user, whatever the umask, and must be on disk before it gets its final name. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const executable = entry.isDirectory() || ((await lstat(path)).mode & 0o100) !== 0;
    await chmod(path, executable ? 0o755 : 0o644);
    if (entry.isFile()) await syncToDisk(path);
  }
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}
