import { parseArgs } from "node:util";
import { backup } from "./cli/backup.ts";
import { restore } from "./cli/restore.ts";
import { readConfig } from "./config.ts";
import { serve } from "./main.ts";
import { BackupRefused } from "./platform/backup/index.ts";
import { type Logins, openLogins } from "./service.ts";

const USAGE = `Usage: tributary serve | backup FILE [--check] | restore FILE [--force] [--yes] [--other-key]

  serve    start the service; configured by environment variables (docs/configuration.md)
  backup   ${backup.summary}
  restore  ${restore.summary}
`;

const [command, ...rest] = process.argv.slice(2);

if (command === "serve" && rest.length === 0) await serve();
else if (command === "--help" || command === "help") process.stdout.write(USAGE);
else if (command === "backup" || command === "restore") process.exit(await run(command === "backup" ? backup : restore, rest));
else {
  process.stderr.write(
    `${command === undefined ? "No command was given." : `Unknown command: ${[command, ...rest].join(" ")}`}\n\n${USAGE}`,
  );
  process.exit(2);
}

async function run({ run, options }: typeof backup | typeof restore, argv: string[]): Promise<number> {
  const flags = Object.fromEntries(
    [...Object.keys(options), "json"].map((name) => [name, { type: "boolean" as const, default: false }]),
  );
  const { values, positionals } = parseArgs({ args: argv, options: flags, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined) return 2;
  const json = values.json === true;
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => ending.abort());
  let opened: Promise<Logins> | null = null;
  try {
    await (run as (call: object) => Promise<void>)({
      args: { file },
      options: values,
      out: {
        json,
        result: (value: unknown, lines: () => readonly string[]) =>
          void process.stdout.write(`${json ? JSON.stringify(value) : lines().join("\n")}\n`),
        note: (text: string) => void (json || process.stderr.write(`${text}\n`)),
      },
      signal: ending.signal,
      config: () => readConfig(process.env),
      logins: () => (opened ??= openLogins(readConfig(process.env), (text) => void process.stderr.write(`${text}\n`))),
    });
    return 0;
  } catch (error) {
    const { message, stack } = error as Error;
    process.stderr.write(
      `${error instanceof BackupRefused ? `${message}\n  ${error.remedy}` : ending.signal.aborted ? "Interrupted." : (stack ?? message)}\n`,
    );
    return 1;
  } finally {
    await (opened as Promise<Logins> | null)?.then((logins) => logins.release());
  }
}
