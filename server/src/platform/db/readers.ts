import pg from "pg";
import { type Connection, connectionSettings, withOnePlan } from "./connection.ts";
import { type Answer, NotRun, type Sending, send } from "./flight.ts";
import type { Queryable, Statement } from "./statement.ts";

const READERS = 2;

/** So many at most in one flight, so that none waits for long. */
const FLIGHT_MAX = 64;
const FLIGHT_WITHIN_MS = 20_000;

type Slot = { client: Promise<pg.Client> | null; busy: boolean };

/**
 * Reads by key go over two connections, each with one flight under way: those that come meanwhile leave together in the
 * next, with one write and one Sync, so the busier it gets, the less each costs. Those that stood behind one that failed
 * go again, so an error or the server's statement_timeout stays with its own query. Nothing slow may come here: it would
 * delay all behind it.
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

  function leave(): void {
    for (const slot of slots) if (!slot.busy && waiting.length > 0) void fly(slot);
  }

  async function fly(slot: Slot): Promise<void> {
    slot.busy = true;
    while (waiting.length > 0) {
      const taken = waiting.splice(0, FLIGHT_MAX);
      try {
        await settled(await (slot.client ?? connect(slot)), taken, (sending) => waiting.push(sending));
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    slot.busy = false;
  }

  return {
    query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
      return new Promise((resolve, reject) => {
        // What one tick asks leaves together.
        if (waiting.length === 0) process.nextTick(leave);
        waiting.push({ statement, values, resolve: ({ rows }) => resolve(rows as Row[]), reject });
      });
    },
    async close() {
      closed = true;
      await Promise.allSettled(slots.map(async ({ client }) => (await client)?.end()));
    },
  };
}

/** Sends a flight and waits for its end; what did not run in it is given back. */
function settled(client: pg.Client, taken: Sending[], giveBack: (sending: Sending) => void): Promise<void> {
  return new Promise((resolve) => {
    let open = taken.length;
    // The server ends what takes long; a server that has vanished ends nothing.
    const timer = setTimeout(() => client.connection.stream.destroy(), FLIGHT_WITHIN_MS);
    const settle = () => {
      open -= 1;
      if (open > 0) return;
      clearTimeout(timer);
      resolve();
    };
    const watched = taken.map((sending) => ({
      ...sending,
      resolve(answer: Answer) {
        sending.resolve(answer);
        settle();
      },
      reject(error: unknown) {
        if (error instanceof NotRun) giveBack(sending);
        else sending.reject(error);
        settle();
      },
    }));
    send(client, watched);
  });
}
