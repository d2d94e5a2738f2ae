import { access } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import type { Example } from "../../src/cli/shell/command.ts";
import { killCommands, runHere, startLine } from "../harness/command.ts";
import { type DataDir, makeDemoDataDir } from "../harness/data-dir.ts";
import { type Environment, killServices, type ServiceProcess, startService } from "../harness/service-process.ts";
import { cleanUp, makeFolder, untilStopped } from "../postgres/processes.ts";

const EXAMPLES = COMMANDS.flatMap(({ name, examples }) =>
  examples.filter(({ on }) => on !== "cluster").map((example) => [`${name}: ${example.run}`, name, example] as const),
);
/** The one command that refuses to work beside a service on the same data. */
const isAlone = (name: string, { run }: Example) => name === "restore" && !run.startsWith("DATA_DIR=");

let data_dir: DataDir;
let service: ServiceProcess;

/** The demo programme, with one service beside all the commands: they share its database server. */
beforeAll(async () => {
  data_dir = await makeDemoDataDir();
  service = await startService({ DATA_DIR: data_dir.path });
});

afterAll(async () => {
  await killCommands();
  await killServices();
  await cleanUp();
});

/** The words of a line that a shell would only split, for a command that ends by itself and needs no environment; otherwise null. */
function wordsOf({ run, on, until }: Example): string[] | null {
  if (on !== undefined || until !== undefined || !/^tributary( [\w.,:=@/-]+| "[\w .-]+")+$/.test(run)) return null;
  return [...run.matchAll(/"([^"]+)"|\S+/g)].map(([word, quoted]) => quoted ?? word).slice(1);
}

/**
 * Runs it as it is typed, where it is meant to be run. One that goes on is stopped once it has shown itself. Where the shell adds nothing,
 * it is run in this process: loading its modules anew would take most of the time.
 */
async function runExample(name: string, example: Example) {
  const { run, on, until } = example;
  const folder = on === "nothing" ? await makeFolder() : data_dir.path;
  // The default port may be in use on this machine.
  const environment: Environment = { PORT: "0", LOG_LEVEL: "error", ...(on === "nothing" ? {} : { DATA_DIR: folder }) };
  if (on === "service") {
    environment.PORT = new URL(service.base_url).port;
    environment.TRIBUTARY_API_KEY = (await data_dir.firstRun()).api_key;
  }
  const words = isAlone(name, example) ? null : wordsOf(example);
  if (words !== null) return inFolder(folder, () => runHere(words, environment));
  const started = startLine(run, environment, folder);
  if (until !== undefined) {
    await started.says(until);
    started.kill("SIGTERM");
  }
  return started.ended;
}

async function inFolder<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await work();
  } finally {
    process.chdir(before);
  }
}

// In the order of the table: an example may build upon those before it.
test.each(EXAMPLES)("%s", async (_title, name, example) => {
  const alone = isAlone(name, example);
  if (alone) await service.stop();
  const { code, signal, stdout, stderr } = await runExample(name, example);
  if (alone) {
    await untilStopped(data_dir.data);
    service = await startService({ DATA_DIR: data_dir.path });
  }
  expect({ code, signal, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, signal: null, stderr: "" });
  if (/--json\b/.test(example.run) && example.until === undefined) JSON.parse(stdout);
  else if (example.until === undefined && !example.run.includes(">")) expect(stdout).not.toBe("");
});

test("every example that writes a file has written it", async () => {
  await access(join(data_dir.path, "openapi.json"));
});

test("none of them keeps the database server running", async () => {
  await service.stop();
  await untilStopped(data_dir.data);
});
