import {
  type Answer,
  addUsage,
  type Change,
  type Content,
  drive,
  type Ending,
  type Hit,
  type Memory,
  NO_MEMORY,
  NO_USAGE,
  occursIn,
  type Request,
  type Usage,
  type World,
  wordsOf,
} from "../engine/index.ts";
import { createPersona, type Persona } from "./persona.model.ts";
import { type AskModel, type AskParent, createAskModel, judge, playPersona, type Said } from "./played.model.ts";

export type Mock = { tool: string; when?: object; return?: unknown; error?: { code?: string; detail: string }; times?: number };

export type Assertion =
  | { type: "tool_called"; tool: string; args?: object; value?: boolean }
  | { type: "text_matches"; phrase: string; value?: boolean }
  | { type: "handed_off"; value: boolean }
  | { type: "slot"; slot: string; value: unknown }
  | { type: "effect"; kind: string; value?: boolean }
  | { type: "judge"; rule: string };

/** Everything that a run depends on: the process that runs it has nothing else. */
export type RunInput = {
  content: Content;
  names: { agent: string; account: string };
  variables: Record<string, string>;
  /** What the person writes, a turn for each. */
  turns: string[];
  /** Who goes on after that; null: nobody does. */
  persona: Persona | null;
  turns_max: number;
  /** How many turns the session has had, what it remembers, and what the account looks like. */
  from: number;
  memory: Memory;
  world: World;
  now: string;
  open: boolean;
  seed: string;
  mocks: Mock[];
  unmocked: "simulate" | "error";
  assert: Assertion[];
};

/** `spoke` tells whose words an agent's are. */
export type ToolUse = {
  turn: number;
  name: string;
  args: object;
  valid: boolean;
  source: "mock" | "simulated" | "read";
  result: Answer;
};
/** `reason`: what a model said that judged. */
export type Judged = { assertion: Assertion; passed: boolean; reason?: string };

export type RunResult = {
  transcript: Said[];
  tool_calls: ToolUse[];
  /** What was found in the knowledge. */
  hits: (Hit & { turn: number })[];
  effects: Change[];
  assertions: Judged[];
  ending: Ending | null;
  slots: Memory["slots"];
  usage: Usage;
  /** Where another run can go on. */
  state: { from: number; memory: Memory; world: World };
};

/** Runs a conversation on a world of its own. It asks for what the knowledge has and for what the model says, and reaches nothing else. */
export async function runConversation(input: RunInput, askParent: AskParent): Promise<RunResult> {
  const mocks = input.mocks.map((mock) => ({ ...mock, left: mock.times ?? Infinity }));
  const result: RunResult = {
    transcript: [],
    tool_calls: [],
    hits: [],
    effects: [],
    assertions: [],
    ending: null,
    slots: {},
    usage: NO_USAGE,
    state: { from: input.from, memory: input.memory, world: input.world },
  };
  const mockOf = (request: Request) => takeMock(mocks, request);
  const ask = createAskModel(mockOf, askParent, result);
  const speak = speakerOf(input, ask);
  for (let turn = 0; turn < input.turns_max && result.ending?.kind !== "handoff"; turn += 1) {
    const text = input.turns[turn] ?? (result.ending === null ? await speak(result) : null);
    if (text === null) break;
    await takeTurn(input, mocks, result, text, askParent);
  }
  for (const assertion of input.assert) {
    const judged = assertion.type === "judge" ? await judge(ask, assertion.rule, result.transcript) : null;
    result.assertions.push({ assertion, ...(judged ?? { passed: holdsFor(assertion, result) }) });
  }
  return result;
}

/** Who goes on after the messages: nobody, a person with answers, or one that the model of the version plays. */
function speakerOf({ persona, content, now }: RunInput, ask: AskModel): (result: RunResult) => Promise<string | null> {
  if (persona === null) return async () => null;
  const { goal } = persona;
  if (goal !== undefined && content.model !== undefined) return ({ transcript }) => playPersona(ask, goal, transcript);
  const speak = createPersona(persona, { slots: content.playbook?.slots ?? {}, now });
  return async ({ state }) => speak(state.memory);
}

type CountedMock = Mock & { left: number };

async function takeTurn(
  input: RunInput,
  mocks: CountedMock[],
  result: RunResult,
  text: string,
  askParent: AskParent,
): Promise<void> {
  const { state } = result;
  const turn = state.from + 1;
  const sources = new Map<number, ToolUse["source"]>();
  const use = (source: ToolUse["source"], { call }: Request, answer: Answer): Answer => {
    sources.set(call, source);
    return answer;
  };
  const { content, names, variables, now, open, seed } = input;
  const driven = await drive({
    content,
    turn: { memory: state.memory, text, now: new Date(now), open, seed: `${seed}/${state.from}`, names, variables },
    world: state.world,
    given(request) {
      const mocked = takeMock(mocks, request);
      if (request.effect === "model") return mocked;
      if (mocked !== null) return use("mock", request, mocked);
      if (request.effect === "read" || input.unmocked === "simulate") return null;
      return use("simulated", request, { ok: false, code: "unmocked", detail: `There is no mock for ${request.tool}.` });
    },
    search: async (request) => use("read", request, await askParent(request)),
    model: askParent,
    external: async (request) => use("simulated", request, { ok: true, value: { status: 200, body: {} } }),
  });
  result.transcript.push(
    { role: "contact", text, turn },
    ...driven.messages.map((said) => ({ role: "agent" as const, text: said, turn, spoke: driven.spoke ?? "playbook" })),
  );
  for (const { call, tool: name, args, valid, answer } of driven.calls) {
    const source = sources.get(call) ?? (name === "lookup_contact" ? "read" : "simulated");
    result.tool_calls.push({ turn, name, args, valid, source, result: answer });
  }
  result.hits.push(...driven.hits.map((hit) => ({ ...hit, turn })));
  const sent = driven.messages.map((said) => ({
    kind: "message.send",
    target: "conversation",
    before: null,
    after: { text: said },
  }));
  result.effects.push(...driven.changes, ...sent);
  if (driven.ending !== null) noteEnding(result, driven.ending, turn);
  result.ending = driven.ending;
  result.slots = driven.memory.slots;
  result.usage = addUsage(result.usage, driven.usage);
  result.state = {
    from: driven.ending === null ? turn : 0,
    memory: driven.ending === null ? driven.memory : NO_MEMORY,
    world: driven.world,
  };
}

function noteEnding(result: RunResult, ending: Ending, turn: number): void {
  const text = ending.kind === "handoff" ? `@handoff: ${ending.reason}` : `@end: ${ending.outcome}`;
  result.transcript.push({ role: "event", text, turn });
  if (ending.kind !== "handoff") return;
  result.effects.push({ kind: "conversation.handoff", target: "conversation", before: null, after: { reason: ending.reason } });
}

function takeMock(mocks: CountedMock[], { tool, args }: Request): Answer | null {
  const mock = mocks.find((one) => one.tool === tool && one.left > 0 && contains(args, one.when ?? {}));
  if (mock === undefined) return null;
  mock.left -= 1;
  if (mock.error === undefined) return { ok: true, value: mock.return ?? {} };
  return { ok: false, code: mock.error.code ?? "mocked", detail: mock.error.detail };
}

/** Whether a value has all that is wanted, at any depth. */
export function contains(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return value === wanted;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(wanted).every(
    ([name, inner]) => Object.hasOwn(value, name) && contains((value as Record<string, unknown>)[name], inner),
  );
}

function holdsFor(assertion: Assertion, { tool_calls, transcript, ending, slots, effects }: RunResult): boolean {
  switch (assertion.type) {
    case "tool_called":
      return (
        tool_calls.some(({ name, args }) => name === assertion.tool && contains(args, assertion.args ?? {})) ===
        (assertion.value ?? true)
      );
    case "text_matches":
      return (
        transcript.some(({ role, text }) => role === "agent" && occursIn(assertion.phrase, wordsOf(text))) ===
        (assertion.value ?? true)
      );
    case "handed_off":
      return (ending?.kind === "handoff") === assertion.value;
    case "slot":
      return Object.hasOwn(slots, assertion.slot) && slots[assertion.slot] === assertion.value;
    // Judged by a model.
    case "judge":
      return false;
    case "effect":
      return effects.some(({ kind }) => kind === assertion.kind) === (assertion.value ?? true);
  }
}
