import { defineConfig } from "vitest/config";

const covers = process.env.PLANT_COVERAGE === "1";
/** A bug may let a test wait for ever. */
const TIMEOUT_MS = covers ? 600_000 : 20_000;

/** For planted bugs: the tests over HTTP in the process of the service, and one worker that sees each change of a file. */
export default defineConfig({
  test: {
    include: ["server/test/{api,contract,property,deliveries}/**/*.test.ts"],
    exclude: ["server/test/contract/{bad-input,documented-requests}.test.ts"],
    globalSetup: ["server/test/harness/global-setup.ts"],
    setupFiles: ["server/test/sql/watch.ts", covers ? "scripts/plant/coverage.ts" : "scripts/plant/until-failure.ts"],
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS * 4,
    expect: { poll: { timeout: TIMEOUT_MS / 2 } },
    isolate: false,
    maxWorkers: covers ? 2 : 1,
    reporters: covers ? ["dot"] : [],
    execArgv: ["--max-semi-space-size=64"],
  },
});
