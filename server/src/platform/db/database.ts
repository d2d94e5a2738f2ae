import pg from "pg";
import { createAnswers } from "./assumptions.ts";
import { type Connection, connectionSettings, withIndexes } from "./connection.ts";
import { sendOne } from "./flight.ts";
import { createPoll } from "./poll.ts";
import { createReaders } from "./readers.ts";
import type { Queryable, Statement } from "./statement.ts";
import { runTransaction, type TransactionPlan, withClient } from "./transaction.ts";

export type Database = Queryable & {
  /** For reads of one row by key, and nothing slower. */
  byKey: Queryable;
  transaction<T>(makePlan: () => TransactionPlan<T>): Promise<T>;
  usage(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
};

/**
 * The service's connections: a pool for transactions, lists and exports, and two pipelined readers. `connections_kept` of the pool stay open
 * without work: a new one has to read the catalogue and plan each statement again, which takes longer than most requests.
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
  // A cluster plans every statement anew, the confirmation, too.
  const answers = connection.distributed ? null : createAnswers();
  const ask = <Row>(statement: Statement, values: readonly unknown[] = []) =>
    withClient(pool, (client) => sendOne<Row>(client, statement, values));
  const poll = createPoll(ask);
  return {
    byKey: readers,
    query: (statement, values) => (statement.poll && connection.distributed ? poll(statement, values) : ask(statement, values)),
    transaction: (makePlan) => runTransaction(pool, answers, makePlan),
    usage: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await Promise.allSettled([pool.end(), readers.close()]);
    },
  };
}
