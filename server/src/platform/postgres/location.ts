import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Account, accountFor, closedFolderOrNull, isRoot } from "./account.ts";
import { EmbeddedDatabaseError, errorCode, OWN_SERVER_REMEDY } from "./errors.ts";
import { ensurePrivateFolder, prepareDataDir } from "./folders.ts";
import { makeSystemFolder, relocate, relocationOrNull, SYSTEM_FOLDER } from "./relocation.ts";

/** The paths of a DATA_DIR's database and the account that runs it. `home` has data, log and usually the socket. */
export type Location = {
  dataDir: string;
  home: string;
  data: string;
  log: string;
  relocated: boolean;
  account: Account;
};

/** Finds the database of this DATA_DIR: an existing cluster is never ignored in favour of a new, empty one. */
export async function findLocation(folder: string): Promise<Location> {
  const dataDir = await prepareDataDir(folder);
  const noted = await relocationOrNull(dataDir);
  const home = noted ?? dataDir;
  const data = join(home, "postgres");
  const account = await accountFor(data);
  await requireOwner(data, account);
  if (!account.borrowed) return locationAt(dataDir, home, account);

  const inUse = await hasFiles(data);
  const closed = await closedFolderOrNull(inUse ? data : home, account);
  if (closed === null) return locationAt(dataDir, home, account);
  if (noted === null && !inUse) return locationAt(dataDir, await relocate(dataDir), account);
  throw new EmbeddedDatabaseError(
    `The database in ${home} runs as user ${account.name}, who can no longer enter ${closed}.`,
    `chmod o+x ${closed}, or move DATA_DIR to a folder that this user can enter.`,
  );
}

function locationAt(dataDir: string, home: string, account: Account): Location {
  const relocated = home !== dataDir;
  return { dataDir, home, data: join(home, "postgres"), log: join(home, "postgres.log"), relocated, account };
}

async function requireOwner(data: string, account: Account): Promise<void> {
  const found = await stat(data).catch((error) => {
    if (errorCode(error) === "ENOENT") return null;
    throw new EmbeddedDatabaseError(
      `The database in ${data} is not accessible to ${account.name} (${errorCode(error)}).`,
      `Start as the user that created it (often root). ${OWN_SERVER_REMEDY}`,
      error,
    );
  });
  if (found === null || !(await hasFiles(data))) return;
  if (found.uid !== account.uid) {
    const rightful = found.uid === 0 ? "root, and PostgreSQL does not run as root" : `uid ${found.uid}, not ${account.name}`;
    throw new EmbeddedDatabaseError(
      `The database in ${data} belongs to ${rightful}.`,
      `Start as its owner or as root, or change its owner: chown -R ${account.uid}:${account.gid} ${data}`,
    );
  }
  if ((found.mode & 0o027) !== 0) {
    throw new EmbeddedDatabaseError(
      `The database in ${data} is accessible to other users of this machine; PostgreSQL refuses that.`,
      `chmod 700 ${data}`,
    );
  }
}

/** A folder that cannot be listed counts as not empty: an error is better than a second database. */
export async function hasFiles(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch (error) {
    return errorCode(error) !== "ENOENT";
  }
}

/** The length of sun_path without its terminating zero. */
const SOCKET_PATH_BYTES = process.platform === "darwin" ? 103 : 107;
const SOCKET_NAME = "/.s.PGSQL.5432";

/**
 * The socket's folder: beside the data, or a shorter path if that one is too long for a socket. It does not depend on
 * the environment (TMPDIR, XDG_RUNTIME_DIR), so all processes find the same one.
 */
export async function makeSocketFolder(location: Location): Promise<string> {
  const folder = socketFolder(location);
  if (folder.startsWith(SYSTEM_FOLDER)) await makeSystemFolder();
  await ensurePrivateFolder(folder, location.account);
  return folder;
}

function socketFolder(location: Location): string {
  const beside = join(location.home, "postgres.socket");
  if (Buffer.byteLength(beside + SOCKET_NAME) <= SOCKET_PATH_BYTES) return beside;
  const digest = createHash("sha256").update(`${location.account.uid}:${location.data}`).digest("hex").slice(0, 16);
  return isRoot() ? join(SYSTEM_FOLDER, `socket-${digest}`) : join("/tmp", `tributary-${digest}`);
}
