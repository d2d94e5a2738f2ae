import { createHash } from "node:crypto";

/** A whole SQL statement, prepared once per connection under a name made from its text. */
export type Statement = { readonly name: string; readonly text: string };

const known = new Map<string, Statement>();

let listener: ((made: Statement) => void) | undefined;

/** For tests: calls back with each statement that is made from now on. */
export function onStatement(callback: (made: Statement) => void): void {
  listener = callback;
}

/** The same text gives the same statement, so that a list may be put together from its filters at each call. */
export function statement(text: string): Statement {
  const seen = known.get(text);
  if (seen !== undefined) return seen;
  const made = { name: createHash("sha256").update(text).digest("hex").slice(0, 16), text };
  known.set(text, made);
  listener?.(made);
  return made;
}

/** Anything that runs statements: the pool, the pipelined readers, a transaction. */
export type Queryable = { query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> };

/** A statement with its values, not sent yet. */
export type Query = {
  statement: Statement;
  values: readonly unknown[];
  /** Told how many rows it touched, once its transaction has committed. */
  committed?(rows: number): void;
};
