import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../../../platform/db/database.ts";
import type { HttpSender } from "../../../../platform/net/http-sender.ts";
import type { Logger } from "../../../../platform/observe/log.ts";
import type { Services } from "../../../../platform/record/context.ts";
import type { Attempt } from "./attempt.ts";
import { createDispatcher, type Dispatcher } from "./dispatcher.ts";
import { Flusher } from "./flusher.ts";
import { disableWithNotice, noteAttempt, shouldDisable, writeHealth } from "./health.ts";
import { Holdings } from "./holdings.ts";
import type { Delivery, Lane } from "./lane.ts";
import { DELIVERY_OPTIONS, type DeliveryOptions } from "./options.ts";
import { createScout, type Scout } from "./scout.ts";

/** Looking for work takes no more than this share of the time. */
const LOOKING_SHARE = 0.15;

export type DeliveryStats = { in_flight: number; lanes: number; oldest_due_seconds: number };

export type DeliveryEngine = {
  start(): void;
  /** Tells that a partner has new deliveries, to save the wait for the next look. */
  wake(partner_id: string): void;
  stats(): DeliveryStats;
  /** Finishes what is under way, for a while, and gives everything back. */
  stop(): Promise<void>;
};

export type EngineRules = {
  services: Services;
  /** Connections of its own, so that no flood of requests can keep it from saying that it lives. */
  db: Database;
  sender: HttpSender;
  brand: string;
  log: Logger;
  observe(outcome: "succeeded" | "failed" | "retried"): void;
  options?: Partial<DeliveryOptions>;
};

type Parts = {
  db: Database;
  holdings: Holdings;
  flusher: Flusher;
  dispatcher: Dispatcher;
  scout: Scout;
  options: DeliveryOptions;
};

/**
 * Brings deliveries to their endpoints. A worker holds endpoints for itself alone, reads a window of what is due for each,
 * sends in turns, and writes the outcomes in batches. The database has everything, so that a crash can only repeat.
 */
export function createDeliveryEngine(rules: EngineRules): DeliveryEngine {
  const options = { ...DELIVERY_OPTIONS, ...rules.options };
  const report = (error: unknown) => rules.log.warn({ err: error }, "webhook deliveries will try again");
  const stopping = new AbortController();
  const stopped = new AbortController();
  const parts = connectParts(rules, options, () => stopping.signal.aborted, report);
  const { holdings, dispatcher, scout } = parts;
  let loops: Promise<unknown> = Promise.resolve();
  let beating: Promise<unknown> = Promise.resolve();
  return {
    start() {
      beating = repeat(() => beat(parts), options.renew_ms, 0, stopped.signal, report);
      loops = Promise.all([
        repeat(() => scout.look("recent"), options.poll_ms, LOOKING_SHARE, stopping.signal, report),
        repeat(() => scout.look("all"), options.poll_all_ms, LOOKING_SHARE, stopping.signal, report),
      ]);
    },
    wake(partner_id) {
      if (!stopping.signal.aborted) scout.hint(partner_id);
    },
    stats: () => ({
      in_flight: dispatcher.in_flight,
      lanes: holdings.lanes.size,
      oldest_due_seconds: scout.oldest_due_ms() / 1_000,
    }),
    async stop() {
      stopping.abort();
      await loops;
      await untilDone(parts);
      parts.flusher.close();
      stopped.abort();
      await beating;
      await writeHealth(rules.db, holdings.worker, holdings.lanes.values()).catch(report);
      // What is still under way ends here, before another worker may send it.
      rules.sender.close();
      await holdings.releaseAll().catch(report);
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
  const holdings = new Holdings({ db, clock, sealer, options, tick });
  const flusher = new Flusher({
    db,
    options,
    worker: () => holdings.worker,
    report,
    settled({ lane, delivery, outcome }, held) {
      if (!held) holdings.drop(lane);
      lane.settle(delivery, outcome.status === "pending" ? outcome.next_at.getTime() : null, clock.now().getTime());
      dispatcher.want(lane);
    },
  });

  function finished(lane: Lane, delivery: Delivery, { outcome, gone, version }: Attempt): void {
    observe(outcome.status === "pending" ? "retried" : outcome.status);
    noteAttempt(lane, outcome.status === "succeeded", clock.now());
    if (outcome.status !== "pending") lane.release(delivery);
    flusher.add({ lane, delivery, outcome });
    const reason = gone ? "gone" : shouldDisable(lane, options) ? "failing" : null;
    // Another address may have been given meanwhile, which did not answer so.
    const current = version === lane.endpoint.version;
    if (reason !== null && current && !lane.leaving) disableWithNotice(services, lane, reason).catch(report);
  }

  const dispatcher = createDispatcher({
    attempting: { sender, brand, options, now: () => clock.now() },
    clock,
    tick,
    maySend: () => !isStopping() && holdings.alive() && flusher.unwritten < options.unwritten_max,
    runsLow: (lane) => lane.stale && scout.fill(lane.partner_id),
    finished,
  });
  const scout = createScout({ db, clock, tick, holdings, options, want: dispatcher.want, report });
  return { db, holdings, flusher, dispatcher, scout, options };
}

/** Says that we live, learns what changed, and gives back what others are to have. */
async function beat({ db, holdings }: Parts): Promise<void> {
  await holdings.beat();
  await writeHealth(db, holdings.worker, holdings.lanes.values());
  await holdings.verify();
  await holdings.giveBack();
}

async function untilDone({ flusher, dispatcher, options }: Parts): Promise<void> {
  const deadline_ms = performance.now() + options.stop_within_ms;
  while (dispatcher.in_flight + flusher.unwritten > 0 && performance.now() < deadline_ms) {
    if (flusher.unwritten > 0) await flusher.flush();
    await sleep(10);
  }
}

/** Does something again and again, and rests longer the longer it took. */
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
