import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { isRetryable } from "./connection.ts";
import { type Answer, NotRun, type Sending, send } from "./flight.ts";
import { type Query, type Queryable, type Statement, statement } from "./statement.ts";

const ATTEMPTS_MAX = 5;

/** What runs statements and also takes some that nobody waits for. */
export type Sender = Queryable & {
  /** Sends a statement with what follows it, at the latest with COMMIT. If it fails, that is the result of the transaction. */
  send(query: Query): void;
};

export type TransactionPlan<T> = {
  /**
   * Sent in one flight with BEGIN and the first statement of the body, which runs after it. If it throws, that is the
   * result, whatever the body did, and the transaction is rolled back.
   */
  open(tx: Queryable): Promise<unknown>;
  run(tx: Sender): Promise<T>;
  /** The last statements, sent in one flight with COMMIT. */
  close(result: T): Query[];
};

/** Runs a plan in a transaction, and retries it after a serialization failure or a deadlock. */
export async function runTransaction<T>(pool: pg.Pool, makePlan: () => TransactionPlan<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withClient(pool, (client) => runOn(client, makePlan()));
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isRetryable(error)) throw error;
      await sleep(randomInt(5, 15) * attempt);
    }
  }
}

/** Runs a plan as part of an open transaction: it commits or rolls back with it. */
export async function runInTransaction<T>(tx: Queryable, plan: TransactionPlan<T>): Promise<T> {
  await plan.open(tx);
  const sent: Promise<unknown>[] = [];
  const send = ({ statement, values }: Query) => {
    const answered = tx.query(statement, values);
    answered.catch(() => undefined);
    sent.push(answered);
  };
  const result = await plan.run({ query: tx.query, send });
  await Promise.all(sent);
  for (const { statement, values } of plan.close(result)) await tx.query(statement, values);
  return result;
}

/** Lends a connection of the pool; a broken one is discarded. */
export async function withClient<T>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const noteLoss = (error: Error) => {
    broken = error;
  };
  client.on("error", noteLoss);
  try {
    return await use(client);
  } finally {
    client.off("error", noteLoss);
    client.release(broken);
  }
}

const begin = statement("begin");
const commit = statement("commit");

async function runOn<T>(client: pg.PoolClient, plan: TransactionPlan<T>): Promise<T> {
  const tx = createTx(client);
  const opened = Promise.all([tx.query(begin), plan.open(tx)]);
  opened.catch(() => undefined);
  try {
    const ran = plan.run(tx);
    ran.catch(() => undefined);
    await opened;
    const result = await ran;
    await tx.commit(plan.close(result));
    return result;
  } catch (error) {
    tx.end();
    await client.query("rollback").catch(() => undefined);
    throw tx.failure() ?? error;
  }
}

type OpenTx = Sender & { commit(last: Query[]): Promise<void>; end(): void; failure(): unknown };

/** Statements of one tick are sent in one flight. */
function createTx(client: pg.PoolClient): OpenTx {
  let waiting: Sending[] = [];
  let over = false;
  let failure: unknown;

  function enqueue({ statement, values }: Query): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (waiting.push({ statement, values, resolve, reject }) === 1) process.nextTick(flush);
    });
  }

  function flush(): void {
    const sendings = waiting;
    waiting = [];
    if (sendings.length > 0) send(client, sendings);
  }

  return {
    async query<Row>(statement: Statement, values: readonly unknown[] = []) {
      // A body may still run after `open` has thrown: a statement sent after the rollback would commit by itself.
      if (over) throw new Error("the transaction is over");
      return (await enqueue({ statement, values })).rows as Row[];
    },
    send(query) {
      if (over) throw new Error("the transaction is over");
      enqueue(query).catch((error: unknown) => {
        // What fails after it says less.
        if (!(error instanceof NotRun)) failure ??= error;
      });
    },
    /** Why a statement failed that nobody waited for. */
    failure: () => failure,
    /**
     * The last statements and COMMIT are sent together. A failed transaction answers COMMIT with the tag ROLLBACK and no
     * error, so the tag is checked.
     */
    async commit(last) {
      over = true;
      const answers = await Promise.all([...last, { statement: commit, values: [] }].map(enqueue));
      const tag = answers.at(-1)?.tag;
      if (tag !== "COMMIT") throw new Error(`the transaction was not committed: COMMIT answered ${tag}`);
      for (const [index, { committed }] of last.entries()) committed?.(Number(answers[index]?.tag.split(" ").at(-1)));
    },
    end() {
      over = true;
      flush();
    },
  };
}
