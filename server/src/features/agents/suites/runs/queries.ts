import { listIdentity } from "../../../../kernel/page.ts";
import { boundClients, type TenantScope } from "../../../../kernel/principal.ts";
import { columnsOf, insertValues, rowJson, valuesOf } from "../../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage } from "../../../../platform/db/keyset.ts";
import { pollStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { Result } from "../model.ts";
import type { KeptTest } from "../queries.ts";
import { TestRun, TestRunListed, type TestRunListQuery, type TestRunShown } from "./schema.ts";

const RUN_JSON = rowJson(TestRun);
const LISTED_JSON = rowJson(TestRunListed);

type Whose = Pick<TenantScope, "partner_id">;

const COLUMNS = [
  "partner_id",
  "id",
  "account_id",
  "agent_id",
  "agent_version",
  "compare_to",
  "sha256",
  "status",
  "tests",
  "results",
  "total",
  "error",
  "created_at",
] as const;

/** The row of a run, with the JSON that the API shows of it. */
export type Run = Pick<
  TestRunShown,
  "id" | "account_id" | "agent_id" | "agent_version" | "compare_to" | "sha256" | "status" | "total" | "error"
> & {
  partner_id: string;
  tests: KeptTest[];
  results: Result[];
  created_at: Date;
  json: string;
};
const RUN = `${columnsOf("c", COLUMNS)}, ${RUN_JSON} as json`;

const INSERTED = [
  "partner_id",
  "id",
  "account_id",
  "agent_id",
  "agent_version",
  "compare_to",
  "sha256",
  "tests",
  "total",
  "created_by",
  "created_at",
] as const;
const insertStatement = statement(`
  with c as (insert into agent_test_runs ${insertValues(INSERTED)} returning *) select ${RUN} from c`);

export type NewRun = Pick<Run, "account_id" | "agent_id" | "agent_version" | "compare_to" | "sha256" | "tests"> & {
  created_by: string;
};

export async function insertRun(tx: Tx, { partner_id }: Whose, run: NewRun): Promise<Run> {
  const row = { ...run, partner_id, id: tx.newId("test_run"), tests: JSON.stringify(run.tests), total: run.tests.length };
  const [inserted] = await tx.query<Run>(insertStatement, valuesOf({ ...row, created_at: tx.now }, INSERTED));
  if (inserted === undefined) throw new Error("the run was not inserted");
  return inserted;
}

const byId = statement(`
  select ${RUN} from agent_test_runs c
  where c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3))`);

export async function runOrNull(db: Queryable, scope: TenantScope, id: string): Promise<Run | null> {
  const [row] = await db.query<Run>(byId, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

/** The runs of an agent, newest first. */
export function runsPage(db: Queryable, scope: TenantScope, agent_id: string, query: TestRunListQuery) {
  const { status } = query;
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("test-runs", { agent_id, status }),
      table: "agent_test_runs",
      json: LISTED_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        `c.agent_id = ${place(agent_id)}`,
        ...(status === undefined ? [] : [anyOf("c.status", status, place)]),
      ],
    },
    query,
  );
}

const openStatement = statement(`
  select count(*)::int as count from agent_test_runs c where c.partner_id = $1 and c.status in ('queued', 'running')`);

/** How many runs of a partner wait or run. */
export async function countOpen(db: Queryable, { partner_id }: Whose): Promise<number> {
  const [row] = await db.query<{ count: number }>(openStatement, [partner_id]);
  return row?.count ?? 0;
}

const sameStatement = statement(`
  select ${RUN} from agent_test_runs c
  where c.partner_id = $1 and c.agent_id = $2 and c.agent_version = $3 and c.sha256 = $4 and c.tests = $5::jsonb
    and (c.status in ('queued', 'running') or (c.status = 'passed' and c.finished_at > $6))
  order by c.id desc limit 1`);

/** A run of the same tests on the same content that is under way, or has passed since a time. */
export async function sameRunOrNull(db: Queryable, { partner_id }: Whose, run: NewRun, since: Date): Promise<Run | null> {
  const { agent_id, agent_version, sha256, tests } = run;
  const values = [partner_id, agent_id, agent_version, sha256, JSON.stringify(tests), since];
  return (await db.query<Run>(sameStatement, values))[0] ?? null;
}

export type Waiting = { partner_id: string; id: string };

const nextStatement = pollStatement(`
  -- all partners: the poll of the workers of tests, every 250 ms.
  select n.partner_id, n.id from (
    select distinct on (c.partner_id) c.partner_id, c.id, c.created_at from agent_test_runs c
    where c.status in ('queued', 'running') and (c.claimed_until is null or c.claimed_until <= $1)
    order by c.partner_id, c.created_at, c.id) n
  order by n.created_at limit 20`);

/** The run of each partner that has waited longest, and that nobody works on. */
export function nextRuns(db: Queryable, now: Date): Promise<Waiting[]> {
  return db.query(nextStatement, [now]);
}

const claimStatement = statement(`
  with c as (
    update agent_test_runs set status = 'running', claimed_by = $3, claimed_until = $4
    where partner_id = $1 and id = $2 and status in ('queued', 'running') and (claimed_until is null or claimed_until <= $5 or claimed_by = $3)
    returning *)
  select ${RUN} from c`);

/** Gives a run to a worker for a while; null where another one has it, or it is over. */
export async function claimRun(
  db: Queryable,
  { partner_id, id }: Waiting,
  claimed_by: string,
  claimed_until: Date,
  now: Date,
): Promise<Run | null> {
  return (await db.query<Run>(claimStatement, [partner_id, id, claimed_by, claimed_until, now]))[0] ?? null;
}

const resultStatement = statement(`
  update agent_test_runs set results = results || $4::jsonb, passed = passed + $5, failed = failed + $6
  where partner_id = $1 and id = $2 and claimed_by = $3
  returning id`);

/** Keeps the result of a test; false where another worker has the run by now, or it was ended. */
export async function addResult(
  db: Queryable,
  { partner_id, id }: Waiting,
  claimed_by: string,
  result: Result,
): Promise<boolean> {
  const passed = result.passed ? 1 : 0;
  const values = [partner_id, id, claimed_by, JSON.stringify([result]), passed, 1 - passed];
  return (await db.query(resultStatement, values)).length > 0;
}

const endStatement = statement(`
  update agent_test_runs set status = $4, error = $5, finished_at = $6, claimed_by = null, claimed_until = null
  where partner_id = $1 and id = $2 and claimed_by = $3`);

export async function endRun(
  db: Queryable,
  { partner_id, id }: Waiting,
  claimed_by: string,
  end: { status: "passed" | "failed"; error: string | null; now: Date },
): Promise<void> {
  await db.query(endStatement, [partner_id, id, claimed_by, end.status, end.error, end.now]);
}

const releaseStatement = statement(`
  update agent_test_runs set claimed_by = null, claimed_until = null where partner_id = $1 and id = $2 and claimed_by = $3`);

/** Leaves a run to the next worker. */
export async function releaseRun(db: Queryable, { partner_id, id }: Waiting, claimed_by: string): Promise<void> {
  await db.query(releaseStatement, [partner_id, id, claimed_by]);
}

const oldStatement = statement(`
  -- all partners: daily, by an index of their age.
  select c.partner_id, c.id from agent_test_runs c where c.created_at < $1 order by c.created_at limit $2`);
const deleteStatement = statement("delete from agent_test_runs where partner_id = $1 and id = $2");

/** Deletes runs from before a time. Returns how many. */
export async function deleteRunsBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const old = await db.query<Waiting>(oldStatement, [before, limit]);
  for (const { partner_id, id } of old) await db.query(deleteStatement, [partner_id, id]);
  return old.length;
}
