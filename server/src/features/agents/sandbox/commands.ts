import { setTimeout as sleep } from "node:timers/promises";
import { type Fault, fail, notFound } from "../../../kernel/errors.ts";
import { isId } from "../../../kernel/ids.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { createTurnstile } from "../../../kernel/turnstile.ts";
import type { SandboxReader } from "../../../platform/db/sandbox-reader.ts";
import type { Context } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { type AgentRow, askModelOf, getAgent, type VersionRow, versionOrNull } from "../definitions/index.ts";
import { type Content, NO_MEMORY, NO_USAGE, TOOLS, type World } from "../engine/index.ts";
import { answerSearch } from "../knowledge/index.ts";
import { worldOf } from "../sessions/index.ts";
import type { AskParent } from "./played.model.ts";
import { networkOfRuns, type Ran, runIsolated } from "./process.ts";
import {
  insertRun,
  livingPeople,
  peopleOf,
  type Run,
  type RunEnd,
  runOrNull,
  runsPage,
  saveEnd,
  stateOrNull,
} from "./queries.ts";
import type { Assertion, Mock, RunInput, RunResult } from "./run.model.ts";
import { type SandboxListQuery, type SandboxRequest, type SandboxRunShown, TURNS_MAX } from "./schema.ts";

/** How long a run may take, and how long a request waits for its end. */
const RUN_MS = 300_000;
const WAIT_MS = 60_000;
/** Each is a process of its own. */
const turnstile = createTurnstile(2);
const WAITING_MAX = 20;
const RETRY_AFTER_S = 5;
const SIMULATED_TURNS = 20;

export async function listRuns(ctx: Context, agent_id: string, query: SandboxListQuery): Promise<{ json: string }> {
  await getAgent(ctx, agent_id);
  return runsPage(ctx.db, ctx.scope, agent_id, query);
}

export async function getRun(ctx: Context, id: string): Promise<Run> {
  return (await runOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

/**
 * Runs a conversation with an agent of which nothing happens. What the agent sees is read in one read-only transaction; then it runs in
 * a process that reaches neither the database nor anybody else. Only the result is stored: when there is one, or before that where the
 * caller does not wait.
 */
export async function runSandbox(
  ctx: Context,
  agent_id: string,
  request: SandboxRequest,
  respond_async: boolean,
): Promise<Run & { accepted?: boolean }> {
  await ctx.replayed();
  refuseCrowd();
  const prepared = await prepare(ctx, await getAgent(ctx, agent_id), request);
  const running = isolate(ctx, prepared);
  const ran = await Promise.race([running, sleep(respond_async ? 0 : WAIT_MS, null, { ref: false })]);
  if (ran !== null) return ctx.tx((tx) => storeRun(ctx, tx, prepared, outcomeOf(prepared, ran)));
  const stored = await ctx.tx((tx) => storeRun(ctx, tx, prepared, underWay(prepared)));
  // A process that ends before it leaves the run to the job that looks for such.
  void running.then((late) => saveEnd(ctx.db, ctx.scope, stored.id, outcomeOf(prepared, late))).catch(() => undefined);
  return { ...stored, accepted: true };
}

/** Runs a conversation to its end, however many others wait. `person_ids`: whose words or data the request has. */
export async function performRun(
  ctx: Context,
  agent: AgentRow,
  request: SandboxRequest,
  person_ids: readonly string[],
): Promise<SandboxRunShown> {
  const prepared = await prepare(ctx, agent, request, person_ids);
  const ran = await isolate(ctx, prepared);
  return JSON.parse((await ctx.tx((tx) => storeRun(ctx, tx, prepared, outcomeOf(prepared, ran)))).json);
}

type Prepared = {
  agent: AgentRow;
  version: VersionRow;
  request: SandboxRequest;
  /** Everybody whose words or data the run has. */
  person_ids: string[];
  input: RunInput;
  login: Awaited<ReturnType<SandboxReader["login"]>>;
};

async function prepare(
  ctx: Context,
  agent: AgentRow,
  request: SandboxRequest,
  known_ids: readonly string[] = [],
): Promise<Prepared> {
  checkRequest(request);
  const version = await versionFor(ctx, agent, request.version);
  checkModel(version, request);
  const before = request.continue_from === undefined ? null : await endOf(ctx, agent, request.continue_from);
  const input = await inputFor(ctx, agent, version, request, before);
  const person_ids = [...new Set([...known_ids, ...(before?.person_ids ?? []), ...peopleIn(request, input)])];
  return { agent, version, request, person_ids, input, login: await ctx.sandbox.login() };
}

/** The people that a run names or sees, without those that are made up. */
function peopleIn({ world: named = {} }: SandboxRequest, { world: { contact, lead } }: RunInput): string[] {
  const ids = [named.contact_id, named.lead_id, contact?.id, lead?.id];
  return ids.filter((id) => id !== undefined).filter((id) => isId("contact", id) || isId("lead", id));
}

function isolate(ctx: Context, { agent, input, version }: Prepared): Promise<Ran> {
  return turnstile.pass(() => runIsolated(input, asking(ctx, agent, version), RUN_MS));
}

/** Stores a run, unless a person of it was deleted before or while it ran. */
async function storeRun(ctx: Context, tx: Tx, prepared: Prepared, end: RunEnd): Promise<Run> {
  const { agent, version, request, person_ids } = prepared;
  const living = await livingPeople(tx, ctx.scope, person_ids);
  requirePeople(request, living);
  const gone = person_ids.find((id) => !living.includes(id));
  if (gone !== undefined)
    refuse(
      request.continue_from === undefined ? "world" : "continue_from",
      "person_deleted",
      `${gone}, whom the run is with, was deleted. Begin a run with somebody else.`,
    );
  const { account_id, id: agent_id } = agent;
  const created_by = actorOf(ctx.principal).id;
  const run = { account_id, agent_id, agent_version: version.number, request, created_by, ...end };
  const stored = await insertRun(tx, ctx.scope, run);
  record(tx, ctx.scope, [], { action: "sandbox.run", target: stored.id, client_id: account_id, changes: {} });
  return stored;
}

/** What a run may ask for: what the knowledge has, and the model of its version, which is asked as it is live. */
function asking(ctx: Context, { account_id }: AgentRow, version: VersionRow): AskParent {
  const where = { account_id, keys: version.content.knowledge ?? null };
  const account = { ...ctx.scope, account_id };
  return (request) =>
    request.effect === "model"
      ? askModelOf(ctx, version, request)
      : ctx.sandbox.read(account, (db) => answerSearch(db, ctx.scope, where, request));
}

function refuseCrowd(): void {
  if (turnstile.waiting() < WAITING_MAX) return;
  fail("rate_limit_exceeded", {
    detail: `${WAITING_MAX} runs are waiting for the sandbox. Retry in ${RETRY_AFTER_S} s.`,
    headers: { "retry-after": String(RETRY_AFTER_S) },
  });
}

const NOTHING = { transcript: [], tool_calls: [], hits: [], effects: [], assertions: [], slots: {}, usage: NO_USAGE };
const underWay = ({ login, person_ids }: Prepared): RunEnd => ({
  status: "running",
  state: null,
  result: {
    ...NOTHING,
    person_ids,
    isolation: { process: "own", network: networkOfRuns(), blocked: [], login, live_writes: 0 },
    error: null,
  },
});

function outcomeOf({ login, person_ids }: Prepared, ran: Ran): RunEnd {
  const isolation = { ...ran.isolation, login, live_writes: 0 };
  if ("failed" in ran)
    return { status: ran.failed, state: null, result: { ...NOTHING, person_ids, isolation, error: ran.detail } };
  const { state, ending: _, ...result } = ran.result;
  const { assertions } = result;
  const status = assertions.length === 0 ? "completed" : assertions.every(({ passed }) => passed) ? "passed" : "failed";
  return { status, state, result: { ...result, person_ids, isolation, error: null } };
}

/** What no schema says: a mock or an assertion of a tool that does not exist would be silently ignored, and a script needs its words. */
export function checkRequest({
  mocks = [],
  assert = [],
  mode,
  messages,
}: Omit<SandboxRequest, "version" | "continue_from">): void {
  const fault = (pointer: string, code: string, detail: string): Fault => ({ in: "body", pointer, code, detail });
  const named = (member: string, index: number, tool: string): Fault[] =>
    Object.hasOwn(TOOLS, tool) || (member === "mocks" && tool === "model")
      ? []
      : [fault(`#/${member}/${index}/tool`, "unknown_tool", `There is no tool ${tool}.`)];
  const faults = [
    ...mocks.flatMap(({ tool }, index) => named("mocks", index, tool)),
    ...assert.flatMap((one, index) => (one.type === "tool_called" ? named("assert", index, one.tool) : [])),
    ...(messages === undefined && mode !== "simulate"
      ? [fault("#/messages", "no_messages", "messages are required, except in the mode simulate.")]
      : []),
  ];
  if (faults.length > 0) fail("validation_failed", { faults });
}

/** What only a model can do. */
function checkModel({ content }: VersionRow, { assert = [] }: SandboxRequest): void {
  const index = content.model === undefined ? assert.findIndex(({ type }) => type === "judge") : -1;
  if (index >= 0) refuse(`assert/${index}`, "no_model", "judge needs a model, and the version has none.");
}

/** The version of an agent that a request names. */
export async function versionFor(
  ctx: Context,
  agent: AgentRow,
  wanted: SandboxRequest["version"],
  member = "version",
): Promise<VersionRow> {
  const { latest_version, published_version } = agent;
  const number =
    typeof wanted === "number"
      ? wanted
      : wanted === "draft"
        ? latest_version
        : (published_version ?? (wanted === undefined ? latest_version : 0));
  return (
    (await versionOrNull(ctx.db, ctx.scope, agent.id, number)) ??
    refuse(member, "unknown_version", "The agent has no such version.")
  );
}

function refuse(member: string, code: string, detail: string): never {
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: `#/${member}`, code, detail }] });
}

async function inputFor(
  ctx: Context,
  agent: AgentRow,
  version: VersionRow,
  request: SandboxRequest,
  before: Ended | null,
): Promise<RunInput> {
  const {
    mode = "script",
    messages = [{ text: "Hello" }],
    persona = {},
    max_turns = mode === "simulate" ? SIMULATED_TURNS : TURNS_MAX,
    world = {},
    variables = {},
    mocks = [],
    unmocked = "simulate",
    assert = [],
    seed = "sandbox",
  } = request;
  const { account_name, ...start } = await readStart(ctx, agent, request, before);
  const texts = messages.map(({ text }) => text);
  return {
    content: version.content as Content,
    names: { agent: agent.name, account: account_name },
    variables,
    turns: mode === "turn" ? [texts.join("\n")] : texts,
    persona: mode === "simulate" ? persona : null,
    turns_max: max_turns,
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
async function readStart(ctx: Context, agent: AgentRow, { world = {} }: SandboxRequest, before: Ended | null) {
  const { contact_id, lead_id, fixtures = {} } = world;
  const { account_id } = agent;
  return ctx.sandbox.read({ ...ctx.scope, account_id }, async (db) => {
    const { account_name, ...person } = await peopleOf(db, ctx.scope, account_id, { contact_id, lead_id });
    requirePeople({ world }, [person.contact_id, person.lead_id]);
    if (before !== null) return { account_name, ...before.state };
    const found = await worldOf(db, ctx.scope, { account_id, ...person });
    return { account_name, from: 0, memory: NO_MEMORY, world: withFixtures(found, fixtures) };
  });
}

function requirePeople({ world: { contact_id, lead_id } = {} }: SandboxRequest, found: readonly (string | null)[]): void {
  if (contact_id !== undefined && !found.includes(contact_id))
    refuse("world/contact_id", "unknown_contact", "The contact was not found in the account.");
  if (lead_id !== undefined && !found.includes(lead_id))
    refuse("world/lead_id", "unknown_lead", "The lead was not found in the account.");
}

/** Where a run ended that another one goes on from, and whose words or data it has. */
type Ended = { state: RunResult["state"]; person_ids: string[] };

async function endOf(ctx: Context, agent: AgentRow, id: string): Promise<Ended> {
  const before = await stateOrNull(ctx.db, ctx.scope, id);
  if (before === null || before.agent_id !== agent.id)
    return refuse("continue_from", "unknown_run", `${id} is no run of the agent.`);
  const { state, person_ids } = before;
  return { state: state ?? refuse("continue_from", "not_continuable", "That run did not end."), person_ids };
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
