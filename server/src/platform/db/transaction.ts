import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { type Answers, type Condition, confirmationOf, type Steady } from "./assumptions.ts";
import { isLockedOut, isRefused, isRetryable } from "./connection.ts";
import { type Line, ownLine, sharedLine } from "./lines.ts";
import { begin, commit, createOutgoing } from "./outgoing.ts";
import type { Query, Queryable, Statement } from "./statement.ts";
import type { Writers } from "./writers.ts";

const ATTEMPTS_MAX = 5;

/** What runs statements and also takes some that nobody waits for. */
export type Sender = Queryable & {
  /** Sends a statement with what follows it, at the latest with COMMIT. If it fails, that is the result of the transaction. */
  send(query: Query): void;
  /**
   * Whether this attempt assumes what it knows and has it confirmed, so that it waits for nothing and all of it is sent at once, COMMIT
   * included. If something is not as assumed, the transaction starts again and assumes nothing.
   */
  assuming: boolean;
  /** Sends a condition with what follows it: if it is not met, the transaction is rolled back. */
  confirm(condition: Condition, values: readonly unknown[]): void;
  /** The rows of a steady statement; those of its last answer, which are confirmed, if this attempt assumes. */
  recall<Row>(steady: Steady, values: readonly unknown[]): Promise<readonly Row[]>;
};

export type TransactionPlan<T> = {
  /** Whether the first attempt assumes what it knows. */
  at_once?: boolean;
  /**
   * Sent in one flight with BEGIN and the first statement of the body, which runs after it. If it throws, that is the
   * result, whatever the body did, and the transaction is rolled back.
   */
  open(tx: Sender): Promise<unknown>;
  run(tx: Sender): Promise<T>;
  /** The last statements, sent in one flight with COMMIT. */
  close(result: T): Query[];
};

/** What transactions share that assume something: the answers they know, and connections. */
export type Shared = { answers: Answers; writers: Writers };

/** An attempt that assumed something was rolled back: the reason may be what it assumed. */
class Unconfirmed extends Error {}

/**
 * Runs a plan in a transaction, and retries it after a serialization failure or a deadlock. Whatever fails an attempt that assumes
 * something, the next one assumes nothing. Without answers to remember none assumes.
 */
export async function runTransaction<T>(pool: pg.Pool, shared: Shared | null, makePlan: () => TransactionPlan<T>): Promise<T> {
  let may_assume = true;
  for (let attempt = 1; ; attempt += 1) {
    const plan = makePlan();
    try {
      return await attemptOf(pool, plan.at_once ? shared : null, plan, may_assume);
    } catch (error) {
      if (error instanceof Unconfirmed) {
        may_assume = false;
        continue;
      }
      if (attempt >= ATTEMPTS_MAX || !isRetryable(error)) throw error;
      await sleep(randomInt(5, 15) * attempt);
    }
  }
}

/** Runs a plan as part of an open transaction: it commits or rolls back with it. */
export async function runInTransaction<T>(tx: Queryable, plan: TransactionPlan<T>): Promise<T> {
  const sent: Promise<unknown>[] = [];
  const send = ({ statement, values }: Query) => {
    const answered = tx.query(statement, values);
    answered.catch(() => undefined);
    sent.push(answered);
  };
  const sender: Sender = {
    query: tx.query,
    send,
    assuming: false,
    confirm: (condition, values) => send({ statement: confirmationOf(condition).statement, values }),
    recall: ({ plain }, values) => tx.query(plain, values),
  };
  await plan.open(sender);
  const result = await plan.run(sender);
  await Promise.all(sent);
  for (const { statement, values } of plan.close(result)) await tx.query(statement, values);
  return result;
}

async function attemptOf<T>(pool: pg.Pool, shared: Shared | null, plan: TransactionPlan<T>, may_assume: boolean): Promise<T> {
  const assuming = shared !== null && may_assume;
  const line = assuming ? sharedLine(pool, shared.writers) : await ownLine(pool);
  try {
    return await runOn(line, plan, shared?.answers ?? null, assuming);
  } finally {
    line.end();
  }
}

async function runOn<T>(line: Line, plan: TransactionPlan<T>, answers: Answers | null, assuming: boolean): Promise<T> {
  const tx = createTx(line, answers, assuming);
  tx.send({ statement: begin, values: [] });
  const opened = plan.open(tx);
  opened.catch(() => undefined);
  try {
    const ran = plan.run(tx);
    ran.catch(() => undefined);
    await opened;
    const result = await ran;
    await tx.commit(plan.close(result));
    return result;
  } catch (error) {
    await tx.rollBack();
    const reason = tx.failure() ?? error;
    const unconfirmed = !tx.isSent() || isRefused(reason) || (tx.isWhole() && isLockedOut(reason));
    throw assuming && unconfirmed ? new Unconfirmed("rolled back", { cause: reason }) : reason;
  }
}

type OpenTx = Sender & {
  commit(last: Query[]): Promise<void>;
  /** Whether COMMIT was sent: then only an error of the database says that it had no effect. */
  isSent(): boolean;
  /** Whether it was sent as a whole, so over a connection on which nothing waits for long. */
  isWhole(): boolean;
  rollBack(): Promise<void>;
  /** Why a statement failed that nobody waited for. */
  failure(): unknown;
};

function createTx(line: Line, answers: Answers | null, assuming: boolean): OpenTx {
  const outgoing = createOutgoing(line);
  let over = false;
  let committing = false;

  /** A body may still run after `open` has thrown: a statement sent after the rollback would commit by itself. */
  function requireOpen(): void {
    if (over) throw new Error("the transaction is over");
  }

  async function query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    requireOpen();
    return (await outgoing.ask({ statement, values })).rows as Row[];
  }

  return {
    query,
    send(query) {
      requireOpen();
      outgoing.send(query);
    },
    assuming,
    confirm(condition, values) {
      requireOpen();
      outgoing.confirm(condition, values);
    },
    async recall<Row>(steady: Steady, values: readonly unknown[]) {
      if (answers === null) return query<Row>(steady.plain, values);
      const known = assuming ? answers.get(steady, values) : undefined;
      if (known !== undefined) {
        requireOpen();
        outgoing.confirm(steady.same, [...values, steady.markOf(known)]);
        return known.rows as readonly Row[];
      }
      const [row] = await query<{ answer: string | null }>(steady.told, values);
      return answers.keep(steady, values, row?.answer ?? null) as readonly Row[];
    },
    failure: outgoing.failure,
    isSent: () => committing,
    isWhole: outgoing.isWhole,
    /**
     * The last statements and COMMIT are sent together. Once all are answered, the transaction is over, also if one failed. A failed
     * transaction answers COMMIT with the tag ROLLBACK and no error, so the tag is checked.
     */
    async commit(last) {
      over = true;
      committing = true;
      const asked = [...last, { statement: commit, values: [] }].map(outgoing.ask);
      await Promise.allSettled(asked);
      const answers = await Promise.all(asked);
      const tag = answers.at(-1)?.tag;
      if (tag !== "COMMIT") throw new Error(`the transaction was not committed: COMMIT answered ${tag}`);
      for (const [index, { committed }] of last.entries()) committed?.(Number(answers[index]?.tag.split(" ").at(-1)));
    },
    async rollBack() {
      over = true;
      outgoing.flush();
      if (!outgoing.isWhole()) await line.rollBack();
    },
  };
}
