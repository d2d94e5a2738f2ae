/** What a request waits for before it is sent again: a new session, or the password once more. */
export type Ask = "sign-in" | "confirm";

type Waiting = { ask: Ask; promise: Promise<boolean>; settle(passed: boolean): void };

let waiting: Waiting | null = null;
const listeners = new Set<() => void>();
const notify = () => {
  for (const listener of listeners) listener();
};

/** Asks the person at the screen once, however many requests wait. False: they would rather not. */
export function pass(ask: Ask): Promise<boolean> {
  if (waiting !== null) return waiting.promise;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  waiting = {
    ask,
    promise,
    settle(passed) {
      waiting = null;
      resolve(passed);
      notify();
    },
  };
  notify();
  return promise;
}

/** For the one dialog that asks. */
export const gate = {
  current: () => waiting,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
