import { Client } from "pg";
import { EmbeddedDatabaseError } from "./errors.ts";

export const DATABASE = "tributary";
export const LOGINS = { owner: "tributary_owner", service: "tributary_service", sandbox: "tributary_sandbox" } as const;

const SETUP_LOCK = "1953655138, 2";

/**
 * Creates the logins and the database if they are missing. The public schema keeps PostgreSQL's defaults: it belongs
 * to the database owner, in clones too, and nobody else may create objects in it.
 */
export async function ensureLogins(client: Client): Promise<void> {
  if ((await missingStatements(client)).length === 0) return restrictSandbox(client);
  await client.query(`select pg_advisory_lock(${SETUP_LOCK})`);
  try {
    for (const statement of await missingStatements(client)) await client.query(statement);
    await restrictSandbox(client);
  } finally {
    await client.query(`select pg_advisory_unlock(${SETUP_LOCK})`);
  }
}

type Found = { encodings: string[]; owner: boolean; service: boolean; sandbox: boolean; database: boolean };

async function missingStatements(client: Client): Promise<string[]> {
  const { rows } = await client.query<Found>(
    `select array(select distinct pg_encoding_to_char(encoding)::text from pg_database) as encodings,
            exists (select from pg_roles where rolname = $1) as owner,
            exists (select from pg_roles where rolname = $2) as service,
            exists (select from pg_database where datname = $3) as database,
            exists (select from pg_roles where rolname = $4) as sandbox`,
    [LOGINS.owner, LOGINS.service, DATABASE, LOGINS.sandbox],
  );
  const found = rows[0];
  if (found === undefined) return [];
  const foreign = found.encodings.filter((encoding) => encoding !== "UTF8");
  if (foreign.length > 0) throw wrongEncoding(foreign);
  return [
    ...(found.owner ? [] : [`create role ${LOGINS.owner} login createdb`]),
    ...(found.service ? [] : [`create role ${LOGINS.service} login`]),
    ...(found.sandbox ? [] : [`create role ${LOGINS.sandbox} login`]),
    ...(found.database ? [] : [`create database ${DATABASE} owner ${LOGINS.owner}`]),
  ];
}

/** Functions that everybody may call by default, and that reach beyond a transaction: locks, notifications, large objects, the log. */
const REACHING = `
  select p.oid::regprocedure::text as name from pg_proc p
  where p.pronamespace = 'pg_catalog'::regnamespace
    and (p.proname ~ '^pg_(try_)?advisory_' or p.proname ~ '^(lo_|lowrite$|loread$)' or p.proname in ('pg_notify', 'pg_logical_emit_message'))
    and has_function_privilege('${LOGINS.sandbox}', p.oid, 'execute')`;

/** Takes these from the login of the sandbox. A database has its own rights of functions, so it is done in ours. */
async function restrictSandbox({ host, port }: Client): Promise<void> {
  const client = new Client({
    host,
    port,
    user: "postgres",
    database: DATABASE,
    ssl: false,
    application_name: "tributary logins",
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(REACHING);
    if (rows.length === 0) return;
    const names = rows.map(({ name }) => name).join(", ");
    await client.query(`begin; select pg_advisory_xact_lock(${SETUP_LOCK});
      revoke execute on function ${names} from public; grant execute on function ${names} to ${LOGINS.owner}, ${LOGINS.service}; commit`);
  } finally {
    await client.end();
  }
}

function wrongEncoding(foreign: string[]): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The text encoding is ${foreign.join(", ")}; it must be UTF8, or text would be corrupted.`,
    "Move the data folder away to start with an empty database, then restore a backup.",
  );
}
