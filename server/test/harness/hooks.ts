import type { AddressInfo } from "node:net";
import { pino } from "pino";
import type { Incoming, OpenChannel } from "../../src/features/inbox/channels/index.ts";
import { createServer } from "../../src/platform/http/server.ts";
import { createMetrics } from "../../src/platform/observe/metrics.ts";
import { mountHooks } from "../../src/surfaces/public/hooks.ts";
import { mountSimulator } from "../../src/surfaces/public/simulator.ts";
import type { World } from "./world.ts";

export type HookServer = {
  origin: string;
  /** What came in, in its order. */
  received: { channel: OpenChannel; item: Incoming }[];
  /** What happens when something comes in, instead of keeping it. */
  fail(error: Error | null): void;
  close(): Promise<void>;
};

/** The public paths of channels of a world on a port of their own, where what comes in is kept in memory. */
export async function startHooks({ app, clock }: World): Promise<HookServer> {
  const { services } = app;
  let failure: Error | null = null;
  const received: HookServer["received"] = [];
  const http = createServer({
    baseUrl: services.settings.baseUrl,
    clock,
    log: pino({ level: "silent" }),
    metrics: createMetrics(services.db),
  });
  const receive = async (_services: unknown, channel: OpenChannel, items: readonly Incoming[]) => {
    if (failure !== null) throw failure;
    received.push(...items.map((item) => ({ channel, item })));
  };
  mountHooks(http, { services, receive, limits: undefined });
  mountSimulator(http, services);
  await http.listen({ port: 0, host: "127.0.0.1" });
  return {
    origin: `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`,
    received,
    fail(error) {
      failure = error;
    },
    close: () => http.close(),
  };
}
