import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../record/context.ts";
import type { Result } from "./route.ts";
import { eventMessage, HEARTBEAT_EVERY_MS, heartbeat } from "./streams.ts";

const POLL_EVERY_MS = 500;

/**
 * Streams what goes on in the background: `progress` whenever it has changed, and `ended` with its end. It is read again and again, so any
 * process may work on it.
 */
export async function followProgress<Work extends { json: string }>(
  { readiness }: Pick<Context, "readiness">,
  read: () => Promise<Work>,
  hasEnded: (work: Work) => boolean,
): Promise<Result> {
  const first = await read();
  async function* pieces(gone: AbortSignal): AsyncGenerator<string, void> {
    let sent = "";
    let sent_ms = performance.now();
    for (let current = first; ; current = await read()) {
      const ended = hasEnded(current);
      if (ended) yield eventMessage("ended", current.json);
      if (ended || gone.aborted || readiness() === "draining") return;
      const changed = current.json !== sent;
      const silent = performance.now() - sent_ms > HEARTBEAT_EVERY_MS;
      if (changed) yield eventMessage("progress", current.json);
      else if (silent) yield heartbeat();
      if (changed || silent) sent_ms = performance.now();
      sent = current.json;
      await sleep(POLL_EVERY_MS, undefined, { signal: gone }).catch(() => undefined);
    }
  }
  return { json: "", pieces };
}
