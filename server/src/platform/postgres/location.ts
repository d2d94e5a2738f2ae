import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Account, accountFor, closedFolderOrNull, isRoot } from "./account.ts";
import { EmbeddedDatabaseError, errorCode, OWN_SERVER_REMEDY } from "./errors.ts";
import { makePrivateFolder, prepareDataDir } from "./folders.ts";
import { makeSystemFolder, relocate, relocationOrNull, SYSTEM_FOLDER } from "./relocation.ts";

/** Where one DATA_DIR's database lives and who runs it. `home` holds data, log and, mostly, socket. */
export type Place = {
  dataDir: string;
  home: string;
  data: string;
  log: string;
  relocated: boolean;
  account: Account;
};

/** Finds the one place of this DATA_DIR's database: an existing cluster is never passed over for a new, empty one. */
export async function findPlace(folder: string): Promise<Place> {
  const dataDir = await prepareDataDir(folder);
  const noted = await relocationOrNull(dataDir);
  const home = noted ?? dataDir;
  const data = join(home, "postgres");
  const account = await accountFor(data);
  await requireOwner(data, account);
  if (!account.borrowed) return placeAt(dataDir, home, account);

  const inUse = await holdsFiles(data);
  const closed = await closedFolderOrNull(inUse ? data : home, account);
  if (closed === null) return placeAt(dataDir, home, account);
  if (noted === null && !inUse) return placeAt(dataDir, await relocate(dataDir), account);
  throw new EmbeddedDatabaseError(
    `The database in ${home} is run by user ${account.name}, who can no longer enter ${closed}.`,
    `chmod o+x ${closed}, or move DATA_DIR to where that user can enter.`,
  );
}

function placeAt(dataDir: string, home: string, account: Account): Place {
  const relocated = home !== dataDir;
  return { dataDir, home, data: join(home, "postgres"), log: join(home, "postgres.log"), relocated, account };
}

async function requireOwner(data: string, account: Account): Promise<void> {
  const found = await stat(data).catch((error) => {
    if (errorCode(error) === "ENOENT") return null;
    throw new EmbeddedDatabaseError(
      `The database in ${data} cannot be reached by ${account.name} (${errorCode(error)}).`,
      `Start as the user that made it (often root). ${OWN_SERVER_REMEDY}`,
      error,
    );
  });
  if (found === null || !(await holdsFiles(data))) return;
  if (found.uid !== account.uid) {
    const rightful = found.uid === 0 ? "root, as which PostgreSQL does not run" : `uid ${found.uid}, not ${account.name}`;
    throw new EmbeddedDatabaseError(
      `The database in ${data} belongs to ${rightful}.`,
      `Start as its owner or as root, or give it away: chown -R ${account.uid}:${account.gid} ${data}`,
    );
  }
  if ((found.mode & 0o027) !== 0) {
    throw new EmbeddedDatabaseError(
      `The database in ${data} is open to other users of this machine; PostgreSQL refuses that.`,
      `chmod 700 ${data}`,
    );
  }
}

/** A folder we may not list counts as holding something: better an error than a second database. */
export async function holdsFiles(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch (error) {
    return errorCode(error) !== "ENOENT";
  }
}

/** sun_path, less its closing zero. */
const SOCKET_PATH_BYTES = process.platform === "darwin" ? 103 : 107;
const SOCKET_NAME = "/.s.PGSQL.5432";

/**
 * The socket's folder: beside the data, or a short one where that path is too long for a socket.
 * It depends on nothing in the environment (TMPDIR, XDG_RUNTIME_DIR), so all processes find the same one.
 */
export async function makeSocketFolder(place: Place): Promise<string> {
  const folder = socketFolder(place);
  if (folder.startsWith(SYSTEM_FOLDER)) await makeSystemFolder();
  await makePrivateFolder(folder, place.account);
  return folder;
}

function socketFolder(place: Place): string {
  const beside = join(place.home, "postgres.socket");
  if (Buffer.byteLength(beside + SOCKET_NAME) <= SOCKET_PATH_BYTES) return beside;
  const digest = createHash("sha256").update(`${place.account.uid}:${place.data}`).digest("hex").slice(0, 16);
  return isRoot() ? join(SYSTEM_FOLDER, `socket-${digest}`) : join("/tmp", `tributary-${digest}`);
}
