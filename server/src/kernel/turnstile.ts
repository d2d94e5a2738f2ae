/** Lets so many through at a time, and the others in the order in which they came. */
export type Turnstile = {
  pass<T>(act: () => Promise<T>): Promise<T>;
  /** How many wait. */
  waiting(): number;
};

export function createTurnstile(concurrent_max: number): Turnstile {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async pass(act) {
      if (running >= concurrent_max) await new Promise<void>((resolve) => queue.push(resolve));
      else running += 1;
      try {
        return await act();
      } finally {
        const next = queue.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
    waiting: () => queue.length,
  };
}
