import type { Clock } from "../../../../kernel/clock.ts";
import { createRoundRobin } from "../../../../platform/delivery/round-robin.ts";
import { type Attempt, type Attempting, attemptDelivery } from "./attempt.ts";
import type { Lane } from "./lane.ts";
import type { Delivery } from "./queue.ts";

export type DispatchRules = {
  attempting: Attempting;
  clock: Clock;
  tick(): number;
  maySend(): boolean;
  onLow(lane: Lane): void;
  onFinished(lane: Lane, delivery: Delivery, attempt: Attempt): void;
};

export type Dispatcher = {
  /** Queues a lane that may have something to send. */
  enqueue(lane: Lane): void;
  readonly in_flight: number;
};

/** Sends the deliveries of lanes, round robin. */
export function createDispatcher({ attempting, clock, tick, maySend, onLow, onFinished }: DispatchRules): Dispatcher {
  const { slots, slow_slots, low_water } = attempting.options;
  const isSlow = (lane: Lane) => lane.isSlow(tick());
  const turns = createRoundRobin<Lane>({ slots, slow_slots, isSlow, send });
  const paced = new Set<Lane>();
  let scheduled = false;

  /** Everything enqueued in one tick is handled together. */
  function runSoon(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      if (maySend()) turns.run();
    });
  }

  function enqueue(lane: Lane): void {
    if (lane.lost) turns.remove(lane);
    else turns.add(lane);
    runSoon();
  }

  function send(lane: Lane): boolean {
    const delivery = lane.take(clock.now().getTime(), tick());
    if (lane.queue.isLow(low_water)) onLow(lane);
    if (delivery === null) waitForPace(lane);
    else void attempt(lane, delivery);
    return delivery !== null;
  }

  function waitForPace(lane: Lane): void {
    const wait_ms = lane.queue.idle ? 0 : lane.waitMs(tick());
    if (wait_ms === 0 || paced.has(lane)) return;
    paced.add(lane);
    setTimeout(() => {
      paced.delete(lane);
      enqueue(lane);
    }, wait_ms).unref();
  }

  async function attempt(lane: Lane, delivery: Delivery): Promise<void> {
    const ticket = lane.noteAttemptStarted(tick());
    const attempt = await attemptDelivery(attempting, lane, delivery);
    lane.noteAttemptEnded(ticket, attempt.flow, tick());
    turns.free(lane);
    onFinished(lane, delivery, attempt);
    enqueue(lane);
  }

  return {
    enqueue,
    get in_flight() {
      return turns.in_flight;
    },
  };
}
