import pg from "pg";

/** How to reach a database with one login, and whether its tables are distributed over a cluster. */
export type Connection = pg.ClientConfig & { distributed?: boolean };

const INT8 = 20;
const DATE_TYPES = new Set([1114, 1184]);

/**
 * One connection to each node of a cluster for all its shards. Otherwise a transaction that has read all partners could not write a
 * global table.
 */
const ONE_BY_ONE = "-c citus.multi_shard_modify_mode=sequential";

/**
 * What statements depend on. The threshold is that of searches with typos: two transposed letters leave four of the seven trigrams of a
 * word of six.
 */
const SESSION_SETTINGS = { timezone: "UTC", "pg_trgm.word_similarity_threshold": "0.5" };
const LOCK_TIMEOUT_S = 10;
/** To open a connection, and to wait for one that is free. */
export const CONNECT_WITHIN_MS = 5_000;

/** The sessions that a coordinator opens on its workers get no settings from ours, so their database has them. */
export const WORKER_SETTINGS = { ...SESSION_SETTINGS, lock_timeout: `${LOCK_TIMEOUT_S}s` };
const SESSION_OPTIONS = Object.entries(SESSION_SETTINGS).map(([name, value]) => `-c ${name}=${value}`);

/**
 * Settings of every connection of ours. Amounts are bigint columns bounded to what a JSON number holds, so they are
 * parsed as numbers. The session's time zone is UTC, whatever the server's is. The server stops a runaway statement.
 */
export function connectionSettings(connection: Connection, name: string): pg.ClientConfig {
  return {
    ...connection,
    pipeline: true,
    application_name: `tributary ${name}`,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    statement_timeout: 15_000,
    lock_timeout: LOCK_TIMEOUT_S * 1_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    options: [connection.options, ...SESSION_OPTIONS, connection.distributed && ONE_BY_ONE].filter(Boolean).join(" "),
    types: {
      getTypeParser(oid: number, format?: "text" | "binary") {
        if (oid === INT8) return Number;
        if (DATE_TYPES.has(oid)) return (text: string) => new Date(`${text.replace(" ", "T")}Z`.replace(/\+00Z$/, "Z"));
        return pg.types.getTypeParser(oid, format as "text");
      },
    } as pg.CustomTypesConfig,
  };
}

/**
 * For connections whose statements are lookups by key and have one plan, whatever the values. By default PostgreSQL plans a
 * statement over many keys again each time, because their number changes its estimate: a lookup of several keys takes
 * 510 µs instead of 100. A cluster chooses the node by the values, and has no generic plans.
 */
export function withOnePlan(connection: Connection): Connection {
  return connection.distributed ? connection : withIndexes(withSettings(connection, ["plan_cache_mode=force_generic_plan"]));
}

/** Where there is an index, it is read. A plan that was made while a table was empty would read it whole, until it is analysed again. */
export function withIndexes(connection: Connection): Connection {
  return connection.distributed ? connection : withSettings(connection, ["enable_seqscan=off"]);
}

const BY_INDEX = ["enable_sort=off", "enable_incremental_sort=off", "enable_seqscan=off"];

/**
 * For connections that work on a queue, where every statement reads an index in its order. A queue is empty or full, which
 * the statistics do not reflect, so the planner would sort a backlog to find its first row: with a million pending, over
 * 15 s instead of 1 ms.
 */
export function withIndexOrder(connection: Connection): Connection {
  return withSettings(withOnePlan(connection), BY_INDEX);
}

function withSettings(connection: Connection, settings: readonly string[]): Connection {
  const options = [connection.options, ...settings.map((setting) => `-c ${setting}`)];
  return { ...connection, options: options.filter(Boolean).join(" ") };
}

const RETRYABLE = new Set(["40001", "40P01"]);
const CANCELLED = "57014";
const UNREACHABLE = /^(08...|57P0.|53300)$/;
/** Messages of the driver for a connection that broke or timed out, where it sets no code. */
const LOST_CONNECTION =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed) and is not queryable)/;
const SOCKET_ERRORS = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "ETIMEDOUT", "EAI_AGAIN", "ENOTFOUND"]);

/** What a transaction read before it took its locks has changed since: it is retried like a serialization failure. */
export class StaleRead extends Error {
  readonly code = "40001";
}

/** Serialization failures and deadlocks: the transaction had no effect and may be retried. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(sqlState(error));
}

/** The database refused a statement, and not for want of time or of connections. */
export function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isUnreachable(error) && !isLockedOut(error) && sqlState(error) !== CANCELLED;
}

/** A statement before it in the same transaction had failed. */
export function isAftermath(error: unknown): boolean {
  return sqlState(error) === "25P02";
}

/** Another transaction has kept a lock for too long: nothing is wrong with this one, and it may be tried again later. */
export function isLockedOut(error: unknown): boolean {
  return sqlState(error) === "55P03";
}

/** The database is down, shutting down or out of connections: the caller should retry later. */
export function isUnreachable(error: unknown): boolean {
  const code = sqlState(error);
  if (UNREACHABLE.test(code) || SOCKET_ERRORS.has(code)) return true;
  return error instanceof Error && LOST_CONNECTION.test(error.message);
}

const UNIQUE_VIOLATION = "23505";
const DUPLICATE_KEY = /duplicate key value violates unique constraint "([^"]+)"/;
/** What a cluster appends to the name of a constraint on each shard. */
const SHARD_SUFFIX = /_\d{6,}$/;

/**
 * The name of the unique constraint that a write violated, or null for any other error. A cluster names it only in the
 * message, as that of a shard, and passes the error of a worker on as an internal one.
 */
export function violatedConstraint(error: unknown): string | null {
  const code = sqlState(error);
  if (code !== UNIQUE_VIOLATION && code !== "XX000") return null;
  const { constraint, message } = error as pg.DatabaseError;
  if (code === UNIQUE_VIOLATION && constraint !== undefined) return constraint;
  return DUPLICATE_KEY.exec(message)?.[1]?.replace(SHARD_SUFFIX, "") ?? null;
}

function sqlState(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
