import { type Fault, fail, notFound } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { createTurnstile } from "../../../kernel/turnstile.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import type { Context } from "../../../platform/record/context.ts";
import { record } from "../../../platform/record/tx.ts";
import { type AgentRow, askModelOf, getAgent, type VersionRow, versionOrNull } from "../definitions/index.ts";
import { type Content, NO_MEMORY, NO_USAGE, TOOLS, type World } from "../engine/index.ts";
import { answerSearch } from "../knowledge/index.ts";
import { worldOf } from "../sessions/index.ts";
import { type Ran, runIsolated } from "./process.ts";
import { beginReading, insertRun, peopleOf, type Run, runOrNull, runsPage, stateOrNull } from "./queries.ts";
import type { AskParent, Assertion, Mock, RunInput } from "./run.model.ts";
import type { SandboxListQuery, SandboxRequest } from "./schema.ts";

const RUN_MS = 60_000;
/** Each is a process of its own. */
const turnstile = createTurnstile(2);
const WAITING_MAX = 20;
const RETRY_AFTER_S = 5;

export async function listRuns(ctx: Context, agent_id: string, query: SandboxListQuery): Promise<{ json: string }> {
  await getAgent(ctx, agent_id);
  return runsPage(ctx.db, ctx.scope, agent_id, query);
}

export async function getRun(ctx: Context, id: string): Promise<Run> {
  return (await runOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

/**
 * Runs a conversation with an agent of which nothing happens. What the agent sees is read in one read-only transaction; then it runs in
 * a process that reaches neither the database nor anybody else. Only the result is stored.
 */
export async function runSandbox(ctx: Context, agent_id: string, request: SandboxRequest): Promise<Run> {
  refuseCrowd();
  const agent = await getAgent(ctx, agent_id);
  checkMocks(request);
  const version = await versionFor(ctx, agent, request.version);
  const input = await inputFor(ctx, agent, version, request);
  const ask = asking(ctx, agent, version);
  const ran = await turnstile.pass(() => runIsolated(input, ask, RUN_MS));
  return ctx.tx(async (tx) => {
    const { status, result, state } = resultOf(ran);
    const { account_id } = agent;
    const created_by = actorOf(ctx.principal).id;
    const run = { account_id, agent_id, agent_version: version.number, status, request, result, state, created_by };
    const stored = await insertRun(tx, ctx.scope, run);
    record(tx, ctx.scope, [], { action: "sandbox.run", target: stored.id, client_id: account_id, changes: {} });
    return stored;
  });
}

/** What a run may ask for: what the knowledge has, and the model of its version, which is asked as it is live. */
function asking(ctx: Context, { account_id }: AgentRow, version: VersionRow): AskParent {
  const where = { account_id, keys: version.content.knowledge ?? null };
  return (request) =>
    request.effect === "model"
      ? askModelOf(ctx, version, request)
      : reading(ctx, (tx) => answerSearch(tx, ctx.scope, where, request));
}

function refuseCrowd(): void {
  if (turnstile.waiting() < WAITING_MAX) return;
  fail("rate_limit_exceeded", {
    detail: `${WAITING_MAX} runs are waiting for the sandbox. Retry in ${RETRY_AFTER_S} s.`,
    headers: { "retry-after": String(RETRY_AFTER_S) },
  });
}

const NOTHING = { transcript: [], tool_calls: [], hits: [], effects: [], assertions: [], slots: {}, usage: NO_USAGE };

function resultOf(ran: Ran) {
  const isolation = { ...ran.isolation, login: "shared", live_writes: 0 };
  if ("failed" in ran) return { status: ran.failed, state: null, result: { ...NOTHING, isolation, error: ran.detail } };
  const { state, ending: _, ...result } = ran.result;
  const { assertions } = result;
  const status = assertions.length === 0 ? "completed" : assertions.every(({ passed }) => passed) ? "passed" : "failed";
  return { status, state, result: { ...result, isolation, error: null } };
}

/** A mock or an assertion of a tool that does not exist would be silently ignored. */
function checkMocks({ mocks = [], assert = [] }: SandboxRequest): void {
  const named = (member: string, index: number, tool: string): Fault[] =>
    Object.hasOwn(TOOLS, tool) || (member === "mocks" && tool === "model")
      ? []
      : [{ in: "body", pointer: `#/${member}/${index}/tool`, code: "unknown_tool", detail: `There is no tool ${tool}.` }];
  const faults = [
    ...mocks.flatMap(({ tool }, index) => named("mocks", index, tool)),
    ...assert.flatMap((one, index) => (one.type === "tool_called" ? named("assert", index, one.tool) : [])),
  ];
  if (faults.length > 0) fail("validation_failed", { faults });
}

async function versionFor(ctx: Context, agent: AgentRow, wanted: SandboxRequest["version"]): Promise<VersionRow> {
  const { latest_version, published_version } = agent;
  const number =
    typeof wanted === "number"
      ? wanted
      : wanted === "draft"
        ? latest_version
        : (published_version ?? (wanted === undefined ? latest_version : 0));
  return (
    (await versionOrNull(ctx.db, ctx.scope, agent.id, number)) ??
    refuse("version", "unknown_version", "The agent has no such version.")
  );
}

function refuse(member: string, code: string, detail: string): never {
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: `#/${member}`, code, detail }] });
}

async function inputFor(ctx: Context, agent: AgentRow, version: VersionRow, request: SandboxRequest): Promise<RunInput> {
  const {
    messages,
    mode = "script",
    world = {},
    variables = {},
    mocks = [],
    unmocked = "simulate",
    assert = [],
    seed = "sandbox",
  } = request;
  const { account_name, ...start } = await readStart(ctx, agent, request);
  const texts = messages.map(({ text }) => text);
  return {
    content: version.content as Content,
    names: { agent: agent.name, account: account_name },
    variables,
    turns: mode === "turn" ? [texts.join("\n")] : texts,
    ...start,
    now: world.now ?? ctx.clock.now().toISOString(),
    open: world.hours !== "closed",
    seed,
    mocks: mocks as Mock[],
    unmocked,
    assert: assert as Assertion[],
  };
}

/** What the run begins with: the end of another one, or what the account looks like at this moment, with the fixtures in place. */
async function readStart(ctx: Context, agent: AgentRow, { world = {}, continue_from }: SandboxRequest) {
  const { contact_id, lead_id, fixtures = {} } = world;
  return reading(ctx, async (tx) => {
    const people = await peopleOf(tx, ctx.scope, agent.account_id, { contact_id, lead_id });
    const { account_name, ...person } = people;
    if (contact_id !== undefined && person.contact_id === null)
      refuse("world/contact_id", "unknown_contact", "The contact was not found in the account.");
    if (lead_id !== undefined && person.lead_id === null)
      refuse("world/lead_id", "unknown_lead", "The lead was not found in the account.");
    if (continue_from !== undefined) return { account_name, ...(await endOf(ctx, tx, agent, continue_from)) };
    const found = await worldOf(tx, ctx.scope, { account_id: agent.account_id, ...person });
    return { account_name, from: 0, memory: NO_MEMORY, world: withFixtures(found, fixtures) };
  });
}

/** Reads in a transaction that cannot write. */
function reading<T>(ctx: Context, run: (tx: Queryable) => Promise<T>): Promise<T> {
  return ctx.db.transaction(() => ({ open: beginReading, run, close: () => [] }));
}

async function endOf(ctx: Context, tx: Parameters<typeof stateOrNull>[0], agent: AgentRow, id: string) {
  const before = await stateOrNull(tx, ctx.scope, id);
  if (before === null || before.agent_id !== agent.id)
    return refuse("continue_from", "unknown_run", `${id} is no run of the agent.`);
  return before.state ?? refuse("continue_from", "not_continuable", "That run did not end.");
}

type Fixtures = NonNullable<NonNullable<SandboxRequest["world"]>["fixtures"]>;

function withFixtures(world: World, { contact, lead }: Fixtures): World {
  const blank = { name: null, phone: null, email: null, company: null, notes: null, custom: {} };
  return {
    ...world,
    contact: contact === undefined ? world.contact : { ...blank, id: "fixture_contact", tags: [], ...world.contact, ...contact },
    lead: lead === undefined ? world.lead : { ...blank, id: "fixture_lead", tags: [], status: "new", ...world.lead, ...lead },
  };
}
