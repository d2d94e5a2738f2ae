import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { type Tx, unlessTaken } from "../../../platform/record/tx.ts";
import { AgentTest, type TestListQuery, type TestShown } from "./schema.ts";

const TEST_JSON = rowJson(AgentTest);

/** A test as the API shows it, with its JSON. */
export type Test = TestShown & { json: string };

const INSERTED = [
  "partner_id",
  "id",
  "account_id",
  "agent_id",
  "name",
  "request",
  "session_id",
  "person_ids",
  "created_by",
  "created_at",
  "updated_at",
] as const;
const insertStatement = statement(`
  with c as (insert into agent_tests ${insertValues(INSERTED)} on conflict do nothing returning *)
  select ${TEST_JSON} as json from c`);

export type NewTest = Pick<Test, "account_id" | "agent_id" | "name" | "request" | "session_id" | "created_by"> & {
  /** The people whose words or data it has. */
  person_ids: readonly string[];
};

/** Adds a test; null when its name is in use. */
export async function insertTest(tx: Tx, { partner_id }: TenantScope, test: NewTest): Promise<Test | null> {
  const row = { ...test, request: JSON.stringify(test.request), partner_id, id: tx.newId("agent_test") };
  return parsedRow<TestShown>(
    await tx.query(insertStatement, valuesOf({ ...row, created_at: tx.now, updated_at: tx.now }, INSERTED)),
  );
}

const idByName = statement(`
  select c.id from agent_tests c where c.partner_id = $1 and c.agent_id = $2 and lower(c.name) = lower($3)`);

export async function testIdByNameOrNull(
  tx: Queryable,
  { partner_id }: TenantScope,
  { agent_id, name }: Pick<Test, "agent_id" | "name">,
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(idByName, [partner_id, agent_id, name]);
  return row?.id ?? null;
}

const ONE = "c.partner_id = $1 and c.agent_id = $2 and c.id = $3 and ($4::text[] is null or c.account_id = any ($4))";
const testById = statement(`select ${TEST_JSON} as json from agent_tests c where ${ONE}`);
const lockTest = statement(`select ${TEST_JSON} as json from agent_tests c where ${ONE} for update`);

export type Which = { agent_id: string; id: string };

/** One test within the caller's scope. */
export async function testOrNull(db: Queryable, scope: TenantScope, { agent_id, id }: Which): Promise<Test | null> {
  return parsedRow<TestShown>(await db.query(testById, [scope.partner_id, agent_id, id, boundClients(scope)]));
}

export async function testForUpdateOrNull(tx: Queryable, scope: TenantScope, { agent_id, id }: Which): Promise<Test | null> {
  return parsedRow<TestShown>(await tx.query(lockTest, [scope.partner_id, agent_id, id, boundClients(scope)]));
}

const updateStatement = statement(`
  with c as (
    update agent_tests set name = $3, request = $4, updated_at = $6, version = version + 1,
      person_ids = case when session_id is null then $5 when person_ids @> $5 then person_ids else person_ids || $5::text[] end
    where partner_id = $1 and id = $2
    returning *)
  select ${TEST_JSON} as json from c`);

/** Saves a locked test; null when its name is in use. One that was made of a session may still have the words of the session's person. */
export async function saveTest(tx: Tx, scope: TenantScope, test: TestShown, person_ids: readonly string[]): Promise<Test | null> {
  const values = [scope.partner_id, test.id, test.name, JSON.stringify(test.request), person_ids, tx.now];
  const rows = await unlessTaken(tx, () => tx.query<{ json: string }>(updateStatement, values));
  return rows === null ? null : parsedRow<TestShown>(rows);
}

const deleteStatement = statement("delete from agent_tests where partner_id = $1 and id = $2");

export async function removeTest(tx: Queryable, { partner_id }: TenantScope, id: string): Promise<void> {
  await tx.query(deleteStatement, [partner_id, id]);
}

const allStatement = statement(`
  select c.id, c.name, c.request, c.person_ids from agent_tests c where c.partner_id = $1 and c.agent_id = $2 order by c.id`);

/** A test as a run keeps it: what is changed meanwhile is for the next run. */
export type KeptTest = Pick<TestShown, "id" | "name" | "request"> & {
  /** The people whose words or data it has; none in runs from before they were kept. */
  person_ids?: string[];
};

const shareStatement = statement(`
  select c.id, c.name, c.request, c.person_ids from agent_tests c where c.partner_id = $1 and c.agent_id = $2 order by c.id for share`);

/** The same for a run, locked for share: whoever erases one waits until the run is there, and erases it there. */
export function testsForRun(tx: Queryable, { partner_id }: TenantScope, agent_id: string): Promise<KeptTest[]> {
  return tx.query(shareStatement, [partner_id, agent_id]);
}

/** All tests of an agent, the oldest first. */
export function testsOf(db: Queryable, { partner_id }: TenantScope, agent_id: string): Promise<KeptTest[]> {
  return db.query(allStatement, [partner_id, agent_id]);
}

/** The tests of an agent, the oldest first. */
export function testsPage(db: Queryable, scope: TenantScope, agent_id: string, query: TestListQuery) {
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("agent-tests", { agent_id }),
      table: "agent_tests",
      json: TEST_JSON,
      sort: byCreation(false),
      conditions: (place) => [`c.agent_id = ${place(agent_id)}`],
    },
    query,
  );
}

const eraseStatement = statement("delete from agent_tests c where c.partner_id = $1 and c.person_ids && $2 returning c.agent_id");
const eraseRuns = statement(`
  update agent_test_runs c set tests = '[]', results = '[]', claimed_by = null, claimed_until = null,
    status = case when c.finished_at is null then 'failed' else c.status end, finished_at = coalesce(c.finished_at, $3),
    error = case when c.finished_at is null then 'Tests of a person who was erased were deleted.' else c.error end
  where c.partner_id = $1 and (c.agent_id = any ($2)
    or exists (select from jsonb_array_elements(c.tests) t where t -> 'person_ids' ?| $4))`);

/**
 * Deletes the tests that have the words or the data of some people, and what runs of them have shown, also of tests that were deleted
 * before; those under way end.
 */
export async function eraseTests(db: Queryable, partner_id: string, record_ids: readonly string[], now: Date): Promise<void> {
  const erased = await db.query<{ agent_id: string }>(eraseStatement, [partner_id, record_ids]);
  await db.query(eraseRuns, [partner_id, erased.map(({ agent_id }) => agent_id), now, record_ids]);
}
