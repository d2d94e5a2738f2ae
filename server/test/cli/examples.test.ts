import { access } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import type { Example } from "../../src/cli/shell/command.ts";
import { killCommands, startLine } from "../harness/command.ts";
import { type DataDir, makeDataDir } from "../harness/data-dir.ts";
import { type Environment, startService } from "../harness/service-process.ts";
import { cleanUp, makeFolder, untilStopped } from "../postgres/processes.ts";

const TIMEOUT_MS = 180_000;
const EXAMPLES = COMMANDS.flatMap(({ name, examples }) =>
  examples.map((example) => [`${name}: ${example.run}`, example] as const),
);

let data_dir: DataDir;

/** The demo programme, made by a first start and left without a service. */
beforeAll(async () => {
  data_dir = await makeDataDir();
  const service = await startService({ DATA_DIR: data_dir.path });
  await service.stop();
}, TIMEOUT_MS);

afterAll(async () => {
  await killCommands();
  await cleanUp();
}, TIMEOUT_MS);

/** Runs it as it is typed, where it is meant to be run. One that goes on is stopped once it has shown itself. */
async function runExample({ run, on, until }: Example) {
  const folder = on === "nothing" ? await makeFolder() : data_dir.path;
  // The default port may be in use on this machine.
  const environment: Environment = { PORT: "0", LOG_LEVEL: "error", ...(on === "nothing" ? {} : { DATA_DIR: folder }) };
  const service = on === "service" ? await startService(environment) : null;
  if (service !== null) {
    environment.PORT = new URL(service.base_url).port;
    environment.TRIBUTARY_API_KEY = (await data_dir.firstRun()).api_key;
  }
  const started = startLine(run, environment, folder);
  if (until !== undefined) {
    await started.says(until);
    started.kill("SIGTERM");
  }
  const ended = await started.ended;
  await service?.stop();
  return { ...ended, folder };
}

// In the order of the table: an example may build upon those before it.
test.each(EXAMPLES)("%s", { timeout: TIMEOUT_MS }, async (_name, example) => {
  const { code, signal, stdout, stderr } = await runExample(example);
  expect({ code, signal, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, signal: null, stderr: "" });
  if (/--json\b/.test(example.run) && example.until === undefined) JSON.parse(stdout);
  else if (example.until === undefined && !example.run.includes(">")) expect(stdout).not.toBe("");
  await untilStopped(data_dir.data);
});

test("every example that writes a file has written it", async () => {
  await access(join(data_dir.path, "openapi.json"));
});
