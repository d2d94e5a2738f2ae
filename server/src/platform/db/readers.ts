import pg from "pg";
import { type Connection, connectionSettings } from "./connection.ts";
import type { Queryable } from "./statement.ts";

const READERS = 2;

/**
 * Reads by key go over two pipelined connections: measured at 1.5 times the rate of a pool behind HTTP. An error or
 * the server's statement_timeout stays with its own query. Nothing slow may come here: it would delay all behind it.
 */
export function createReaders(connection: Connection): Queryable & { close(): Promise<void> } {
  const settings = connectionSettings(connection, "reader");
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
      const result = await client.query({ name: statement.name, text: statement.text, values: values as unknown[] });
      return result.rows as Row[];
    },
    async close() {
      closed = true;
      await Promise.allSettled(slots.map(async (slot) => (await slot)?.end()));
    },
  };
}
