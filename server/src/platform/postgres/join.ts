import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import { type Connection, connectOrRefusal, isConnectionLost, type Refusal } from "./connect.ts";
import { EmbeddedDatabaseError, errorText, fullDisk, isFullDiskError, OWN_SERVER_REMEDY } from "./errors.ts";
import { isAlive } from "./folders.ts";
import { type Launch, launchServer, type Server } from "./launch.ts";
import { leaveServer } from "./leave.ts";
import { type Location, makeSocketFolder } from "./location.ts";
import { postmasterOrNull, removeStaleLocks } from "./lock-file.ts";
import { readLinesSince } from "./log-file.ts";
import { ensureLogins } from "./logins.ts";
import { takeMembersLock } from "./members-lock.ts";

/** A membership: the connection that holds the members' lock. `launched`: this process started the server. */
export type Membership = Connection & { launched: boolean };

const POLL_MS = 20;
const RELAUNCH_PAUSE_MS = 250;
const JOIN_TIMEOUT_MS = 60_000;
/** A server that is starting up may be in a long recovery. */
const RECOVERY_TIMEOUT_MS = 600_000;

/** Joins the server, and starts it if it is not running. This loop resolves all races between processes. */
export async function joinServer(server: Server, signal?: AbortSignal): Promise<Membership> {
  const started_ms = Date.now();
  let deadline_ms = started_ms + JOIN_TIMEOUT_MS;
  let launch: Launch | null = null;
  let why = "";
  while (Date.now() < deadline_ms) {
    // Not aborted while our own launch is running: no other process may know that it has to be stopped.
    if (launch === null || launch.ending !== null) signal?.throwIfAborted();
    const attempt = await tryJoin(server);
    if (attempt.kind === "joined") {
      return { ...attempt.connection, launched: launch?.pid === attempt.pid };
    }
    why = attempt.why;
    if (attempt.kind === "busy") deadline_ms = Math.min(Date.now() + JOIN_TIMEOUT_MS, started_ms + RECOVERY_TIMEOUT_MS);
    else launch = await launchIfEnded(server, launch);
    await delay(POLL_MS);
  }
  throw await joinTimeout(server.location, why);
}

/** One launch at a time: relaunches some time after the last one has ended. */
async function launchIfEnded(server: Server, launch: Launch | null): Promise<Launch> {
  if (launch === null) return launchServer(server);
  if (launch.ending === null) return launch;
  if (launch.ending.kind === "failed") throw launch.ending.error;
  if (Date.now() - launch.ended_ms < RELAUNCH_PAUSE_MS) return launch;
  await removeStaleLocks(server.location.data, await makeSocketFolder(server.location));
  return launchServer(server);
}

type Attempt = { kind: "joined"; connection: Connection; pid: number } | Refusal;

async function tryJoin(server: Server): Promise<Attempt> {
  const connection = await connectOrRefusal(server.location);
  if (connection.kind !== "connected") return connection;
  try {
    await takeMembersLock(connection.client);
    await connection.client.query("set statement_timeout = 0; set lock_timeout = 0; set idle_session_timeout = 0");
    await prepareContent(connection.client, server.location);
  } catch (error) {
    await leaveServer(server, connection.client);
    if (error instanceof EmbeddedDatabaseError) throw error;
    return { kind: "absent", why: errorText(error) };
  }
  // The lock may be free because its holder is stopping the server.
  const postmaster = await postmasterOrNull(server.location.data);
  if (postmaster !== null && postmaster.status !== "stopping") return { kind: "joined", connection, pid: postmaster.pid };
  await connection.client.end();
  return { kind: "busy", why: "the server is stopping" };
}

async function prepareContent(client: Client, location: Location): Promise<void> {
  try {
    await ensureLogins(client);
  } catch (error) {
    if (error instanceof EmbeddedDatabaseError || isConnectionLost(error)) throw error;
    if (isFullDiskError(errorText(error))) throw fullDisk(location.home, error);
    throw new EmbeddedDatabaseError(
      `The database in ${location.data} is running, but its logins could not be created: ${errorText(error)}.`,
      `Fix the problem that it reports and start again. ${OWN_SERVER_REMEDY}`,
      error,
    );
  }
}

async function joinTimeout(location: Location, why: string): Promise<EmbeddedDatabaseError> {
  const postmaster = await postmasterOrNull(location.data);
  if (postmaster !== null && isAlive(postmaster.pid)) {
    return new EmbeddedDatabaseError(
      `A PostgreSQL server (pid ${postmaster.pid}) uses ${location.data} but does not accept connections: ${why}.`,
      `Stop it (kill -INT ${postmaster.pid}) and start again.`,
    );
  }
  const lines = await readLinesSince(location, 0).catch(() => []);
  return new EmbeddedDatabaseError(
    `PostgreSQL did not start on ${location.data}: ${why}. Last lines of ${location.log}:\n${lines.slice(-8).join("\n")}`,
    `Stop other PostgreSQL processes that still use that folder, then start again. ${OWN_SERVER_REMEDY}`,
  );
}
