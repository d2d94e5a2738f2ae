import { type Logger, pino } from "pino";
import { systemClock } from "../../kernel/clock.ts";
import { loggedError } from "./log-error.ts";
import type { LogLevel } from "./log-level.ts";
import { createLogOutput } from "./log-output.ts";

export type { Logger };

/** JSON lines on standard output. Headers and bodies are never logged, because they may contain secrets. */
export function createLog(level: LogLevel): Logger {
  // To open it makes a pipe non-blocking, so that a reader that stopped reading does not stop the process.
  const output = createLogOutput(process.stdout.fd);
  process.on("exit", output.flushSync);
  return pino({ ...LOG_OPTIONS, level }, output);
}

/** The form of a line. */
export const LOG_OPTIONS = { base: null, timestamp: timeMember, serializers: { err: loggedError } };

let stamped_ms = 0;
let stamp = "";

/** The timestamp of a line, formatted once per millisecond. */
function timeMember(): string {
  const now = systemClock.now();
  if (now.getTime() !== stamped_ms) stamp = `,"time":"${now.toISOString()}"`;
  stamped_ms = now.getTime();
  return stamp;
}
