import { randomBytes } from "node:crypto";
import { chmod, link, lstat, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { EmbeddedDatabaseError, errorCode, errorText, OWN_SERVER_REMEDY } from "./errors.ts";
import { temporaryName } from "./folders.ts";

/** For files that the unprivileged user needs, when it cannot enter DATA_DIR. */
export const SYSTEM_FOLDER = "/var/lib/tributary";

const NOTE = "postgres.location";
const BELONGS_TO = "belongs-to";

const NOTE_TEXT = `
PostgreSQL does not run as root, and the user it runs as cannot enter this folder.
The database of this folder is therefore in the folder on the first line.
Keep this file: without it the next start creates a new, empty database.
`;

/** The folder that an earlier start moved this DATA_DIR's database to, or null. */
export async function relocationOrNull(dataDir: string): Promise<string | null> {
  const target = await notedTarget(dataDir);
  if (target === null) return null;
  if (dirname(target) !== SYSTEM_FOLDER || !(await lstat(target).catch(() => null))?.isDirectory()) {
    throw new EmbeddedDatabaseError(
      `${join(dataDir, NOTE)} says that the database is in ${target}, but it is not there.`,
      `Restore that folder, or delete ${NOTE} to start with an empty database.`,
    );
  }
  await requireOriginal(dataDir, target);
  return target;
}

/** Gives DATA_DIR a folder below the system folder. Of several starts at once, the first to link its note decides. */
export async function relocate(dataDir: string): Promise<string> {
  await makeSystemFolder();
  // A new name each time: a new DATA_DIR at an old path must not find old data.
  const readable =
    basename(dataDir)
      .replace(/[^A-Za-z0-9._-]/g, "_")
      .slice(0, 32) || "data";
  const target = join(SYSTEM_FOLDER, `${readable}-${randomBytes(5).toString("hex")}`);
  await mkdir(target);
  await chmod(target, 0o755);
  await writeFile(join(target, BELONGS_TO), `${dataDir}\n`);
  const draft = join(dataDir, temporaryName(NOTE));
  await writeFile(draft, `${target}\n${NOTE_TEXT}`, { mode: 0o644 });
  try {
    await link(draft, join(dataDir, NOTE));
    return target;
  } catch (error) {
    await rm(target, { recursive: true });
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await relocationOrNull(dataDir)) ?? relocate(dataDir);
}

export async function makeSystemFolder(): Promise<void> {
  try {
    await mkdir(SYSTEM_FOLDER, { recursive: true });
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `PostgreSQL does not run as root, and ${SYSTEM_FOLDER} cannot be created for its files: ${errorText(error)}.`,
      `Start as an ordinary user, or move the program and DATA_DIR to folders that other users can enter. ${OWN_SERVER_REMEDY}`,
      error,
    );
  }
  const found = await lstat(SYSTEM_FOLDER);
  if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) {
    throw new EmbeddedDatabaseError(
      `${SYSTEM_FOLDER} must be a folder that belongs to root and that only root can write to, and is not.`,
      `Find out who changed it, then run chown root ${SYSTEM_FOLDER} && chmod 755 ${SYSTEM_FOLDER}`,
    );
  }
  // Root's umask may have restricted it.
  await chmod(SYSTEM_FOLDER, 0o755);
}

async function notedTarget(dataDir: string): Promise<string | null> {
  const text = await readFile(join(dataDir, NOTE), "utf8").catch((error) => {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  });
  return text === null ? null : (text.split("\n")[0] ?? "").trim();
}

/** A moved DATA_DIR keeps its database; a copy must not use the original's. */
async function requireOriginal(dataDir: string, target: string): Promise<void> {
  const owner = (await readFile(join(target, BELONGS_TO), "utf8").catch(() => "")).trim();
  if (owner === dataDir) return;
  if (owner !== "" && (await notedTarget(owner).catch(() => null)) === target) {
    throw new EmbeddedDatabaseError(
      `${dataDir} is a copy of ${owner}, whose database is in ${target} and was not copied.`,
      `Delete ${join(dataDir, NOTE)} to start with an empty database; to copy the data, use backup and restore.`,
    );
  }
  await writeFile(join(target, BELONGS_TO), `${dataDir}\n`).catch(() => undefined);
}
