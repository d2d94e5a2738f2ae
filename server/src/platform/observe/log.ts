import { type DestinationStream, type Logger, pino } from "pino";
import { systemClock } from "../../kernel/clock.ts";
import type { LogLevel } from "./log-level.ts";

export type { Logger };

/** JSON lines on standard output. Headers and bodies are never logged, because they may contain secrets. */
export function createLog(level: LogLevel): Logger {
  return pino({ level, base: null, timestamp: timeMember }, createOutput());
}

let stamped_ms = 0;
let stamp = "";

/** The timestamp of a line, formatted once per millisecond. */
function timeMember(): string {
  const now = systemClock.now();
  if (now.getTime() !== stamped_ms) stamp = `,"time":"${now.toISOString()}"`;
  stamped_ms = now.getTime();
  return stamp;
}

/** Batches the lines of one tick into one write, which costs more than a line. Fatal lines are flushed at once. */
function createOutput(): DestinationStream & { flushSync(): void } {
  const output = pino.destination({ dest: 1, sync: false, minLength: 16_000, periodicFlush: 500 });
  let lines = "";

  function pass(): void {
    if (lines !== "") output.write(lines);
    lines = "";
  }

  function flushSync(): void {
    pass();
    output.flushSync();
  }

  process.on("exit", flushSync);
  return {
    write(line) {
      if (lines === "") setImmediate(pass);
      lines += line;
    },
    flushSync,
  };
}
