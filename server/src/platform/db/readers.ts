import pg from "pg";
import { type Connection, connectionSettings, withOnePlan } from "./connection.ts";
import { type Answer, NotRun, type Sending, send } from "./flight.ts";
import type { Queryable, Statement } from "./statement.ts";

const READERS = 2;

/** Bounds how long a read waits for the others of its flight. */
const FLIGHT_MAX = 64;
const FLIGHT_WITHIN_MS = 20_000;

type Slot = { client: Promise<pg.Client> | null; busy: boolean };

/**
 * Reads by key use two connections, each with one flight in progress: reads that arrive meanwhile are sent together in the
 * next, with one write and one Sync, so the cost of each falls with the load. Reads behind one that failed are sent again,
 * so that an error or the server's statement_timeout affects only its own query. A slow query would delay all others.
 */
export function createReaders(connection: Connection): Queryable & { close(): Promise<void> } {
  const settings = connectionSettings(withOnePlan(connection), "reader");
  const slots: Slot[] = Array.from({ length: READERS }, () => ({ client: null, busy: false }));
  const waiting: Sending[] = [];
  let closed = false;

  function connect(slot: Slot): Promise<pg.Client> {
    if (closed) return Promise.reject(new Error("Connection terminated: the service is closing"));
    const client = new pg.Client(settings);
    const forget = () => {
      if (slot.client === connected) slot.client = null;
    };
    client.on("error", forget);
    client.on("end", forget);
    const connected = client.connect().then(() => client);
    slot.client = connected;
    connected.catch(forget);
    return connected;
  }

  function flush(): void {
    for (const slot of slots) if (!slot.busy && waiting.length > 0) void fly(slot);
  }

  async function fly(slot: Slot): Promise<void> {
    slot.busy = true;
    while (waiting.length > 0) {
      const sendings = waiting.splice(0, FLIGHT_MAX);
      try {
        await settled(await (slot.client ?? connect(slot)), sendings, (sending) => waiting.push(sending));
      } catch (error) {
        for (const { reject } of sendings) reject(error);
      }
    }
    slot.busy = false;
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
      closed = true;
      await Promise.allSettled(slots.map(async ({ client }) => (await client)?.end()));
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
