import pg from "pg";
import { type Connection, connectionSettings } from "./connection.ts";

/** A connection for long work in one transaction, without timeouts. */
export type Session = pg.Client;

/** Values have one format and nothing times out, whatever the settings of the server or the login are. */
const EXACT =
  "-c datestyle=ISO -c intervalstyle=postgres -c bytea_output=hex -c extra_float_digits=1 -c xmloption=content -c search_path=public -c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0";

/** An aborted signal ends it, also amid a query. */
export async function openSession(connection: Connection, name: string, signal?: AbortSignal): Promise<Session> {
  const {
    types: _types,
    statement_timeout: _s,
    lock_timeout: _l,
    idle_in_transaction_session_timeout: _i,
    ...settings
  } = connectionSettings(connection, name);
  const client = new pg.Client({
    ...settings,
    pipeline: false,
    options: [settings.options, EXACT].join(" "),
  });
  // A lost connection fails the current or next query; without a listener it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  signal?.addEventListener("abort", () => void client.end(), { once: true });
  // The server then cancels a query soon after its client is gone. Not every system supports it.
  await client.query("set client_connection_check_interval = '2s'").catch(() => undefined);
  return client;
}

export const quoteName = pg.escapeIdentifier;
