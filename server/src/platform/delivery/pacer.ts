/** How late a timer may be without reducing the rate. */
const CATCH_UP_MS = 25;

/** Spaces requests evenly, so that no second has more than the rate. */
export type Pacer = {
  /** Milliseconds until the next request is allowed; 0 for now. */
  waitMs(now_ms: number): number;
  take(now_ms: number): void;
};

export function createPacer(per_second: number): Pacer {
  const gap_ms = 1_000 / per_second;
  let next_ms = 0;
  return {
    waitMs: (now_ms) => Math.max(0, next_ms - now_ms),
    take(now_ms) {
      next_ms = Math.max(next_ms, now_ms - CATCH_UP_MS) + gap_ms;
    },
  };
}
