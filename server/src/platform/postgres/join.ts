import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import { type Connection, connectOrRefusal, meansLostConnection, type Refusal } from "./connect.ts";
import { departServer } from "./depart.ts";
import { EmbeddedDatabaseError, errorText, fullDisk, meansFullDisk, OWN_SERVER_REMEDY } from "./errors.ts";
import { isAlive } from "./folders.ts";
import { type Launch, launchServer, type Server } from "./launch.ts";
import { postmasterOrNull, removeStaleLocks } from "./lock-file.ts";
import { readLinesSince } from "./log-file.ts";
import { ensureLogins } from "./logins.ts";
import { takeMembersLock } from "./members-lock.ts";
import { makeSocketFolder, type Place } from "./place.ts";

/** A membership: the connection that holds the members' lock. `launched` when the server is one we started. */
export type Entry = Connection & { launched: boolean };

const POLL_MS = 20;
const RELAUNCH_PAUSE_MS = 250;
const PATIENCE_MS = 60_000;
/** A server that answers "starting up" may be replaying a long log, which is no reason to give up. */
const RECOVERY_PATIENCE_MS = 600_000;

/** Becomes a member of the server, starting it where nobody has: the loop that settles all races between processes. */
export async function enterServer(server: Server, signal?: AbortSignal): Promise<Entry> {
  const begun_ms = Date.now();
  let deadline_ms = begun_ms + PATIENCE_MS;
  let launch: Launch | null = null;
  let why = "";
  while (Date.now() < deadline_ms) {
    // What we launched we must see through: nobody else may know that it is there to be stopped.
    if (launch === null || launch.ending !== null) signal?.throwIfAborted();
    const attempt = await tryEnter(server);
    if (attempt.kind === "entered") {
      return { ...attempt.connection, launched: launch?.pid === attempt.pid };
    }
    why = attempt.why;
    if (attempt.kind === "busy") deadline_ms = Math.min(Date.now() + PATIENCE_MS, begun_ms + RECOVERY_PATIENCE_MS);
    else launch = await keepLaunching(server, launch);
    await delay(POLL_MS);
  }
  throw await gaveUp(server.place, why);
}

/** One launch at a time: a new one when there is none yet, or some time after the last one ended. */
async function keepLaunching(server: Server, launch: Launch | null): Promise<Launch> {
  if (launch === null) return launchServer(server);
  if (launch.ending === null) return launch;
  if (launch.ending.kind === "failed") throw launch.ending.error;
  if (Date.now() - launch.ended_ms < RELAUNCH_PAUSE_MS) return launch;
  await removeStaleLocks(server.place.data, await makeSocketFolder(server.place));
  return launchServer(server);
}

type Attempt = { kind: "entered"; connection: Connection; pid: number } | Refusal;

async function tryEnter(server: Server): Promise<Attempt> {
  const connection = await connectOrRefusal(server.place);
  if (connection.kind !== "connected") return connection;
  try {
    await takeMembersLock(connection.client);
    await connection.client.query("set statement_timeout = 0; set lock_timeout = 0; set idle_session_timeout = 0");
    await prepareContent(connection.client, server.place);
  } catch (error) {
    await departServer(server, connection.client);
    if (error instanceof EmbeddedDatabaseError) throw error;
    return { kind: "absent", why: errorText(error) };
  }
  // The lock may have come free because its holder is stopping the server.
  const postmaster = await postmasterOrNull(server.place.data);
  if (postmaster !== null && postmaster.status !== "stopping") return { kind: "entered", connection, pid: postmaster.pid };
  await connection.client.end();
  return { kind: "busy", why: "the server is stopping" };
}

async function prepareContent(client: Client, place: Place): Promise<void> {
  try {
    await ensureLogins(client);
  } catch (error) {
    if (error instanceof EmbeddedDatabaseError || meansLostConnection(error)) throw error;
    if (meansFullDisk(errorText(error))) throw fullDisk(place.home, error);
    throw new EmbeddedDatabaseError(
      `The database in ${place.data} runs, but its logins could not be made: ${errorText(error)}.`,
      `Mend what it complains about and start again. ${OWN_SERVER_REMEDY}`,
      error,
    );
  }
}

async function gaveUp(place: Place, why: string): Promise<EmbeddedDatabaseError> {
  const postmaster = await postmasterOrNull(place.data);
  if (postmaster !== null && isAlive(postmaster.pid)) {
    return new EmbeddedDatabaseError(
      `A PostgreSQL server (pid ${postmaster.pid}) holds ${place.data} but does not let us in: ${why}.`,
      `Stop it (kill -INT ${postmaster.pid}) and start again.`,
    );
  }
  const lines = await readLinesSince(place, 0).catch(() => []);
  return new EmbeddedDatabaseError(
    `PostgreSQL did not start on ${place.data}: ${why}. The end of ${place.log}:\n${lines.slice(-8).join("\n")}`,
    `If other PostgreSQL processes still use that folder, stop them, and start again. ${OWN_SERVER_REMEDY}`,
  );
}
