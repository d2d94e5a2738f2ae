// npm run plant: plants small bugs in commands and queries, one at a time, and says which of them no test notices (docs/quality.md).
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createVitest, type Vitest } from "vitest/node";
import { findUnits, type Unit } from "./places.ts";
import { type Planted, plant, withoutTypeErrors } from "./planted.ts";
import { testsOf } from "./reach.ts";
import { COPY, COVERAGE_DIR, type Coverage, PLANT_DIR, ROOT } from "./setting.ts";

const { values: options } = parseArgs({
  options: {
    count: { type: "string", default: "50" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string", default: "" },
    cover: { type: "boolean", default: false },
  },
});
const print = (text: string) => void process.stdout.write(`${text}\n`);

/** Files are tried in these numbers at a time: most bugs are noticed by the first few. */
const ROUNDS = [1, 4, 15, 30];
const HANGS_AFTER_MS = 600_000;

function makeCopy(): void {
  rmSync(COPY, { recursive: true, force: true });
  execFileSync("git", ["clone", "--quiet", "--shared", ROOT, COPY]);
  for (const folder of [".", "server", "sdk"]) {
    const packages = join(ROOT, folder, "node_modules");
    if (existsSync(packages)) symlinkSync(packages, join(COPY, folder, "node_modules"));
  }
}

/** Which tests call what: made once, since it takes as long as the tests do. */
function readCoverage(): Coverage[] {
  if (options.cover || !existsSync(COVERAGE_DIR)) makeCoverage();
  return readdirSync(COVERAGE_DIR).map((name) => JSON.parse(readFileSync(join(COVERAGE_DIR, name), "utf8")) as Coverage);
}

function makeCoverage(): void {
  rmSync(COVERAGE_DIR, { recursive: true, force: true });
  mkdirSync(COVERAGE_DIR, { recursive: true });
  print("Which tests call which functions ...");
  const env = { ...process.env, PLANT_COVERAGE: "1" };
  const run = ["run", "--config", "vitest.plant.config.ts"];
  const { status } = spawnSync("vitest", run, { cwd: ROOT, env, stdio: "inherit" });
  if (status === 0) return;
  rmSync(COVERAGE_DIR, { recursive: true, force: true });
  throw new Error("the tests must pass before a bug is planted");
}

/** By chance: a unit by its length, a kind of mistake, one of its places. The same seed draws the same ones from the same code. */
function draw(units: readonly Unit[], count: number, seed: number): Planted[] {
  const random = randomFrom(seed);
  const one = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const lines = units.flatMap((unit) => Array.from({ length: unit.lines }, () => unit));
  const drawn = new Map<string, Planted>();
  const possible = units.reduce((sum, { changes }) => sum + changes.length, 0);
  while (drawn.size < Math.min(count, possible)) {
    const unit = one(lines);
    const kind = one([...new Set(unit.changes.map(({ kind }) => kind))]);
    const change = one(unit.changes.filter((change) => change.kind === kind));
    drawn.set(`${unit.file} ${change.start} ${change.end} ${change.by}`, { unit, change });
  }
  return [...drawn.values()];
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What failed first, and whether an assertion did: a file as a whole, or a wait in vain, may have another reason than the bug. */
type Failure = { asserted: boolean; name: string };

/** Null if all pass. */
async function firstFailure(vitest: Vitest, files: readonly string[]): Promise<Failure | null> {
  vitest.state.filesMap.clear();
  const wanted = new Set(files.map((file) => join(COPY, file)));
  const specifications = (await vitest.globTestSpecifications()).filter(({ moduleId }) => wanted.has(moduleId));
  let hangs = false;
  const waiting = setTimeout(() => {
    hangs = true;
    void vitest.cancelCurrentRun("keyboard-input");
  }, HANGS_AFTER_MS);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, false);
  clearTimeout(waiting);
  const failed = testModules.filter((module) => wanted.has(module.moduleId) && module.state() === "failed");
  const [test] = failed.flatMap((module) => [...module.children.allTests("failed")]);
  if (test !== undefined) {
    const asserted = test.result().errors?.every(({ message }) => !message.includes("timed out")) === true;
    return { asserted, name: `${test.module.moduleId.split("/").at(-1)}: ${test.fullName}` };
  }
  if (hangs) return { asserted: false, name: "it hangs" };
  if (failed[0] !== undefined) return { asserted: false, name: `${failed[0].moduleId.split("/").at(-1)}: the file failed` };
  return unhandledErrors.length > 0 ? { asserted: false, name: "an unhandled error" } : null;
}

/** What noticed a bug. What failed without an assertion has to pass without the bug. */
async function noticedBy(vitest: Vitest, planted: Planted, tests: readonly string[]): Promise<string | null> {
  let begin = 0;
  for (const size of ROUNDS) {
    const files = tests.slice(begin, begin + size);
    begin += size;
    const failure = files.length === 0 ? null : await withBug(vitest, planted, () => firstFailure(vitest, files));
    if (failure === null) continue;
    if (failure.asserted || (await firstFailure(vitest, files)) === null) return failure.name;
  }
  return null;
}

async function withBug<T>(vitest: Vitest, planted: Planted, run: () => Promise<T>): Promise<T> {
  const path = join(COPY, planted.unit.file);
  const takeOut = plant(planted);
  vitest.invalidateFile(path);
  try {
    return await run();
  } finally {
    takeOut();
    vitest.invalidateFile(path);
  }
}

const coverage = readCoverage();
makeCopy();
const units = findUnits(COPY);
const within = units.filter(({ file, changes }) => file.includes(options.only) && changes.length > 0);
if (within.length === 0) throw new Error(`no commands or queries have ${options.only} in their path`);
const count = Number(options.count);
if (!(count > 0)) throw new Error("--count is how many mistakes to make, such as 50");
// As many as are needed, since the compiler refuses some of them.
const drawn = withoutTypeErrors(draw(within, 2 * count, Number(options.seed))).slice(0, count);
print(`Seed ${options.seed}: ${drawn.length} that the compiler does not refuse`);
const vitest = await createVitest("test", { root: COPY, config: join(COPY, "vitest.plant.config.ts"), watch: true });
await vitest.standalone();
const results: object[] = [];
let noticed = 0;
for (const planted of drawn) {
  const { unit, change } = planted;
  const tests = testsOf(unit, units, coverage);
  const by = await noticedBy(vitest, planted, tests);
  const text = readFileSync(join(COPY, unit.file), "utf8");
  const line = text.slice(0, change.start).split("\n").length;
  const was = text.slice(change.start, change.end);
  if (by !== null) noticed += 1;
  results.push({ file: unit.file, line, ...change, was, tests, noticed_by: by });
  print(
    `${by === null ? "NOT NOTICED" : "noticed    "} ${unit.file}:${line} ${change.kind}: ${was} -> ${change.by}`.replaceAll(
      /\s+/g,
      " ",
    ),
  );
  writeFileSync(join(PLANT_DIR, "planted.json"), JSON.stringify(results, null, 2));
}
await vitest.close();
print(`${noticed} of ${results.length} were noticed. All of them, and by which test: .plant/planted.json`);
process.exit();
