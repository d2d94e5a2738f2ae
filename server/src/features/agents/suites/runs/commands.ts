import { setTimeout as sleep } from "node:timers/promises";
import { fail, notFound } from "../../../../kernel/errors.ts";
import { actorOf } from "../../../../kernel/principal.ts";
import { takeTurn } from "../../../../platform/db/turn.ts";
import type { Result } from "../../../../platform/http/route.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { record, type Tx } from "../../../../platform/record/tx.ts";
import { getAgent, type VersionRow } from "../../definitions/index.ts";
import { versionFor } from "../../sandbox/index.ts";
import { junitOf } from "../junit.model.ts";
import { type KeptTest, testsForRun, testsOf } from "../queries.ts";
import { countOpen, insertRun, type NewRun, type Run, runOrNull, runsPage, sameRunOrNull } from "./queries.ts";
import type { TestRunCreate, TestRunListQuery } from "./schema.ts";
import { workTestRun } from "./work.commands.ts";

/** Runs of a partner that wait or run at once. */
const OPEN_MAX = 20;
/** How long a publication waits for its tests, and how long those that have passed count. */
const GATE_MS = 60_000;
const PASSED_MS = 3_600_000;
const POLL_EVERY_MS = 200;

/** Asks for a run of all tests of an agent, which goes on in the background. */
export async function createTestRun(ctx: Context, agent_id: string, { version, compare_to }: TestRunCreate): Promise<Run> {
  const agent = await getAgent(ctx, agent_id);
  const tested = await versionFor(ctx, agent, version);
  const other = compare_to === undefined ? null : await versionFor(ctx, agent, compare_to, "compare_to");
  return ctx.tx((tx) => storeRun(ctx, tx, planOf(ctx, agent, tested, other?.number ?? null)));
}

type Plan = Omit<NewRun, "tests">;

function planOf(
  ctx: Context,
  { id: agent_id, account_id }: { id: string; account_id: string },
  { number: agent_version, sha256 }: Pick<VersionRow, "number" | "sha256">,
  compare_to: number | null,
): Plan {
  return { account_id, agent_id, agent_version, compare_to, sha256, created_by: actorOf(ctx.principal).id };
}

const requireTests = (tests: KeptTest[]): KeptTest[] => (tests.length === 0 ? fail("no_tests") : tests);

async function storeRun(ctx: Context, tx: Tx, plan: Plan): Promise<Run> {
  await takeTurn(tx, `test runs of ${ctx.scope.partner_id}`);
  const tests = requireTests(await testsForRun(tx, ctx.scope, plan.agent_id));
  if ((await countOpen(tx, ctx.scope)) >= OPEN_MAX)
    fail("rate_limit_exceeded", {
      detail: `${OPEN_MAX} runs of tests are waiting or running. Retry when one has ended.`,
      headers: { "retry-after": "10" },
    });
  const stored = await insertRun(tx, ctx.scope, { ...plan, tests });
  const { id: target, account_id: client_id } = stored;
  record(tx, ctx.scope, [], { action: "test_runs.create", target, client_id, changes: {} });
  return stored;
}

export async function getTestRun(ctx: Context, id: string): Promise<Run> {
  return (await runOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export async function listTestRuns(ctx: Context, agent_id: string, query: TestRunListQuery): Promise<{ json: string }> {
  await getAgent(ctx, agent_id);
  return runsPage(ctx.db, ctx.scope, agent_id, query);
}

/** A run as JUnit XML. */
export async function junitFile(ctx: Context, id: string): Promise<Result> {
  const run = await getTestRun(ctx, id);
  const xml = await junitOfRun(ctx, run);
  async function* pieces() {
    yield xml;
  }
  return { json: "", pieces, headers: { "content-disposition": `attachment; filename="${id}.xml"` } };
}

export async function junitOfRun(ctx: Context, run: Run): Promise<string> {
  const agent = await getAgent(ctx, run.agent_id);
  return junitOf({ ...run, name: `${agent.name} version ${run.agent_version}`, started_at: run.created_at.toISOString() });
}

export const isOver = ({ status }: Pick<Run, "status">) => status === "passed" || status === "failed";

/** Works on a run, beside whoever else does, until it is over or the time is. */
export async function finishTestRun(ctx: Context, id: string, goesOn: () => boolean): Promise<Run> {
  for (;;) {
    const run = await getTestRun(ctx, id);
    if (isOver(run) || !goesOn()) return run;
    if (!(await workTestRun(ctx.afterwards(), run))) await sleep(POLL_EVERY_MS);
  }
}

/**
 * Refuses a version that does not pass the tests of its agent; gives the hash of the content that does. A run of the same tests on the same
 * content counts for an hour, so that one that takes longer than a request is only waited for.
 */
export async function passSuite(ctx: Context, agent_id: string, number: number): Promise<string> {
  const agent = await getAgent(ctx, agent_id);
  const plan = planOf(ctx, agent, await versionFor(ctx, agent, number), null);
  const wanted = { ...plan, tests: requireTests(await testsOf(ctx.db, ctx.scope, agent_id)) };
  const since = new Date(ctx.clock.now().getTime() - PASSED_MS);
  const same = await sameRunOrNull(ctx.db, ctx.scope, wanted, since);
  // Not in the transaction of the request: that is the publication.
  const begun = same ?? (await ctx.afterwards().tx((tx) => storeRun(ctx, tx, plan)));
  const started_ms = performance.now();
  const run = await finishTestRun(ctx, begun.id, () => performance.now() - started_ms < GATE_MS);
  const meta = { test_run_id: run.id };
  if (!isOver(run)) fail("suite_running", { meta });
  if (run.status === "failed") {
    const failed = run.results
      .filter(({ passed }) => !passed)
      .map(({ test_id, name, failures, error }) => ({ test_id, name, failures, error }));
    const names = failed.map(({ name }) => name).join(", ");
    fail("suite_failed", { detail: run.error ?? `Tests that failed: ${names}.`.slice(0, 1_000), meta: { ...meta, failed } });
  }
  return run.sha256;
}
