const FLUSH_EVERY_MS = 30_000;

/** Times of last use by id, buffered in memory and saved together, because a write per request would cost more than the request. */
export type Usage = {
  note(id: string, at: Date): void;
  flush(): Promise<void>;
  close(): Promise<void>;
};

export function createUsage(
  save: (uses: ReadonlyMap<string, Date>) => Promise<void>,
  reportDelay: (error: unknown) => void,
): Usage {
  let uses = new Map<string, Date>();

  /** On failure the buffer is kept for the next flush. */
  async function flush(): Promise<void> {
    const taken = uses;
    uses = new Map();
    if (taken.size === 0) return;
    try {
      await save(taken);
    } catch (error) {
      uses = new Map([...taken, ...uses]);
      reportDelay(error);
    }
  }

  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS);
  timer.unref();
  return {
    note: (id, at) => void uses.set(id, at),
    flush,
    close() {
      clearInterval(timer);
      return flush();
    },
  };
}
