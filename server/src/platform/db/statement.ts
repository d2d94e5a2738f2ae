import { createHash } from "node:crypto";
import { LruMap } from "./lru.ts";

/** A whole SQL statement, prepared once per connection under a name made from its text. */
export type Statement = {
  readonly name: string;
  readonly text: string;
  /** Put together at a call: a connection keeps only the most recently used of these prepared. */
  readonly composed?: true;
  /** Over all partners, and asked again and again: what is not found this time is found later. */
  readonly poll?: true;
};

let listener: ((made: Statement) => void) | undefined;

/** For tests: calls back with each statement that is made from now on. */
export function onStatement(callback: (made: Statement) => void): void {
  listener = callback;
}

function make(text: string, traits: Pick<Statement, "poll"> = {}): Statement {
  const made = { name: createHash("sha256").update(text).digest("hex").slice(0, 16), text, ...traits };
  listener?.(made);
  return made;
}

/** Defines a statement, once, when its module is loaded: every connection that runs it keeps it prepared. */
export function statement(text: string): Statement {
  return make(text);
}

/** Defines a statement that looks for work of all partners: a node of a cluster that is down hides what its own partners have. */
export function pollStatement(text: string): Statement {
  return make(text, { poll: true });
}

/** SQL for a text that the planner does not look at: it would plan a search by some of several values, of which others are null, at every call. */
export const hiddenText = (parameter: string) => `(select ${parameter}::text)`;

const COMPOSED_MAX = 500;
const composed = new LruMap<Statement>(COMPOSED_MAX);

/** A statement put together at each call, from the filters in use. Their number is bounded, whatever callers combine. */
export function composedStatement(text: string): Statement {
  return composed.getOrMake(text, () => ({ ...statement(text), composed: true }));
}

/** Anything that runs statements: the pool, the pipelined readers, a transaction. */
export type Queryable = { query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> };

/** A statement with its values, not sent yet. */
export type Query = {
  statement: Statement;
  values: readonly unknown[];
  /** Called with the number of rows it affected, once its transaction has committed. */
  committed?(rows: number): void;
};

/** A statement over the rows `c` with some ids, and what stands for `$2`. */
export type ByIds = (ids: readonly string[]) => { statement: Statement; given: unknown };

/**
 * One id has a statement of its own, whose plan is cached. A plan for many depends on their number, so PostgreSQL makes one each time, which
 * takes longer than to read a row.
 */
export function byIds(textOf: (wanted: string) => string): ByIds {
  const one = statement(textOf("c.id = $2"));
  const many = statement(textOf("c.id = any ($2)"));
  return (ids) => (ids.length === 1 ? { statement: one, given: ids[0] } : { statement: many, given: ids });
}
