import { CONNECT_WITHIN_MS, type Connection, connectionSettings, withIndexes } from "./connection.ts";
import { type Answer, rejectAll, type Sending, send, sendWhole } from "./flight.ts";
import { createReconnecting, type Reconnecting } from "./reconnect.ts";

export const WRITERS = 6;

/** So many transactions are on their way over one connection; the others wait for whichever is free first, as long as for a connection of the pool. */
export const DEPTH_MAX = 8;

/** What waits for a lock keeps those behind it waiting, so it soon gives up, and is tried again on a connection of its own. */
const LOCK_TIMEOUT_MS = 50;

/** After so long without an answer the server has vanished, and without work a connection is closed. */
const SILENT_MS = 30_000;

const TIMES = { silent_ms: SILENT_MS, waiting_ms: CONNECT_WITHIN_MS };

type Writer = { connection: Reconnecting; under_way: number; timer: NodeJS.Timeout };

export type Writers = ReturnType<typeof createWriters>;

/**
 * Whole transactions share a few connections: each is sent behind the one before it, without waiting for that one's answer. So a connection
 * always has work, and a few of them do what would take many with one transaction at a time, whose processes the server would have to switch
 * between. Each is still a transaction of its own: one that fails affects no other.
 */
export function createWriters(connection: Connection, { silent_ms, waiting_ms } = TIMES) {
  const settings = { ...connectionSettings(withIndexes(connection), "writer"), lock_timeout: LOCK_TIMEOUT_MS };
  const waiting = new Set<() => void>();
  const writers = Array.from({ length: WRITERS }, (_, index) => createWriter(index === 0));

  function createWriter(lasting: boolean): Writer {
    const connection = createReconnecting(settings);
    const timer = setTimeout(() => {
      if (writer.under_way > 0) connection.abandon();
      else if (!lasting) connection.rest().catch(() => undefined);
    }, silent_ms).unref();
    const writer: Writer = { connection, under_way: 0, timer };
    return writer;
  }

  function leastBusy(): Writer | null {
    const least = writers.reduce((least, writer) => (writer.under_way < least.under_way ? writer : least));
    return least.under_way < DEPTH_MAX ? least : null;
  }

  function fly(writer: Writer, sendings: readonly Sending[]): void {
    const watched = watchEnd(sendings, () => {
      writer.under_way -= 1;
      writer.timer.refresh();
      const [next] = waiting;
      next?.();
    });
    writer.under_way += 1;
    writer.timer.refresh();
    writer.connection.get().then(
      (client) => void (sendWhole(client, watched) || send(client, watched)),
      (error: unknown) => rejectAll(watched, error),
    );
  }

  function wait(sendings: readonly Sending[]): void {
    const leave = () => {
      clearTimeout(timer);
      waiting.delete(next);
    };
    const next = () => {
      leave();
      sendBy(leastBusy(), sendings);
    };
    const timer = setTimeout(() => {
      leave();
      rejectAll(sendings, new Error("timeout exceeded when trying to connect: all writers are busy"));
    }, waiting_ms);
    waiting.add(next);
  }

  function sendBy(writer: Writer | null, sendings: readonly Sending[]): void {
    if (writer === null) wait(sendings);
    else fly(writer, sendings);
  }

  return {
    /** From BEGIN to COMMIT. */
    send: (transaction: readonly Sending[]) => sendBy(leastBusy(), transaction),
    usage() {
      const open = writers.filter(({ connection }) => connection.isOpen());
      return {
        total: open.length,
        idle: open.filter(({ under_way }) => under_way === 0).length,
        waiting: waiting.size,
      };
    },
    async close(): Promise<void> {
      for (const { timer } of writers) clearTimeout(timer);
      await Promise.all(writers.map(({ connection }) => connection.close()));
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
