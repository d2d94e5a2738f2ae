import { defineConfig } from "vitest/config";
import SlowestFirst from "./scripts/test-order.ts";

/** Ends what hangs for ever. No promise of speed: the machine may be busy. */
const TIMEOUT_MS = 600_000;
/** Less than that of a test, so that the error says what was waited for. */
const bounds = { testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS, expect: { poll: { timeout: TIMEOUT_MS / 2 } } };

/** Pure tests stand beside the code and need nothing; the others run against real processes and a real PostgreSQL. */
export default defineConfig({
  test: {
    reporters: ["default", "./scripts/test-summary.ts"],
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          ...bounds,
          name: "pure",
          include: [
            "server/src/**/*.test.ts",
            "sdk/src/**/*.test.ts",
            "portal/src/**/*.test.ts",
            "widget/src/**/*.test.ts",
            "server/test/*.test.ts",
            "server/test/sql/**/*.test.ts",
          ],
          isolate: false,
        },
      },
      {
        test: {
          ...bounds,
          name: "service",
          include: ["server/test/**/*.test.ts", "sdk/test/**/*.test.ts", "bench/test/**/*.test.ts"],
          exclude: ["server/test/*.test.ts", "server/test/sql/**", "server/test/citus/**"],
          globalSetup: ["server/test/harness/global-setup.ts"],
          setupFiles: ["server/test/sql/watch.ts"],
          // Two processes evaluate the modules once each, not once for each file: a fifth of the CPU time of most files.
          isolate: false,
          maxWorkers: 2,
          // What a request leaves is collected less often, and is then mostly gone by itself.
          execArgv: ["--max-semi-space-size=64"],
        },
      },
      {
        test: {
          ...bounds,
          name: "citus",
          include: ["server/test/citus/**/*.test.ts"],
          isolate: false,
          maxWorkers: 1,
        },
      },
      {
        test: {
          ...bounds,
          name: "browser",
          include: ["portal/test/**/*.test.ts", "widget/test/**/*.test.ts"],
          globalSetup: ["server/test/harness/global-setup.ts"],
          // One browser at a time: each takes half a gigabyte and all of a core.
          isolate: false,
          maxWorkers: 1,
        },
      },
    ],
  },
});
