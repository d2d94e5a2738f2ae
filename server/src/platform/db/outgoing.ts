import { type Condition, type Confirmation, confirmationOf } from "./assumptions.ts";
import { isAftermath } from "./connection.ts";
import { type Answer, NotRun, type Sending } from "./flight.ts";
import type { Line } from "./lines.ts";
import { type Query, statement } from "./statement.ts";

export const begin = statement("begin");
export const commit = statement("commit");

/** The statements of a transaction on their way to the database. */
export type Outgoing = {
  ask(query: Query): Promise<Answer>;
  /** A statement whose answer nobody waits for. */
  send(query: Query): void;
  confirm(condition: Condition, values: readonly unknown[]): void;
  flush(): void;
  /** Why a statement failed whose answer nobody waited for. */
  failure(): unknown;
  /** Whether the transaction was sent as a whole: then it is over when it fails. */
  isWhole(): boolean;
};

/** Statements of one tick are sent in one flight. If that is from BEGIN to COMMIT, it can be sent as a whole. */
export function createOutgoing(line: Line): Outgoing {
  let waiting: Sending[] = [];
  let whole = false;
  let failure: unknown;
  let confirming: { sending: Sending | undefined; confirmation: Confirmation } | null = null;

  function ask({ statement, values }: Query): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (waiting.push({ statement, values, resolve, reject }) === 1) process.nextTick(flush);
    });
  }

  function flush(): void {
    const sendings = waiting;
    waiting = [];
    if (sendings.length === 0) return;
    const sendWhole = sendings[0]?.statement === begin && sendings.at(-1)?.statement === commit ? line.sendWhole : null;
    whole = sendWhole !== null;
    (sendWhole ?? line.send)(sendings);
  }

  function sendAlong(query: Query): void {
    ask(query).catch((error: unknown) => {
      // What fails after it says less.
      if (!(error instanceof NotRun) && !isAftermath(error)) failure ??= error;
    });
  }

  return {
    ask,
    send: sendAlong,
    /** Conditions one after the other are one statement. */
    confirm(condition, values) {
      const last = waiting.at(-1);
      if (last !== undefined && last === confirming?.sending) {
        confirming.confirmation = confirmationOf(condition, confirming.confirmation);
        last.statement = confirming.confirmation.statement;
        last.values = [...last.values, ...values];
        return;
      }
      const confirmation = confirmationOf(condition);
      sendAlong({ statement: confirmation.statement, values });
      confirming = { sending: waiting.at(-1), confirmation };
    },
    flush,
    failure: () => failure,
    isWhole: () => whole,
  };
}
