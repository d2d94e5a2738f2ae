import { writeSync } from "node:fs";

/** Lines are written in batches, because a write costs more than a line. */
const BATCH_LENGTH = 16_000;
const WRITE_WITHIN_MS = 500;
/** While nobody reads the log, up to this length is kept; later lines are dropped. */
const KEPT_MAX = 8_000_000;
const LAST_ATTEMPTS_MAX = 20;
const LAST_PAUSE_MS = 10;

export type LogOutput = { write(line: string): void; flushSync(): void };

/**
 * Writes lines to a file descriptor. A reader that is gone, or has stopped reading, loses lines: it must neither stop the process
 * nor keep it from ending, as the flush of sonic-boom does, which retries for ever. A pipe must be non-blocking for this.
 */
export function createLogOutput(fd: number): LogOutput {
  let lines = "";
  /** The rest of a batch that the reader has not taken yet. */
  let rest = Buffer.alloc(0);
  let timer: NodeJS.Timeout | null = null;

  /** Writes what the reader takes; false if it takes no more now. */
  function pass(): boolean {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    rest = Buffer.concat([rest, Buffer.from(lines)]);
    lines = "";
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
      return true;
    } catch (error) {
      const full = (error as NodeJS.ErrnoException).code === "EAGAIN";
      if (!full) rest = Buffer.alloc(0);
      return !full;
    }
  }

  return {
    write(line) {
      if (rest.length + lines.length < KEPT_MAX) lines += line;
      if (lines.length >= BATCH_LENGTH && rest.length === 0) pass();
      timer ??= setTimeout(pass, WRITE_WITHIN_MS).unref();
    },
    flushSync() {
      for (let attempt = 1; !pass() && attempt < LAST_ATTEMPTS_MAX; attempt += 1) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_PAUSE_MS);
      }
    },
  };
}
