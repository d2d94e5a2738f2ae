import type { Client } from "pg";
import { EmbeddedDatabaseError } from "./errors.ts";

export const DATABASE = "tributary";
export const LOGINS = { owner: "tributary_owner", service: "tributary_service" } as const;

const SETUP_LOCK = "1953655138, 2";

/**
 * Creates the two logins and the database if they are missing. The public schema keeps PostgreSQL's defaults: it belongs
 * to the database owner, in clones too, and nobody else may create objects in it.
 */
export async function ensureLogins(client: Client): Promise<void> {
  if ((await missingStatements(client)).length === 0) return;
  await client.query(`select pg_advisory_lock(${SETUP_LOCK})`);
  try {
    for (const statement of await missingStatements(client)) await client.query(statement);
  } finally {
    await client.query(`select pg_advisory_unlock(${SETUP_LOCK})`);
  }
}

type Found = { encodings: string[]; owner: boolean; service: boolean; database: boolean };

async function missingStatements(client: Client): Promise<string[]> {
  const { rows } = await client.query<Found>(
    `select array(select distinct pg_encoding_to_char(encoding)::text from pg_database) as encodings,
            exists (select from pg_roles where rolname = $1) as owner,
            exists (select from pg_roles where rolname = $2) as service,
            exists (select from pg_database where datname = $3) as database`,
    [LOGINS.owner, LOGINS.service, DATABASE],
  );
  const found = rows[0];
  if (found === undefined) return [];
  const foreign = found.encodings.filter((encoding) => encoding !== "UTF8");
  if (foreign.length > 0) throw wrongEncoding(foreign);
  return [
    ...(found.owner ? [] : [`create role ${LOGINS.owner} login createdb`]),
    ...(found.service ? [] : [`create role ${LOGINS.service} login`]),
    ...(found.database ? [] : [`create database ${DATABASE} owner ${LOGINS.owner}`]),
  ];
}

function wrongEncoding(foreign: string[]): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The text encoding is ${foreign.join(", ")}; it must be UTF8, or text would be corrupted.`,
    "Move the data folder away to start with an empty database, then restore a backup.",
  );
}
