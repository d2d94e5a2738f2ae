import type { Clock } from "../../../../kernel/clock.ts";
import { createTurns } from "../../../../platform/delivery/turns.ts";
import { type Attempt, type Attempting, attemptDelivery } from "./attempt.ts";
import type { Delivery, Lane } from "./lane.ts";

export type DispatchRules = {
  attempting: Attempting;
  clock: Clock;
  tick(): number;
  maySend(): boolean;
  /** Told when a lane runs low. */
  runsLow(lane: Lane): void;
  finished(lane: Lane, delivery: Delivery, attempt: Attempt): void;
};

export type Dispatcher = {
  /** Puts a lane in line for sending, when it may have something to send. */
  want(lane: Lane): void;
  readonly in_flight: number;
};

/** Sends what lanes have, in turns. */
export function createDispatcher({ attempting, clock, tick, maySend, runsLow, finished }: DispatchRules): Dispatcher {
  const { slots, slow_slots, low_water } = attempting.options;
  const isSlow = (lane: Lane) => lane.isSlow(tick());
  const turns = createTurns<Lane>({ slots, slow_slots, isSlow, send });
  let scheduled = false;

  /** All that became possible in one tick is looked at together. */
  function runSoon(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      if (maySend()) turns.run();
    });
  }

  function want(lane: Lane): void {
    if (lane.lost) turns.remove(lane);
    else turns.add(lane);
    runSoon();
  }

  function send(lane: Lane): boolean {
    const delivery = lane.take(clock.now().getTime(), tick());
    if (lane.live.length <= low_water) runsLow(lane);
    if (delivery === null) waitForPace(lane);
    else void attempt(lane, delivery);
    return delivery !== null;
  }

  function waitForPace(lane: Lane): void {
    const wait_ms = lane.idle ? 0 : lane.waitMs(tick());
    if (wait_ms === 0 || lane.pacing) return;
    lane.pacing = true;
    setTimeout(() => {
      lane.pacing = false;
      want(lane);
    }, wait_ms).unref();
  }

  async function attempt(lane: Lane, delivery: Delivery): Promise<void> {
    const ticket = lane.flow.begin(tick());
    const attempt = await attemptDelivery(attempting, lane, delivery);
    lane.flow.end(ticket, attempt.flow, tick());
    turns.free(lane);
    finished(lane, delivery, attempt);
    want(lane);
  }

  return {
    want,
    get in_flight() {
      return turns.in_flight;
    },
  };
}
