import { defineConfig } from "vitest/config";

/** Against hanging for ever, and no promise of speed: the machine may have much else to do. */
const TIMEOUT_MS = 600_000;

/** Pure tests stand beside the code and need nothing; the others run against real processes and a real PostgreSQL. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "pure",
          include: ["server/src/**/*.test.ts", "server/test/*.test.ts", "server/test/sql/**/*.test.ts"],
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
        },
      },
      {
        test: {
          name: "service",
          include: ["server/test/**/*.test.ts", "bench/test/**/*.test.ts"],
          exclude: ["server/test/*.test.ts", "server/test/sql/**"],
          globalSetup: ["server/test/harness/global-setup.ts"],
          setupFiles: ["server/test/sql/watch.ts"],
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
          maxWorkers: 2,
        },
      },
    ],
  },
});
