import type { Answer, Outcome, Request, Turn } from "./model.ts";
import { own } from "./model.ts";
import { type Change, lookUp, pretend, type World } from "./overlay.model.ts";
import { runTurn } from "./step.model.ts";

/** What a turn gets from whoever runs it. */
export type Driver = {
  turn: Omit<Turn, "values"> & { names: { agent: string; account: string }; variables?: Readonly<Record<string, string>> };
  world: World;
  /** The policies of tools that are not auto. */
  policies: Readonly<Record<string, string>>;
  /** An answer that is known already: a mock, or what a command refused the last time. */
  given(request: Request): Answer | null;
  /** What the knowledge has, and what others say. */
  search(request: Request): Promise<Answer>;
  external(request: Request): Promise<Answer>;
};

/** The outcome of a turn, with what it would write: nothing is written yet. */
export type Driven = Outcome & { writes: Request[]; changes: Change[]; world: World };

/**
 * Runs a turn to its end. Writes go to a world that is pretended, so that live conversations and the sandbox see the same; only what
 * becomes of `writes` differs.
 */
export async function drive(driver: Driver): Promise<Driven> {
  let { world } = driver;
  const writes: Request[] = [];
  const changes: Change[] = [];

  const answer = async (request: Request): Promise<Answer> => {
    if (own(driver.policies, request.tool) === "off")
      return { ok: false, code: "tool_off", detail: `The tool ${request.tool} is off.` };
    const given = driver.given(request);
    if (given !== null) return given;
    if (request.effect === "external") return driver.external(request);
    if (request.effect === "read")
      return request.tool === "lookup_contact" ? lookUp(world, request.args) : driver.search(request);
    const pretended = pretend(world, request);
    if (pretended.answer.ok) writes.push(request);
    world = pretended.world;
    changes.push(...pretended.changes);
    return pretended.answer;
  };

  const steps = runTurn({ ...driver.turn, values: valuesOf(driver) });
  let step = steps.next();
  while (!step.done) step = steps.next(await answer(step.value));
  return { ...step.value, writes, changes, world };
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
