import type pg from "pg";
import { CONNECT_WITHIN_MS, type Connection, connectionSettings, withIndexes } from "./connection.ts";
import { type Answer, rejectAll, type Sending, send, sendWhole } from "./flight.ts";
import { createReconnecting } from "./reconnect.ts";

export const WRITERS = 6;

/** So many transactions are on their way over one connection; the others wait for whichever is free first, as long as for a connection of the pool. */
export const DEPTH_MAX = 8;

/** What waits for a lock keeps those behind it waiting, so it soon gives up, and is tried again on a connection of its own. */
const LOCK_TIMEOUT_MS = 50;

/** After so long without an answer the server has vanished, and without work a connection is closed. */
const SILENT_MS = 30_000;

const TIMES = { silent_ms: SILENT_MS, waiting_ms: CONNECT_WITHIN_MS };

export type Writers = ReturnType<typeof createWriters>;

/**
 * Whole transactions share a few connections: each is sent behind the one before it, without waiting for that one's answer. So a connection
 * always has work, and a few of them do what would take many with one transaction at a time, whose processes the server would have to switch
 * between. Each is still a transaction of its own: one that fails affects no other.
 */
export function createWriters(connection: Connection, { silent_ms, waiting_ms } = TIMES) {
  const settings = { ...connectionSettings(withIndexes(connection), "writer"), lock_timeout: LOCK_TIMEOUT_MS };
  const writers = Array.from({ length: WRITERS }, (_, index) => createWriter(settings, silent_ms, index === 0));
  const waiting = new Set<() => void>();

  /** From BEGIN to COMMIT. */
  function send(transaction: readonly Sending[]): void {
    const least = writers.reduce((least, writer) => (writer.under_way() < least.under_way() ? writer : least));
    if (least.under_way() === DEPTH_MAX) wait(transaction);
    else least.fly(transaction, sendNext);
  }

  function sendNext(): void {
    const [next] = waiting;
    next?.();
  }

  function wait(transaction: readonly Sending[]): void {
    const leave = () => {
      clearTimeout(timer);
      waiting.delete(next);
    };
    const next = () => {
      leave();
      send(transaction);
    };
    const timer = setTimeout(() => {
      leave();
      rejectAll(transaction, new Error("timeout exceeded when trying to connect: all writers are busy"));
    }, waiting_ms);
    waiting.add(next);
  }

  return {
    send,
    usage() {
      const open = writers.filter((writer) => writer.isOpen());
      return {
        total: open.length,
        idle: open.filter((writer) => writer.under_way() === 0).length,
        waiting: waiting.size,
      };
    },
    async close(): Promise<void> {
      await Promise.all(writers.map((writer) => writer.close()));
    },
  };
}

/** A connection with the transactions under way on it. Without work for a while it is closed, unless it is a lasting one. */
function createWriter(settings: pg.ClientConfig, silent_ms: number, lasting: boolean) {
  const connection = createReconnecting(settings);
  let under_way = 0;
  const timer = setTimeout(() => {
    if (under_way > 0) connection.abandon();
    else if (!lasting) connection.rest().catch(() => undefined);
  }, silent_ms).unref();

  return {
    under_way: () => under_way,
    isOpen: connection.isOpen,
    fly(transaction: readonly Sending[], onEnd: () => void): void {
      under_way += 1;
      timer.refresh();
      const watched = watchEnd(transaction, () => {
        under_way -= 1;
        timer.refresh();
        onEnd();
      });
      connection.get().then(
        (client) => void (sendWhole(client, watched) || send(client, watched)),
        (error: unknown) => rejectAll(watched, error),
      );
    },
    close() {
      clearTimeout(timer);
      return connection.close();
    },
  };
}

/** The last statement is answered when the transaction is over. */
function watchEnd(sendings: readonly Sending[], onEnd: () => void): readonly Sending[] {
  const last = sendings.at(-1);
  if (last === undefined) return sendings;
  return [
    ...sendings.slice(0, -1),
    {
      ...last,
      resolve(answer: Answer) {
        last.resolve(answer);
        onEnd();
      },
      reject(error: unknown) {
        last.reject(error);
        onEnd();
      },
    },
  ];
}
