export type Patience = ReturnType<typeof createPatience>;

/** Waits that end early when there is a reason to try at once. */
export function createPatience() {
  const waiting = new Set<() => void>();
  return {
    pause(ms: number): Promise<void> {
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        waiting.add(done);
      });
    },
    wake(): void {
      for (const done of [...waiting]) done();
    },
  };
}
