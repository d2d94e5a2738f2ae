// A setup file of Vitest: writes down which functions of the features each test file calls.
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { COVERAGE_DIR, type Coverage, ROOT } from "./setting.ts";

/** One for a process, which runs many files. */
const shared = globalThis as { plant_session?: Promise<Session> };

async function open(): Promise<Session> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return session;
}

/** What was called since it was asked last. */
async function takeCalls(): Promise<Coverage["calls"]> {
  shared.plant_session ??= open();
  const { result } = await (await shared.plant_session).post("Profiler.takePreciseCoverage");
  const calls: Coverage["calls"] = {};
  for (const { url, functions } of result) {
    const file = /server\/src\/features\/[^?]+/.exec(url)?.[0];
    if (file === undefined) continue;
    const called = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).map(({ functionName }) => functionName);
    calls[file] = called.filter((name) => name !== "");
  }
  return calls;
}

let started_ms = 0;
beforeAll(async () => {
  await takeCalls();
  started_ms = Date.now();
});
afterAll(async () => {
  const file = relative(ROOT, expect.getState().testPath ?? "");
  const coverage: Coverage = { file, ms: Date.now() - started_ms, calls: await takeCalls() };
  writeFileSync(join(COVERAGE_DIR, `${file.replaceAll("/", "+")}.json`), JSON.stringify(coverage));
});
