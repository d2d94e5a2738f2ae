import pg from "pg";
import { type Connection, connectionSettings, withOnePlan } from "./connection.ts";
import { sendOne } from "./flight.ts";
import type { Queryable } from "./statement.ts";

const READERS = 2;

/**
 * Reads by key go over two pipelined connections: measured at 1.5 times the rate of a pool behind HTTP. An error or
 * the server's statement_timeout stays with its own query. Nothing slow may come here: it would delay all behind it.
 */
export function createReaders(connection: Connection): Queryable & { close(): Promise<void> } {
  const settings = connectionSettings(withOnePlan(connection), "reader");
  const slots: (Promise<pg.Client> | null)[] = Array.from({ length: READERS }, () => null);
  let turn = 0;
  let closed = false;

  function connect(slot: number): Promise<pg.Client> {
    if (closed) return Promise.reject(new Error("Connection terminated: the service is closing"));
    const client = new pg.Client(settings);
    const forget = () => {
      if (slots[slot] === connected) slots[slot] = null;
    };
    client.on("error", forget);
    client.on("end", forget);
    const connected = client.connect().then(() => client);
    slots[slot] = connected;
    connected.catch(forget);
    return connected;
  }

  return {
    async query<Row>(statement: { name: string; text: string }, values: readonly unknown[] = []): Promise<Row[]> {
      turn = (turn + 1) % READERS;
      const client = await (slots[turn] ?? connect(turn));
      holdUntilTickEnds(client);
      return sendOne<Row>(client, statement, values);
    },
    async close() {
      closed = true;
      await Promise.allSettled(slots.map(async (slot) => (await slot)?.end()));
    },
  };
}

const held = new WeakSet<pg.Client>();

/** The queries of one tick leave in one write. */
function holdUntilTickEnds(client: pg.Client): void {
  if (held.has(client)) return;
  held.add(client);
  client.connection.stream.cork();
  process.nextTick(() => {
    held.delete(client);
    client.connection.stream.uncork();
  });
}
