import type { QueryClient } from "@tanstack/react-query";
import { BASE } from "../api/base.ts";

/** A record has changed: what shows it is read again. */
export type Hint = { resource: string; id: string; version?: number };
export type LiveState = "live" | "polling" | "off";

/** `ask` comes from a tab that has just been opened, and wants to know the state. */
type Message = { hint: Hint } | { state: LiveState } | { ask: true };

const STREAM = `${BASE}/v1/changes/stream`;
const POLL_MS = 10_000;
const FAILURES_MAX = 3;

declare module "@tanstack/react-query" {
  interface Register {
    /** `live` names the resources, besides the first part of its key, whose changes concern a query. */
    queryMeta: { live?: readonly string[] };
  }
}

/** "deal" concerns the queries of "deals". */
const listOf = (resource: string) => (resource.endsWith("s") ? resource : `${resource}s`);

function refresh(queries: QueryClient, hint: Hint): void {
  const name = listOf(hint.resource);
  void queries.invalidateQueries({
    predicate: ({ queryKey, meta }) => queryKey[0] === name || (meta?.live?.includes(name) ?? false),
  });
}

/**
 * Keeps what is shown up to date. A browser opens six connections per origin, so one tab, elected by a lock, holds the stream for
 * all and passes its hints on. After three failures in a row what is shown is read again every ten seconds instead.
 */
export function goLive(queries: QueryClient, report: (state: LiveState) => void): () => void {
  const ended = new AbortController();
  const channel = new BroadcastChannel("tributary-live");
  let leading: LiveState | null = null;
  const tell = (message: Message) => {
    if ("state" in message) leading = message.state;
    hear(message);
    channel.postMessage(message);
  };
  const hear = (message: Message) => {
    if ("hint" in message) refresh(queries, message.hint);
    else if ("state" in message) report(message.state);
    else if (leading !== null) channel.postMessage({ state: leading });
  };
  channel.onmessage = ({ data }) => hear(data);
  channel.postMessage({ ask: true } satisfies Message);
  void navigator.locks
    .request("tributary-live", { signal: ended.signal }, () => lead(queries, tell, ended.signal))
    .catch(() => {});
  return () => {
    ended.abort();
    channel.close();
  };
}

/** Holds the stream until the tab closes or the person signs out. */
function lead(queries: QueryClient, tell: (message: Message) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let failures = 0;
    let timer: ReturnType<typeof setInterval> | undefined;
    const source = new EventSource(STREAM);
    const poll = () => {
      source.close();
      tell({ state: "polling" });
      timer = setInterval(() => void queries.invalidateQueries({ refetchType: "active" }), POLL_MS);
    };
    source.onopen = () => {
      failures = 0;
      tell({ state: "live" });
    };
    const onHint = ({ data }: MessageEvent<string>) => tell({ hint: JSON.parse(data) as Hint });
    source.onmessage = onHint;
    source.addEventListener("change", onHint);
    source.onerror = () => {
      failures += 1;
      if (source.readyState === EventSource.CLOSED || failures >= FAILURES_MAX) poll();
    };
    signal.addEventListener("abort", () => {
      source.close();
      clearInterval(timer);
      resolve();
    });
  });
}
