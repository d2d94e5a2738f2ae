export type RoundRobin<T> = {
  /** Queues a taker, once. */
  add(taker: T): void;
  remove(taker: T): void;
  /** Gives turns until the slots are full or no taker is left. */
  run(): void;
  /** Frees the slot that a request of a taker had. */
  free(taker: T): void;
  readonly in_flight: number;
};

export type RoundRobinRules<T> = {
  slots: number;
  /** How many of the slots slow takers may have together. */
  slow_slots: number;
  isSlow(taker: T): boolean;
  /** Sends one request; false when the taker has none to send now, which removes it from the queue. */
  send(taker: T): boolean;
};

/** Shares slots round robin. Slow takers have a queue of their own and a limit, so that they can never use all slots. */
export function createRoundRobin<T>({ slots, slow_slots, isSlow, send }: RoundRobinRules<T>): RoundRobin<T> {
  const queues = { fast: new Set<T>(), slow: new Set<T>() };
  const used = new Map<T, number>();
  let in_flight = 0;

  /** Counted each time, because a taker may turn slow while its requests are in flight. */
  function slowInFlight(): number {
    let count = 0;
    for (const [taker, requests] of used) if (isSlow(taker)) count += requests;
    return count;
  }

  /** A taker that has turned slow, or fast again, moves to the other queue at its turn. */
  function giveTurn(queue: Set<T>, other: Set<T>, slow: boolean): boolean {
    for (const taker of queue) {
      queue.delete(taker);
      if (isSlow(taker) !== slow) {
        other.add(taker);
        continue;
      }
      if (!send(taker)) continue;
      used.set(taker, (used.get(taker) ?? 0) + 1);
      in_flight += 1;
      queue.add(taker);
      return true;
    }
    return false;
  }

  return {
    add(taker) {
      const [queue, other] = isSlow(taker) ? [queues.slow, queues.fast] : [queues.fast, queues.slow];
      other.delete(taker);
      queue.add(taker);
    },
    remove(taker) {
      queues.fast.delete(taker);
      queues.slow.delete(taker);
    },
    run() {
      if (queues.fast.size + queues.slow.size === 0 || in_flight >= slots) return;
      let slow_left = queues.slow.size === 0 ? 0 : slow_slots - slowInFlight();
      for (let given = true; given && in_flight < slots; ) {
        const fast = giveTurn(queues.fast, queues.slow, false);
        const slow = slow_left > 0 && in_flight < slots && giveTurn(queues.slow, queues.fast, true);
        if (slow) slow_left -= 1;
        given = fast || slow;
      }
    },
    free(taker) {
      const left = (used.get(taker) ?? 1) - 1;
      if (left > 0) used.set(taker, left);
      else used.delete(taker);
      in_flight -= 1;
    },
    get in_flight() {
      return in_flight;
    },
  };
}
