import { Client } from "pg";
import { EmbeddedDatabaseError, errorCode, errorText, OWN_SERVER_REMEDY } from "./errors.ts";
import { requirePrivateFolder } from "./folders.ts";
import type { Location } from "./location.ts";
import { postmasterOrNull } from "./lock-file.ts";

/** `lost` settles when the connection ends for any reason. */
export type Connection = { kind: "connected"; client: Client; lost: Promise<void>; socket: string };

/** `absent`: no server answers. `busy`: the server is starting, stopping or out of connections. */
export type Refusal = { kind: "absent" | "busy"; why: string };

/** Limits the wait for a member that hangs while stopping the server; lifted once the member has joined. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Connects as the superuser to the socket that postmaster.pid names, which an older version may have chosen. */
export async function connectOrRefusal(location: Location): Promise<Connection | Refusal> {
  const socket = (await postmasterOrNull(location.data))?.socket ?? null;
  if (socket === null) return { kind: "absent", why: "no server is running" };
  const client = new Client({
    host: socket,
    port: 5432,
    user: "postgres",
    database: "postgres",
    ssl: false,
    application_name: "tributary member",
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    statement_timeout: ANSWER_TIMEOUT_MS,
    lock_timeout: ANSWER_TIMEOUT_MS,
  });
  // Without a listener, losing an idle connection would end the process.
  client.on("error", () => undefined);
  const lost = new Promise<void>((resolve) => client.once("end", () => resolve()));
  try {
    await requirePrivateFolder(socket, location.account);
    await client.connect();
    return { kind: "connected", client, lost, socket };
  } catch (error) {
    return explainRefusal(error, socket);
  }
}

function explainRefusal(error: unknown, socket: string): Refusal {
  const code = errorCode(error) ?? "";
  if (code === "57P03" || code === "53300") return { kind: "busy", why: errorText(error) };
  if (code !== "EACCES" && !code.startsWith("28")) return { kind: "absent", why: errorText(error) };
  throw new EmbeddedDatabaseError(
    `The database server at ${socket} refuses the connection: ${errorText(error)}.`,
    `Check the permissions of that folder, and pg_hba.conf in the data folder, which should contain: local all all trust. ${OWN_SERVER_REMEDY}`,
    error,
  );
}

/** Whether an error means a lost connection or server, rather than a faulty statement. */
export function isConnectionLost(error: unknown): boolean {
  const code = errorCode(error);
  return code === null || /^(08|57|E[A-Z]+$)/.test(code);
}
