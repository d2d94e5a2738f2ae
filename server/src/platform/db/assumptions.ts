import { LruMap } from "./lru.ts";
import { type Statement, statement } from "./statement.ts";

/** Something that a transaction can assume: an SQL expression over parameters of its own that has to be true. */
export type Condition = { readonly text: string; readonly parameters: number };

const PARAMETER = /\$(\d+)/g;

export function condition(text: string): Condition {
  return { text, parameters: Math.max(...Array.from(text.matchAll(PARAMETER), ([, number]) => Number(number))) };
}

/** A statement that fails unless its conditions are met; its parameters are theirs, one after the other. */
export type Confirmation = {
  /** Its conditions, as one. */
  readonly text: string;
  readonly statement: Statement;
  readonly parameters: number;
  readonly next: Map<Condition, Confirmation>;
};

const first = new Map<Condition, Confirmation>();

/** The confirmation of a condition, or of what another one confirms and a condition. */
export function confirmationOf(added: Condition, before?: Confirmation): Confirmation {
  const known = (before?.next ?? first).get(added);
  if (known !== undefined) return known;
  const offset = before?.parameters ?? 0;
  const last = `(${added.text.replace(PARAMETER, (_, number) => `$${Number(number) + offset}`)})`;
  const text = before === undefined ? last : `${before.text} and ${last}`;
  const made: Confirmation = {
    text,
    statement: statement(`select confirm(${text})`),
    parameters: offset + added.parameters,
    next: new Map(),
  };
  (before?.next ?? first).set(added, made);
  return made;
}

/** A statement whose answer seldom changes, so that a transaction can assume the last one. Its columns are such as JSON has. */
export type Steady = {
  readonly plain: Statement;
  /** The same rows, as one text of JSON in `answer`. */
  readonly told: Statement;
  /** Whether the answer is still the one with some mark, the parameter after those of the statement. */
  readonly same: Condition;
  markOf(answer: Answer): unknown;
};

/** A value of an answer's row and a condition over it that is cheaper than to compare all of it. It must not hold for another answer. */
type Mark<Row> = { of(row: Row): unknown; same: string };

/** Its answers are told from others by their text, unless there is a mark. */
export function steadyStatement<Row>(text: string, mark?: Mark<Row>): Steady {
  const answer = `(select json_agg(x) from (${text}) x)::text`;
  const { parameters } = condition(text);
  return {
    plain: statement(text),
    told: statement(`select ${answer} as answer`),
    same: condition(mark?.same ?? `${answer} = $${parameters + 1}`),
    markOf: ({ text, rows }) => (mark === undefined ? text : mark.of(rows[0] as Row)),
  };
}

const ANSWERS_MAX = 1_000;
const LENGTH_MAX = 20_000;

/** What a steady statement answered: as text, to be confirmed, and as rows. */
type Answer = { text: string; rows: readonly unknown[] };

/** The last answers of steady statements. */
export type Answers = {
  get(steady: Steady, values: readonly unknown[]): Answer | undefined;
  /** Returns the rows of an answer. */
  keep(steady: Steady, values: readonly unknown[], text: string | null): Answer["rows"];
};

export function createAnswers(): Answers {
  const answers = new LruMap<Answer>(ANSWERS_MAX);
  const keyOf = ({ plain }: Steady, values: readonly unknown[]) => `${plain.name} ${values.join(" ")}`;
  return {
    get: (steady, values) => answers.get(keyOf(steady, values)),
    keep(steady, values, text) {
      if (text === null) return [];
      // Other requests get the same objects.
      const rows = JSON.parse(text, (_, value) => Object.freeze(value)) as unknown[];
      if (text.length <= LENGTH_MAX) answers.set(keyOf(steady, values), { text, rows });
      return rows;
    },
  };
}
