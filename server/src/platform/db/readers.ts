import type pg from "pg";
import { type Connection, connectionSettings, withOnePlan } from "./connection.ts";
import { type Answer, NotRun, rejectAll, type Sending, send } from "./flight.ts";
import { createReconnecting, type Reconnecting } from "./reconnect.ts";
import type { Queryable, Statement } from "./statement.ts";

const READERS = 2;

/** Bounds how long a read waits for the others of its flight. */
const FLIGHT_MAX = 64;
const FLIGHT_WITHIN_MS = 20_000;

type Reader = { connection: Reconnecting; busy: boolean };

/**
 * Reads by key use two connections, each with one flight in progress: reads that arrive meanwhile are sent together in the
 * next, with one write and one Sync, so the cost of each falls with the load. Reads behind one that failed are sent again,
 * so that an error or the server's statement_timeout affects only its own query. A slow query would delay all others.
 */
export function createReaders(connection: Connection): Queryable & { close(): Promise<void> } {
  const settings = connectionSettings(withOnePlan(connection), "reader");
  const readers: Reader[] = Array.from({ length: READERS }, () => ({ connection: createReconnecting(settings), busy: false }));
  const waiting: Sending[] = [];

  function flush(): void {
    for (const reader of readers) if (!reader.busy && waiting.length > 0) void fly(reader);
  }

  async function fly(reader: Reader): Promise<void> {
    reader.busy = true;
    while (waiting.length > 0) {
      const sendings = waiting.splice(0, FLIGHT_MAX);
      try {
        await settled(await reader.connection.get(), sendings, (sending) => waiting.push(sending));
      } catch (error) {
        rejectAll(sendings, error);
      }
    }
    reader.busy = false;
  }

  return {
    query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
      return new Promise((resolve, reject) => {
        // Reads of one tick are sent together.
        if (waiting.length === 0) process.nextTick(flush);
        waiting.push({ statement, values, resolve: ({ rows }) => resolve(rows as Row[]), reject });
      });
    },
    async close() {
      await Promise.all(readers.map(({ connection }) => connection.close()));
    },
  };
}

/** Sends a flight and waits for its end; statements that did not run are requeued. */
function settled(client: pg.Client, sendings: Sending[], requeue: (sending: Sending) => void): Promise<void> {
  return new Promise((resolve) => {
    let open = sendings.length;
    // The server cancels slow statements, but a server that has vanished cannot.
    const timer = setTimeout(() => client.connection.stream.destroy(), FLIGHT_WITHIN_MS);
    const settle = () => {
      open -= 1;
      if (open > 0) return;
      clearTimeout(timer);
      resolve();
    };
    const watched = sendings.map((sending) => ({
      ...sending,
      resolve(answer: Answer) {
        sending.resolve(answer);
        settle();
      },
      reject(error: unknown) {
        if (error instanceof NotRun) requeue(sending);
        else sending.reject(error);
        settle();
      },
    }));
    send(client, watched);
  });
}
