import { defineConfig } from "vitest/config";
import SlowestFirst from "./scripts/test-order.ts";

/** Against hanging for ever, and no promise of speed: the machine may have much else to do. */
const TIMEOUT_MS = 600_000;

/** Pure tests stand beside the code and need nothing; the others run against real processes and a real PostgreSQL. */
export default defineConfig({
  test: {
    reporters: ["default", "./scripts/slow-files.ts"],
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          name: "pure",
          include: ["server/src/**/*.test.ts", "server/test/tidy.test.ts"],
          testTimeout: TIMEOUT_MS,
        },
      },
      {
        test: {
          name: "service",
          include: ["server/test/**/*.test.ts", "bench/test/**/*.test.ts"],
          exclude: ["server/test/tidy.test.ts"],
          globalSetup: ["server/test/harness/global-setup.ts"],
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
          // Two processes evaluate the modules once each, not once for each file: a fifth of the CPU time of most files.
          isolate: false,
          maxWorkers: 2,
        },
      },
    ],
  },
});
