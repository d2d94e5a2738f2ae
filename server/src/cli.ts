import { serve } from "./main.ts";

const USAGE = `Usage: tributary serve

  serve    start the service; configured by environment variables (docs/configuration.md)
`;

const [command, ...rest] = process.argv.slice(2);

if (command === "serve" && rest.length === 0) await serve();
else if (command === "--help" || command === "help") process.stdout.write(USAGE);
else {
  process.stderr.write(
    `${command === undefined ? "No command was given." : `Unknown command: ${[command, ...rest].join(" ")}`}\n\n${USAGE}`,
  );
  process.exit(2);
}
