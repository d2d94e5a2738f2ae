import pg from "pg";

/** A connection that is opened when it is needed, and again after it was lost. */
export type Reconnecting = {
  get(): Promise<pg.Client>;
  isOpen(): boolean;
  /** Closes the connection until it is needed again; what is on its way is finished first. */
  rest(): Promise<void>;
  /** Ends whatever is on its way: the server does not answer. */
  abandon(): void;
  close(): Promise<void>;
};

export function createReconnecting(settings: pg.ClientConfig): Reconnecting {
  let current: { client: pg.Client; connected: Promise<pg.Client> } | null = null;
  let closed = false;

  function connect(): Promise<pg.Client> {
    if (closed) return Promise.reject(new Error("Connection terminated: the service is closing"));
    const client = new pg.Client(settings);
    const forget = () => {
      if (current?.client === client) current = null;
    };
    client.on("error", forget);
    client.on("end", forget);
    const connected = client.connect().then(() => client);
    connected.catch(forget);
    current = { client, connected };
    return connected;
  }

  async function rest(): Promise<void> {
    const resting = current;
    current = null;
    await resting?.connected.then((client) => client.end());
  }

  return {
    get: () => current?.connected ?? connect(),
    isOpen: () => current !== null,
    rest,
    abandon: () => void current?.client.connection.stream.destroy(),
    async close() {
      closed = true;
      await rest().catch(() => undefined);
    },
  };
}
