import type pg from "pg";
import { rejectAll, type Sending, send } from "./flight.ts";
import type { Writers } from "./writers.ts";

/** Where the statements of a transaction are sent. */
export type Line = {
  send(sendings: readonly Sending[]): void;
  /** Sends a whole transaction, from BEGIN to COMMIT, without waiting for others; null where it has a connection of its own. */
  sendWhole: ((sendings: readonly Sending[]) => void) | null;
  rollBack(): Promise<void>;
  end(): void;
};

/** A connection of the pool, for one transaction. */
export async function ownLine(pool: pg.Pool): Promise<Line> {
  const { client, giveBack } = await lend(pool);
  return {
    send: (sendings) => send(client, sendings),
    sendWhole: null,
    async rollBack() {
      await client.query("rollback").catch(() => undefined);
    },
    end: giveBack,
  };
}

/** The connections that whole transactions share. One that has to wait for an answer is lent a connection of the pool. */
export function sharedLine(pool: pg.Pool, writers: Writers): Line {
  let own: Promise<Line> | null = null;
  const ifOwn = async (use: (line: Line) => unknown) => void (await own?.then(use, () => undefined));
  return {
    send(sendings) {
      own ??= ownLine(pool);
      own.then(
        (line) => line.send(sendings),
        (error: unknown) => rejectAll(sendings, error),
      );
    },
    sendWhole: writers.send,
    rollBack: () => ifOwn((line) => line.rollBack()),
    end: () => void ifOwn((line) => line.end()),
  };
}

/** Lends a connection of the pool; a broken one is discarded. */
export async function withClient<T>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const { client, giveBack } = await lend(pool);
  try {
    return await use(client);
  } finally {
    giveBack();
  }
}

async function lend(pool: pg.Pool) {
  const client = await pool.connect();
  let broken: Error | undefined;
  const noteLoss = (error: Error) => {
    broken = error;
  };
  client.on("error", noteLoss);
  return {
    client,
    giveBack() {
      client.off("error", noteLoss);
      client.release(broken);
    },
  };
}
