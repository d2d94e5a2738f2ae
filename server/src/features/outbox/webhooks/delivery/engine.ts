import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../../../platform/db/database.ts";
import type { HttpSender } from "../../../../platform/net/http-sender.ts";
import type { Logger } from "../../../../platform/observe/log.ts";
import type { Services } from "../../../../platform/record/context.ts";
import type { Attempt } from "./attempt.ts";
import { createDispatcher, type Dispatcher } from "./dispatcher.ts";
import { Flusher } from "./flusher.ts";
import { disableWithNotice, writeHealth } from "./health.ts";
import type { Lane } from "./lane.ts";
import { Leases } from "./leases.ts";
import { DELIVERY_OPTIONS, type DeliveryOptions } from "./options.ts";
import type { Delivery } from "./queue.ts";
import { createScout, type Scout } from "./scout.ts";

/**
 * Polls take no more than this share of the time. The rest is what endpoints wait for: on a busy machine, where a poll takes
 * long because it waits for the processor, a share of 0.15 held back everything for seconds.
 */
const POLL_SHARE = 0.5;

export type DeliveryStats = { in_flight: number; lanes: number; oldest_due_seconds: number };

export type DeliveryEngine = {
  start(): void;
  /** A partner has new deliveries: they need not wait for the next poll. */
  wake(partner_id: string): void;
  stats(): DeliveryStats;
  /** Waits a while for requests in flight, then releases all leases. */
  stop(): Promise<void>;
};

export type EngineRules = {
  services: Services;
  /** A pool of its own, so that no flood of requests delays its heartbeat. */
  db: Database;
  sender: HttpSender;
  brand: string;
  log: Logger;
  observe(outcome: "succeeded" | "failed" | "retried"): void;
  options?: Partial<DeliveryOptions>;
};

type Parts = {
  db: Database;
  leases: Leases;
  flusher: Flusher;
  dispatcher: Dispatcher;
  scout: Scout;
  options: DeliveryOptions;
};

/**
 * Sends deliveries to their endpoints. A worker leases endpoints exclusively, reads a window of due deliveries for each,
 * sends them round robin, and writes the outcomes in batches. All state is in the database, so a crash can only repeat.
 */
export function createDeliveryEngine(rules: EngineRules): DeliveryEngine {
  const options = { ...DELIVERY_OPTIONS, ...rules.options };
  const report = (error: unknown) => rules.log.warn({ err: error }, "webhook deliveries will try again");
  const stopping = new AbortController();
  const stopped = new AbortController();
  const parts = connectParts(rules, options, () => stopping.signal.aborted, report);
  const { leases, dispatcher, scout } = parts;
  let loops: Promise<unknown> = Promise.resolve();
  let beating: Promise<unknown> = Promise.resolve();
  return {
    start() {
      beating = repeat(() => heartbeat(parts), options.renew_ms, 0, stopped.signal, report);
      loops = Promise.all([
        repeat(() => scout.poll("recent"), options.poll_ms, POLL_SHARE, stopping.signal, report),
        repeat(() => scout.poll("all"), options.poll_all_ms, POLL_SHARE, stopping.signal, report),
      ]);
    },
    wake(partner_id) {
      if (!stopping.signal.aborted) scout.hint(partner_id);
    },
    stats: () => ({
      in_flight: dispatcher.in_flight,
      lanes: leases.lanes.size,
      oldest_due_seconds: scout.oldest_due_ms() / 1_000,
    }),
    async stop() {
      stopping.abort();
      await loops;
      await drain(parts);
      parts.flusher.close();
      stopped.abort();
      await beating;
      await writeHealth(rules.db, leases.worker, leases.lanes.values()).catch(report);
      // Requests still in flight end here, before another worker may repeat them.
      rules.sender.close();
      await leases.releaseAll().catch(report);
    },
  };
}

function connectParts(
  rules: EngineRules,
  options: DeliveryOptions,
  isStopping: () => boolean,
  report: (error: unknown) => void,
): Parts {
  const { db, services, sender, brand, observe } = rules;
  const { clock, sealer } = services;
  const tick = () => performance.now();
  const leases = new Leases({ db, clock, sealer, options, tick });
  const flusher = new Flusher({
    db,
    options,
    worker: () => leases.worker,
    report,
    onWritten({ lane, delivery, outcome }, leased) {
      if (!leased) leases.drop(lane);
      lane.queue.settle(delivery, outcome.status === "pending" ? outcome.next_at.getTime() : null);
      dispatcher.enqueue(lane);
    },
  });

  function onFinished(lane: Lane, delivery: Delivery, { outcome, gone, version }: Attempt): void {
    observe(outcome.status === "pending" ? "retried" : outcome.status);
    lane.noteAnswer(outcome.status === "succeeded", clock.now());
    if (outcome.status !== "pending") lane.queue.releaseStream(delivery);
    flusher.add({ lane, delivery, outcome });
    const reason = gone ? "gone" : lane.health.shouldDisable(options) ? "failing" : null;
    // A newer version may have another address, which did not give this answer.
    const current = version === lane.endpoint.version;
    if (reason !== null && current && !lane.draining) disableWithNotice(services, lane, reason).catch(report);
  }

  const dispatcher = createDispatcher({
    attempting: { sender, brand, options, now: () => clock.now() },
    clock,
    tick,
    maySend: () => !isStopping() && leases.alive() && flusher.unwritten < options.unwritten_max,
    onLow: (lane) => lane.queue.stale && scout.fill(lane.partner_id),
    onFinished,
  });
  const scout = createScout({ db, clock, tick, leases, options, enqueue: dispatcher.enqueue, report });
  return { db, leases, flusher, dispatcher, scout, options };
}

/** One heartbeat: renews the leases, notices changes, and releases what other workers are to have. */
async function heartbeat({ db, leases }: Parts): Promise<void> {
  await leases.renew();
  await writeHealth(db, leases.worker, leases.lanes.values());
  await leases.refresh();
  await leases.releaseUnneeded();
}

async function drain({ flusher, dispatcher, options }: Parts): Promise<void> {
  const deadline_ms = performance.now() + options.stop_within_ms;
  while (dispatcher.in_flight + flusher.unwritten > 0 && performance.now() < deadline_ms) {
    if (flusher.unwritten > 0) await flusher.flush();
    await sleep(10);
  }
}

/** Repeats an action, with a pause that grows with its duration. */
async function repeat(
  act: () => Promise<unknown>,
  every_ms: number,
  share: number,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    const began_ms = performance.now();
    await act().catch(report);
    const took_ms = performance.now() - began_ms;
    const rest_ms = Math.max(every_ms - took_ms, share > 0 ? took_ms / share : 0, 1);
    await sleep(rest_ms, undefined, { signal }).catch(() => undefined);
  }
}
