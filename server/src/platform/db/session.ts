import pg from "pg";
import { type Connection, connectionSettings } from "./connection.ts";

/** One connection for long work in one transaction, with no limit of time. */
export type Session = pg.Client;

/** Values are written the same, and nothing is cut short, whatever the server's or the login's own settings are. */
const EXACT =
  "-c datestyle=ISO -c intervalstyle=postgres -c bytea_output=hex -c extra_float_digits=1 -c xmloption=content -c search_path=public -c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0";

/** An aborted signal ends it, whatever it is waiting for. */
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
  // A loss shows in the query under way, or in the next; without a listener it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  signal?.addEventListener("abort", () => void client.end(), { once: true });
  // So that the server ends what we asked for soon after we are gone. Not every system has it.
  await client.query("set client_connection_check_interval = '2s'").catch(() => undefined);
  return client;
}

export const quoteName = pg.escapeIdentifier;
