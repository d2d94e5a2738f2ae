export type Turns<T> = {
  /** Puts a taker in line, unless it stands there already. */
  add(taker: T): void;
  remove(taker: T): void;
  /** Gives turns round robin until the slots are full or nobody wants one. */
  run(): void;
  /** Frees the slot that a request of a taker had. */
  free(taker: T): void;
  readonly in_flight: number;
};

export type TurnRules<T> = {
  slots: number;
  /** How many of the slots slow takers may have together. */
  slow_slots: number;
  isSlow(taker: T): boolean;
  /** Sends one request; false when the taker has none that may go now, which takes it out of line. */
  send(taker: T): boolean;
};

/** Slots for everybody, in turns. Slow takers stand in a line of their own, so that they can never have them all. */
export function createTurns<T>({ slots, slow_slots, isSlow, send }: TurnRules<T>): Turns<T> {
  const lines = { fast: new Set<T>(), slow: new Set<T>() };
  const held = new Map<T, number>();
  let in_flight = 0;

  /** Counted anew, because a taker turns slow while its requests are under way. */
  function slowInFlight(): number {
    let count = 0;
    for (const [taker, requests] of held) if (isSlow(taker)) count += requests;
    return count;
  }

  /** Whoever has turned slow, or quick again, goes over to the other line when it is its turn. */
  function giveTurn(line: Set<T>, other: Set<T>, slow: boolean): boolean {
    for (const taker of line) {
      line.delete(taker);
      if (isSlow(taker) !== slow) {
        other.add(taker);
        continue;
      }
      if (!send(taker)) continue;
      held.set(taker, (held.get(taker) ?? 0) + 1);
      in_flight += 1;
      line.add(taker);
      return true;
    }
    return false;
  }

  return {
    add(taker) {
      const [line, other] = isSlow(taker) ? [lines.slow, lines.fast] : [lines.fast, lines.slow];
      other.delete(taker);
      line.add(taker);
    },
    remove(taker) {
      lines.fast.delete(taker);
      lines.slow.delete(taker);
    },
    run() {
      if (lines.fast.size + lines.slow.size === 0 || in_flight >= slots) return;
      let slow_left = lines.slow.size === 0 ? 0 : slow_slots - slowInFlight();
      for (let given = true; given && in_flight < slots; ) {
        const fast = giveTurn(lines.fast, lines.slow, false);
        const slow = slow_left > 0 && in_flight < slots && giveTurn(lines.slow, lines.fast, true);
        if (slow) slow_left -= 1;
        given = fast || slow;
      }
    },
    free(taker) {
      const left = (held.get(taker) ?? 1) - 1;
      if (left > 0) held.set(taker, left);
      else held.delete(taker);
      in_flight -= 1;
    },
    get in_flight() {
      return in_flight;
    },
  };
}
