// Runs the checks: `quick` is everything that needs no database, `all` the whole suite.
import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

const quick = [
  ["types of the SDK", "node", ["sdk/scripts/generate.mjs"]],
  ["types", "tsc", ["-p", "."]],
  ["types of the portal", "tsc", ["-p", "portal"]],
  ["style", "biome", ["check", "--error-on-warnings", "."]],
  ["imports", "node", ["scripts/imports.mjs"]],
  ["contract", "redocly", ["lint", "server/openapi.json"]],
  ["pure tests", "vitest", ["run", "--project", "pure"]],
];
const all = [
  ...quick,
  ["Chromium", "node", ["scripts/chromium.ts"]],
  ["service tests", "vitest", ["run", "--project", "service"]],
  ["browser tests", "vitest", ["run", "--project", "browser"]],
];

for (const [name, command, args] of process.argv[2] === "all" ? all : quick) {
  const started = Date.now();
  // The Node that npm brought comes first, also when this script was started by an older one.
  const env = { ...process.env, PATH: `${root}node_modules/.bin${delimiter}${process.env.PATH}` };
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit", env });
  process.stdout.write(`${status === 0 ? "ok  " : "FAIL"} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
  if (status !== 0) process.exit(status ?? 1);
}
