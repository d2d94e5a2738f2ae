import { defineConfig } from "vitest/config";

/** For mutation testing: the unit tests beside the code, and nothing that reads the source tree or starts a process. */
export default defineConfig({
  test: { include: ["server/src/{kernel,features}/**/*.test.ts"], testTimeout: 600_000, isolate: false },
});
