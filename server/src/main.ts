import { type Config, ConfigError, readConfig } from "./config.ts";
import { StartError } from "./installation.ts";
import { isUnreachable } from "./platform/db/connection.ts";
import { createLog, type Logger } from "./platform/observe/log.ts";
import { EmbeddedDatabaseError } from "./platform/postgres/index.ts";
import { type Service, startService } from "./service.ts";

/** Signals within this time count as one: under npm, Ctrl-C arrives from the terminal and is forwarded as well. */
const ONE_SIGNAL_MS = 1_000;

/** The process: reads the environment, starts the service, and drains it on a signal. */
export async function serve({ json = false } = {}): Promise<void> {
  const config = orExit(() => readConfig(process.env), json);
  const log = createLog(config.log_level);
  const started_ms = performance.now();
  const starting = startService(config, log);
  stopOnSignals(starting, log, config.shutdown_seconds);
  const service = await starting.catch((error: unknown) => exitWith(error, json));
  announce(config, service, json, Math.round(performance.now() - started_ms));
}

function announce({ role, data_dir }: Config, service: Service, json: boolean, took_ms: number): void {
  const { base_url, first_run, demo_link } = service;
  if (json) {
    process.stdout.write(`${JSON.stringify({ base_url, role, first_run, demo_link, took_ms })}\n`);
    return;
  }
  const lines = [`Tributary is ready at ${base_url} (${role}, ${took_ms} ms)`];
  if (first_run) lines.push(`  Keys and passwords of the first run: ${data_dir}/first-run.json`);
  if (demo_link !== null) lines.push(`  Open ${demo_link}`);
  process.stdout.write(`${lines.join("\n")}\n`);
}

/**
 * The first signal shuts the service down, which has a limited time; the second one ends the process at once. A signal during the start
 * waits until it has ended, so that the database it started is stopped too.
 */
function stopOnSignals(starting: Promise<Service>, log: Logger, within_s: number): void {
  let stopping_since_ms: number | null = null;
  let unfinished = () => ["start"];
  const giveUp = (why: string, err?: unknown) => {
    log.error({ unfinished: unfinished(), err }, `shutdown did not finish: ${why}`);
    process.exit(1);
  };
  const stop = (exit_code: number) => {
    if (stopping_since_ms !== null) return;
    stopping_since_ms = performance.now();
    setTimeout(() => giveUp(`it took longer than ${within_s} s`), within_s * 1_000);
    starting
      .then(({ shutdown }) => {
        unfinished = shutdown.unfinished;
        return shutdown.run();
      })
      .then(
        () => process.exit(exit_code),
        (error: unknown) => giveUp("a step failed", error),
      );
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (stopping_since_ms === null) stop(0);
      else if (performance.now() - stopping_since_ms > ONE_SIGNAL_MS) giveUp(`there was a second signal, ${signal}`);
    });
  }
  for (const fault of ["unhandledRejection", "uncaughtException"]) {
    process.on(fault, (error: unknown) => {
      // The job library does not wait for the write that ends a job: a database that is away for a while must not end the service.
      if (fault === "unhandledRejection" && isUnreachable(error)) return log.error({ err: error }, fault);
      log.fatal({ err: error }, fault);
      stop(1);
    });
  }
}

function orExit<T>(read: () => T, json: boolean): T {
  try {
    return read();
  } catch (error) {
    exitWith(error, json);
  }
}

/** Prints a message for problems that the user can fix; anything else is a defect and is printed with its stack. */
function exitWith(error: unknown, json: boolean): never {
  const known = error instanceof ConfigError || error instanceof StartError;
  const text =
    error instanceof EmbeddedDatabaseError
      ? `${error.message}\n  ${error.remedy}`
      : known
        ? error.message
        : ((error as Error)?.stack ?? String(error));
  process.stderr.write(
    json ? `${JSON.stringify({ error: { code: "cannot_start", message: text } })}\n` : `Tributary cannot start. ${text}\n`,
  );
  process.exit(1);
}
