import { randomUUID } from "node:crypto";
import { Refusal } from "../../../../kernel/errors.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { equal } from "../../../accounts/configuring/index.ts";
import { diffValues, getAgent, versionOrNull } from "../../definitions/index.ts";
import { performRun } from "../../sandbox/index.ts";
import { comparable, hasPassed, type Result, type Told, toldBy } from "../model.ts";
import type { KeptTest } from "../queries.ts";
import { addResult, claimRun, endRun, type Run, releaseRun, type Waiting } from "./queries.ts";

/** How long a worker has a run; while it works, it says so more often. */
const CLAIM_MS = 60_000;
const LANES = 2;

/**
 * Runs the tests of a run that have no result yet, each result kept at once: after a crash another process goes on where this one ended.
 * False where somebody else works on it.
 */
export async function workTestRun(ctx: Context, waiting: Waiting, stopping?: AbortSignal): Promise<boolean> {
  const claimed_by = randomUUID();
  const claim = () => {
    const now = ctx.clock.now();
    return claimRun(ctx.db, waiting, claimed_by, new Date(now.getTime() + CLAIM_MS), now);
  };
  const run = await claim();
  if (run === null) return false;
  const beat = setInterval(() => void claim().catch(() => undefined), CLAIM_MS / 3);
  try {
    const left = run.tests.filter(({ id }) => !run.results.some(({ test_id }) => test_id === id));
    const results = [...run.results];
    const work = async () => {
      for (let test = left.shift(); test !== undefined && stopping?.aborted !== true; test = left.shift()) {
        const result = await resultOf(ctx, run, test);
        if (!(await addResult(ctx.db, waiting, claimed_by, result))) left.length = 0;
        results.push(result);
      }
    };
    await Promise.all(Array.from({ length: LANES }, work));
    if (results.length < run.total) await releaseRun(ctx.db, waiting, claimed_by);
    else await endRun(ctx.db, waiting, claimed_by, { ...(await endOf(ctx, run, results)), now: ctx.clock.now() });
    return true;
  } finally {
    clearInterval(beat);
  }
}

/** What came of a run. A draft that was replaced meanwhile was tested in two forms, so neither has passed. */
async function endOf(ctx: Context, { agent_id, agent_version, sha256 }: Run, results: readonly Result[]) {
  const version = await versionOrNull(ctx.db, ctx.scope, agent_id, agent_version);
  if (version?.sha256 !== sha256)
    return { status: "failed", error: `Version ${agent_version} was changed while its tests ran.` } as const;
  return { status: results.every(({ passed }) => passed) ? "passed" : "failed", error: null } as const;
}

async function resultOf(ctx: Context, run: Run, test: KeptTest): Promise<Result> {
  const { id: test_id, name } = test;
  const started_ms = performance.now();
  const tell = (version: number) => tellOf(ctx, run, test, version);
  const told = await tell(run.agent_version);
  const duration_ms = Math.round(performance.now() - started_ms);
  const other = run.compare_to === null ? null : await tell(run.compare_to);
  const compared =
    other === null
      ? null
      : { run_id: other.run_id, status: other.status, differences: diffValues(comparable(other), comparable(told), equal) };
  return { ...told, test_id, name, passed: hasPassed(told), duration_ms, compared };
}

/** What a test shows. One that cannot begin, such as with a contact that is gone, is an error of that test alone. */
async function tellOf(ctx: Context, { agent_id }: Run, test: KeptTest, version: number): Promise<Told> {
  const { request, person_ids = [] } = test;
  try {
    return toldBy(await performRun(ctx, await getAgent(ctx, agent_id), { ...request, version }, person_ids));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const nothing = { said: [], tools: [], effects: [], failures: [], slots: {} };
    return { ...nothing, run_id: null, status: "error", error: error.message };
  }
}
