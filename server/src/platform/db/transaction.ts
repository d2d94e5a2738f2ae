import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { isRetryable } from "./connection.ts";
import type { Query, Queryable } from "./statement.ts";

const ATTEMPTS_MAX = 5;

export type TransactionPlan<T> = {
  /** Sent in one flight with BEGIN. What it refuses outranks whatever the body says. */
  open(tx: Queryable): Promise<unknown>;
  /** Whether the body must wait for `open`; otherwise its first statement leaves in the same flight. */
  openFirst: boolean;
  run(tx: Queryable): Promise<T>;
  /** The last statements, sent in one flight with COMMIT. */
  close(result: T): Query[];
};

/** Runs a plan in a transaction, again from the start when the database says that it may be repeated. */
export async function runTransaction<T>(pool: pg.Pool, makePlan: () => TransactionPlan<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(pool, makePlan());
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isRetryable(error)) throw error;
      await sleep(randomInt(5, 15) * attempt);
    }
  }
}

/** Runs a plan inside a transaction that is open already: it commits or fails with the whole. */
export async function runInside<T>(tx: Queryable, plan: TransactionPlan<T>): Promise<T> {
  await plan.open(tx);
  const result = await plan.run(tx);
  for (const { statement, values } of plan.close(result)) await tx.query(statement, values);
  return result;
}

async function attemptTransaction<T>(pool: pg.Pool, plan: TransactionPlan<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const noteLoss = (error: Error) => {
    broken = error;
  };
  client.on("error", noteLoss);
  try {
    return await runOn(client, plan);
  } finally {
    client.off("error", noteLoss);
    client.release(broken);
  }
}

async function runOn<T>(client: pg.PoolClient, plan: TransactionPlan<T>): Promise<T> {
  let over = false;
  const tx: Queryable = {
    async query<Row>(statement: { name: string; text: string }, values: readonly unknown[] = []) {
      // A body may still be at work when `open` has refused: what it sent after the rollback would commit by itself.
      if (over) throw new Error("the transaction is over");
      const result = await client.query({ name: statement.name, text: statement.text, values: values as unknown[] });
      return result.rows as Row[];
    },
  };
  const begun = client.query("begin");
  const opened = Promise.all([begun, plan.open(tx)]);
  opened.catch(() => undefined);
  try {
    if (plan.openFirst) await opened;
    const ran = plan.run(tx);
    ran.catch(() => undefined);
    await opened;
    const result = await ran;
    over = true;
    await commit(client, plan.close(result));
    return result;
  } catch (error) {
    over = true;
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

/**
 * The last statements and COMMIT leave together. All are awaited, so that the connection goes back idle. A failed
 * transaction answers COMMIT with the tag ROLLBACK and no error, so the tag is checked.
 */
async function commit(client: pg.PoolClient, queries: Query[]): Promise<void> {
  const sent = queries.map(({ statement, values }) =>
    client.query({ name: statement.name, text: statement.text, values: values as unknown[] }),
  );
  const committed = client.query("commit");
  const outcomes = await Promise.allSettled([...sent, committed]);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  const { command } = await committed;
  if (command !== "COMMIT") throw new Error(`the transaction was not committed: COMMIT answered ${command}`);
}
