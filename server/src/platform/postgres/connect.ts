import { Client } from "pg";
import { EmbeddedDatabaseError, errorCode, errorText, OWN_SERVER_REMEDY } from "./errors.ts";
import { requirePrivateFolder } from "./folders.ts";
import { postmasterOrNull } from "./lock-file.ts";
import type { Place } from "./place.ts";

/** `lost` settles when the connection ends, for whatever reason. */
export type Connection = { kind: "connected"; client: Client; lost: Promise<void>; socket: string };

/** `absent`: no server answers. `busy`: one does, but is starting, stopping or full. */
export type Refusal = { kind: "absent" | "busy"; why: string };

/** Bounds the wait for a member that froze while stopping the server; callers lift it once they are in. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Connects as the superuser where the running server says its socket is, which an older version may have chosen. */
export async function connectOrRefusal(place: Place): Promise<Connection | Refusal> {
  const socket = (await postmasterOrNull(place.data))?.socket ?? null;
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
  // Without a listener the loss of an idle connection would end the process.
  client.on("error", () => undefined);
  const lost = new Promise<void>((resolve) => client.once("end", () => resolve()));
  try {
    await requirePrivateFolder(socket, place.account);
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
    `The database server refuses us at ${socket}: ${errorText(error)}.`,
    `Check that folder's permissions, and the data folder's pg_hba.conf, which should say: local all all trust. ${OWN_SERVER_REMEDY}`,
    error,
  );
}

/** Whether an error says the connection or the server went away, rather than that the statement was wrong. */
export function meansLostConnection(error: unknown): boolean {
  const code = errorCode(error);
  return code === null || /^(08|57|E[A-Z]+$)/.test(code);
}
