import { setTimeout as sleep } from "node:timers/promises";

const POLL_EVERY_MS = 250;

export type Poller = { start(): void; stop(): Promise<void> };

/**
 * Works off rows that any number of processes poll. `work` runs a round and says whether there was something to do; `stopping` tells it
 * to end early. After an error it is tried again.
 */
export function createPoller(work: (stopping: AbortSignal) => Promise<boolean>, delayed: (error: unknown) => void): Poller {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const busy = await work(stopping.signal).catch((error: unknown) => {
        delayed(error);
        return false;
      });
      if (!busy) await sleep(POLL_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  return {
    start() {
      running = loop();
    },
    stop() {
      stopping.abort();
      return running;
    },
  };
}
