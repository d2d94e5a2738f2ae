import { fail, notFound, within } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { takeTurn } from "../../../platform/db/turn.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { accountForChange } from "../../accounts/custom-fields/index.ts";
import { getAgent } from "../definitions/index.ts";
import { checkRequest } from "../sandbox/index.ts";
import { TESTS_MAX } from "./model.ts";
import {
  insertTest,
  type NewTest,
  removeTest,
  saveTest,
  type Test,
  testForUpdateOrNull,
  testIdByNameOrNull,
  testOrNull,
  testsOf,
  testsPage,
  type Which,
} from "./queries.ts";
import type { TestCreate, TestListQuery, TestPatch, TestRequest } from "./schema.ts";

const AUDITED = ["name", "request"] as const;

export async function createTest(ctx: Context, agent_id: string, input: TestCreate): Promise<Test> {
  const { account_id } = await getAgent(ctx, agent_id);
  await within("request", async () => checkRequest(input.request));
  const person_ids = peopleIn(input.request);
  return ctx.tx((tx) => addTest(ctx, tx, { ...input, account_id, agent_id, session_id: null, person_ids }));
}

/** Adds a test to an agent that has room for it. */
export async function addTest(ctx: Context, tx: Tx, test: Omit<NewTest, "created_by">): Promise<Test> {
  const { agent_id, account_id } = test;
  await takeTurn(tx, `tests of ${agent_id}`);
  await accountForChange(ctx, tx, "contact", account_id);
  if ((await testsOf(tx, ctx.scope, agent_id)).length >= TESTS_MAX)
    fail("test_limit_reached", { detail: `An agent has at most ${TESTS_MAX} tests.`, meta: { limit: TESTS_MAX } });
  const created_by = actorOf(ctx.principal).id;
  const saved = (await insertTest(tx, ctx.scope, { ...test, created_by })) ?? (await refuseDuplicate(ctx, tx, test));
  const changes = { name: { from: null, to: saved.name } };
  record(tx, ctx.scope, [], { action: "agent_tests.create", target: saved.id, client_id: account_id, changes });
  return saved;
}

/** The people of the account that a test talks with. */
function peopleIn({ world = {} }: TestRequest): string[] {
  return [world.contact_id, world.lead_id].filter((id) => id !== undefined);
}

export async function getTest(ctx: Context, which: Which): Promise<Test> {
  return (await testOrNull(ctx.db.byKey, ctx.scope, which)) ?? notFound(which.id);
}

export async function listTests(ctx: Context, agent_id: string, query: TestListQuery): Promise<{ json: string }> {
  await getAgent(ctx, agent_id);
  return testsPage(ctx.db, ctx.scope, agent_id, query);
}

export function updateTest(ctx: Context, which: Which, patch: TestPatch): Promise<Test> {
  return ctx.tx(async (tx) => {
    const before = await lockedTest(ctx, tx, which);
    const after = { ...before, ...patch };
    await within("request", async () => checkRequest(after.request));
    const changes = changesBetween<Test>(before, after, AUDITED);
    if (Object.keys(changes).length === 0) return before;
    // What people wrote stays out of the audit log.
    const told = Object.fromEntries(Object.entries(changes).filter(([name]) => name === "name"));
    record(tx, ctx.scope, [], { action: "agent_tests.update", target: which.id, client_id: before.account_id, changes: told });
    return (await saveTest(tx, ctx.scope, after, peopleIn(after.request))) ?? refuseDuplicate(ctx, tx, after);
  });
}

export function deleteTest(ctx: Context, which: Which): Promise<void> {
  return ctx.tx(async (tx) => {
    const { account_id, name } = await lockedTest(ctx, tx, which);
    await removeTest(tx, ctx.scope, which.id);
    const changes = { name: { from: name, to: null } };
    record(tx, ctx.scope, [], { action: "agent_tests.delete", target: which.id, client_id: account_id, changes });
  });
}

/** A test of an account that takes changes, at the version that the caller saw. */
async function lockedTest(ctx: Context, tx: Tx, which: Which): Promise<Test> {
  const { account_id } = (await testOrNull(tx, ctx.scope, which)) ?? notFound(which.id);
  await accountForChange(ctx, tx, "contact", account_id);
  const test = (await testForUpdateOrNull(tx, ctx.scope, which)) ?? notFound(which.id);
  requireVersion(ctx, test);
  return test;
}

async function refuseDuplicate(ctx: Context, tx: Tx, test: Pick<Test, "agent_id" | "name">): Promise<never> {
  const existing_id = await testIdByNameOrNull(tx, ctx.scope, test);
  fail("duplicate_test", { detail: `Another test has the name ${test.name}.`, meta: { existing_id } });
}
