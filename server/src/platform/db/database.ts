import pg from "pg";
import { createAnswers } from "./assumptions.ts";
import { type Connection, connectionSettings, withIndexes } from "./connection.ts";
import { sendOne } from "./flight.ts";
import { withClient } from "./lines.ts";
import { createPoll } from "./poll.ts";
import { createReaders } from "./readers.ts";
import type { Queryable, Statement } from "./statement.ts";
import { runTransaction, type TransactionPlan } from "./transaction.ts";
import { createWriters } from "./writers.ts";

export type Database = Queryable & {
  /** For reads of one row by key, and nothing slower. */
  byKey: Queryable;
  transaction<T>(makePlan: () => TransactionPlan<T>): Promise<T>;
  usage(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
};

/**
 * The service's connections: a pool for transactions, lists and exports, two readers, and writers for transactions that wait for nothing.
 * `connections_kept` of the pool stay open without work: a new one has to read the catalogue and plan each statement again, which takes
 * longer than most requests.
 */
export function openDatabase(connection: Connection, connections_max: number, connections_kept = 0): Database {
  const pool = new pg.Pool({
    ...connectionSettings(withIndexes(connection), "pool"),
    max: connections_max,
    min: connections_kept,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 3600,
  });
  // A connection lost while idle is replaced at the next use; without a listener it would end the process.
  pool.on("error", () => undefined);
  // The same for one lost between the pool and the caller, when neither listens yet.
  pool.on("connect", (client) => void client.on("error", () => undefined));
  const readers = createReaders(connection);
  const writers = createWriters(connection);
  // A cluster plans every statement anew, the confirmation, too.
  const shared = connection.distributed ? null : { answers: createAnswers(), writers };
  const ask = <Row>(statement: Statement, values: readonly unknown[] = []) =>
    withClient(pool, (client) => sendOne<Row>(client, statement, values));
  const poll = createPoll(ask);
  return {
    byKey: readers,
    query: (statement, values) => (statement.poll && connection.distributed ? poll(statement, values) : ask(statement, values)),
    transaction: (makePlan) => runTransaction(pool, shared, makePlan),
    usage() {
      const { total, idle, waiting } = writers.usage();
      return { total: pool.totalCount + total, idle: pool.idleCount + idle, waiting: pool.waitingCount + waiting };
    },
    async close() {
      await Promise.allSettled([pool.end(), readers.close(), writers.close()]);
    },
  };
}
