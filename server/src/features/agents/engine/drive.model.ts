import {
  type Answer,
  type Assistance,
  type ENGINES,
  type Outcome,
  own,
  type Playbook,
  type Request,
  type Turn,
  type Write,
} from "./model.ts";
import { type Change, lookUp, pretend, subjectOf, type World } from "./overlay.model.ts";
import { runTurn } from "./step.model.ts";
import { isApprovable, toolSchemas } from "./tools.model.ts";

/** The part of a version that turns follow. */
export type Content = {
  engine: (typeof ENGINES)[number];
  playbook?: Playbook | undefined;
  model?: { max_tokens?: number | undefined } | undefined;
  instructions?: string | undefined;
  /** The policies of tools that are not auto. */
  tools?: Readonly<Record<string, string>> | undefined;
  targets?: Readonly<Record<string, unknown>> | undefined;
};

/** How long an answer of a model is where nobody says otherwise, in tokens. */
export const MAX_TOKENS = 800;
const NO_PLAYBOOK: Playbook = { start: "", states: {} };

/** What a turn gets from whoever runs it. */
export type Driver = {
  turn: Omit<Turn, "values" | "playbook" | "model"> & {
    names: { agent: string; account: string };
    variables?: Readonly<Record<string, string>>;
  };
  content: Content;
  world: World;
  /** An answer that is known already: a mock, or what a command refused the last time. */
  given(request: Request): Answer | null;
  /** What the knowledge has, what others say, and what the model does. */
  search(request: Request): Promise<Answer>;
  external(request: Request): Promise<Answer>;
  model(request: Request): Promise<Answer>;
};

/** The outcome of a turn, with what it would write, and what somebody has to approve first: nothing is written yet. */
export type Driven = Outcome & { writes: Write[]; approvals: Write[]; changes: Change[]; world: World };

const PENDING: Answer = { ok: true, value: { pending: true } };

/**
 * Runs a turn to its end. Writes go to a world that is pretended, so that live conversations and the sandbox see the same; only what
 * becomes of `writes` differs.
 */
export async function drive(driver: Driver): Promise<Driven> {
  let { world } = driver;
  const writes: Write[] = [];
  const approvals: Write[] = [];
  const changes: Change[] = [];
  const policies = driver.content.tools ?? {};

  const answer = async (request: Request): Promise<Answer> => {
    if (request.effect === "model") return driver.given(request) ?? driver.model(request);
    const policy = own(policies, request.tool);
    if (policy === "off") return { ok: false, code: "tool_off", detail: `The tool ${request.tool} is off.` };
    if (policy === "approve" && isApprovable(request.tool)) {
      approvals.push({ ...request, subject: subjectOf(world, request.tool) });
      changes.push({ kind: "approval.request", target: request.tool, before: null, after: request.args });
      return PENDING;
    }
    const given = driver.given(request);
    if (given !== null) return given;
    if (request.effect === "external") return driver.external(request);
    if (request.effect === "read")
      return request.tool === "lookup_contact" ? lookUp(world, request.args) : driver.search(request);
    const pretended = pretend(world, request);
    if (pretended.answer.ok) writes.push({ ...request, subject: subjectOf(world, request.tool) });
    world = pretended.world;
    changes.push(...pretended.changes);
    return pretended.answer;
  };

  const { content, turn } = driver;
  const playbook = content.playbook ?? NO_PLAYBOOK;
  const steps = runTurn({ ...turn, playbook, model: assistanceOf(driver), values: valuesOf(driver) });
  let step = steps.next();
  while (!step.done) step = steps.next(await answer(step.value));
  return { ...step.value, writes, approvals, changes, world };
}

function assistanceOf({ content, world }: Driver): Assistance | undefined {
  const { engine, model, instructions = "", tools = {}, targets = {} } = content;
  if (engine === "playbook") return undefined;
  const max_tokens = model?.max_tokens ?? MAX_TOKENS;
  const { contact, lead, deals, stages } = world;
  const known = { contact, lead, deals, stages };
  // Ids mean nothing to a model, and lead to nothing that it could name.
  const facts = JSON.stringify(known, (name, value: unknown) => (name === "id" ? undefined : value));
  return { engine, instructions, max_tokens, tools: toolSchemas(tools, Object.keys(targets)), facts };
}

/** What the placeholders of a playbook stand for. */
function valuesOf({ turn: { names, variables = {} }, world: { contact, lead } }: Driver): Turn["values"] {
  const person = contact ?? lead ?? {};
  const text = (value: unknown) => (value === null || value === undefined ? null : String(value));
  const { name, phone, email, company, custom } = person as Record<string, unknown>;
  const named = (prefix: string, record: object) =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [`${prefix}.${key}`, text(value)]));
  return {
    "agent.name": names.agent,
    "account.name": names.account,
    "contact.first_name": text(name)?.trim().split(/\s+/)[0],
    ...named("contact", { name, phone, email, company }),
    ...named("contact.custom", (custom ?? {}) as object),
    ...named("vars", variables),
  };
}
