import { access, constants, lstat, readFile, symlink } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { errorCode } from "./errors.ts";

/** Creates the symbolic links that the package's install script would create. False: the folder is read-only. */
export async function restoreLinks(native: string): Promise<boolean> {
  for (const { source, target } of await readLinks(native)) {
    const path = join(native, relative("native", target));
    if ((await lstat(path).catch(() => null)) !== null) continue;
    try {
      await access(dirname(path), constants.W_OK);
      await symlink(basename(source), path);
    } catch (error) {
      if (errorCode(error) === "EEXIST") continue;
      if (["EACCES", "EPERM", "EROFS"].includes(errorCode(error) ?? "")) return false;
      throw error;
    }
  }
  return true;
}

async function readLinks(native: string): Promise<{ source: string; target: string }[]> {
  const text = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links: unknown = JSON.parse(text);
  return Array.isArray(links) ? links.filter(isLink) : [];
}

function isLink(value: unknown): value is { source: string; target: string } {
  if (!(value instanceof Object) || !("source" in value) || !("target" in value)) return false;
  return typeof value.source === "string" && typeof value.target === "string";
}
