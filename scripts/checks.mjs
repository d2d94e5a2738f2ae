// Runs the checks: `quick` is everything that needs no database, `all` the whole suite.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** By its path, because the TypeScript of the tools has a command of the same name. */
const tsc = "node_modules/typescript-7/bin/tsc";
/** One thread: several check the types that they share once each, and the other steps need the cores. */
const typesOf = (project) => ["node", [tsc, "--singleThreaded", "-p", project]];

/** What needs nothing that another step makes. */
const first = [
  ["types of the SDK", "node", ["sdk/scripts/generate.mjs"]],
  ["style", "biome", ["check", "--error-on-warnings", "."]],
  ["contract", "redocly", ["lint", "server/openapi.json"]],
];
const then = [
  ["pure tests", "vitest", ["run", "--project", "pure"]],
  ["types", ...typesOf(".")],
  ["types of the portal", ...typesOf("portal")],
  ["types of the widget", ...typesOf("widget")],
  ["imports", "node", ["scripts/imports.mjs"]],
];
const tests = [
  ["service tests", "vitest", ["run", "--project", "service"]],
  ["browser tests", "vitest", ["run", "--project", "browser"]],
];

/** The steps of a phase run at once, as far as there are cores; a phase begins when the one before it has succeeded. */
const PHASES = {
  quick: [first, then],
  // Chromium mostly waits for the network.
  all: [[["Chromium", "node", ["scripts/chromium.ts"]], ...first], then, tests],
};

/** The first step of a phase writes as it goes, each of the others all at once when it has ended. */
function run([name, command, args], live) {
  const started = Date.now();
  // The Node that npm brought comes first, also when this script was started by an older one.
  const path = `${root}node_modules/.bin${delimiter}${process.env.PATH}`;
  // The compiler lives for seconds: to collect its garbage often takes more than the memory is worth.
  const env = { GOGC: "400", ...process.env, PATH: path };
  const child = spawn(command, args, { cwd: root, env, stdio: live ? "inherit" : ["inherit", "pipe", "pipe"] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      process.stdout.write(Buffer.concat(output));
      process.stdout.write(`${status === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)\n`);
      resolve(status ?? 1);
    });
  });
}

for (const phase of PHASES[process.argv[2]]) {
  const waiting = [...phase];
  const lane = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const status = await run(step, step === phase[0]);
      if (status === 0) continue;
      process.exitCode = status;
      waiting.length = 0;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  if (process.exitCode) break;
}
