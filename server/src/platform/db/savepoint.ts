import { violatedConstraint } from "./connection.ts";
import { type Queryable, statement } from "./statement.ts";

const setSavepoint = statement("savepoint write");
const release = statement("release savepoint write");
const rollBack = statement("rollback to savepoint write");

/** Does a write, or, where it runs into a unique constraint, undoes it alone and answers null: the transaction goes on. */
export async function unlessTaken<T>(tx: Queryable, write: () => Promise<T>): Promise<T | null> {
  const [, written] = await Promise.allSettled([tx.query(setSavepoint), write(), tx.query(release)]);
  if (written.status === "fulfilled") return written.value;
  if (violatedConstraint(written.reason) === null) throw written.reason;
  await tx.query(rollBack);
  return null;
}

const setMark = statement("savepoint mark");
const releaseMark = statement("release savepoint mark");
const backToMark = statement("rollback to savepoint mark");

/** Does some writes, or, where they come to null, undoes them alone: the transaction goes on. */
export async function orUndone<T>(tx: Queryable, write: () => Promise<T | null>): Promise<T | null> {
  await tx.query(setMark);
  const written = await write();
  await tx.query(written === null ? backToMark : releaseMark);
  return written;
}

const setStep = statement("savepoint step");
const releaseStep = statement("release savepoint step");
const rollBackStep = statement("rollback to savepoint step");

/** Does several writes, or, where one of them is refused, undoes them alone: the transaction goes on. */
export async function undoneIfRefused<T>(tx: Queryable, write: () => Promise<T>): Promise<T> {
  const [, written] = await Promise.allSettled([tx.query(setStep), write()]);
  await tx.query(written.status === "fulfilled" ? releaseStep : rollBackStep);
  if (written.status === "fulfilled") return written.value;
  throw written.reason;
}
