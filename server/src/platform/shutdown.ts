/** One part of what a process has open, and how it is ended. */
export type Step = { name: string; end(): Promise<unknown> };

export type Shutdown = {
  /** Ends everything, in order. A step that fails does not keep the next from its turn. */
  run(): Promise<void>;
  /** The steps that have not ended, or have failed. */
  unfinished(): string[];
};

export function createShutdown(steps: readonly Step[]): Shutdown {
  const open = new Set(steps.map(({ name }) => name));
  const end = async () => {
    const errors: unknown[] = [];
    for (const step of steps) {
      await step.end().then(
        () => open.delete(step.name),
        (error: unknown) => errors.push(error),
      );
    }
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, "several steps failed");
  };
  let running: Promise<void> | null = null;
  return {
    run: () => (running ??= end()),
    unfinished: () => [...open],
  };
}
