import { defineConfig } from "vitest/config";

/** Pure tests stand beside the code and need nothing; the others run against real processes and a real PostgreSQL. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "pure",
          include: ["server/src/**/*.test.ts", "server/test/*.test.ts", "server/test/sql/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "service",
          include: ["server/test/**/*.test.ts", "bench/test/**/*.test.ts"],
          exclude: ["server/test/*.test.ts", "server/test/sql/**"],
          globalSetup: ["server/test/harness/global-setup.ts"],
          setupFiles: ["server/test/sql/watch.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
