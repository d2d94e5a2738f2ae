import { addUsage, type ModelAsk, type ModelCall, type ModelReply, NO_USAGE, type Usage } from "./chat.model.ts";
import { type Answer, type Called, type Ending, type Hit, LIMITS, type Outcome, own, type Request, type Turn } from "./model.ts";
import { argumentFault, TOOLS } from "./tools.model.ts";
import { wordsOf } from "./words.model.ts";

/** What was said, and whether other words may say it, too. */
export type Said = { text: string; free: boolean };

/** A turn under way. */
export type Run = Turn & {
  words: string[];
  said: Said[];
  visited: string[];
  calls: Called[];
  hits: Hit[];
  /** How often the model was asked, and what came of that. */
  asked: number;
  usage: Usage;
  failures: string[];
  spoke: Outcome["spoke"];
};

export type Steps<T> = Generator<Request, T, Answer>;

export function beginRun(turn: Turn): Run {
  const memory = structuredClone(turn.memory);
  const nothing = { said: [], visited: [], calls: [], hits: [], asked: 0, usage: NO_USAGE, failures: [], spoke: null };
  return { ...turn, ...nothing, memory, words: wordsOf(turn.text) };
}

export function outcomeOf(run: Run, ending: Ending | null): Outcome {
  const { said, memory, visited, calls, hits, usage, failures } = run;
  const messages = said.slice(0, LIMITS.messages).map(({ text }) => text);
  const spoke = messages.length === 0 ? null : (run.spoke ?? "playbook");
  return { messages, memory, ending, visited, calls, hits, usage, failures, spoke };
}

export const handoff = (reason: string): Ending => ({ kind: "handoff", reason });
export const limitReason = (what: "states" | "tools" | "messages") =>
  `The turn has reached its limit of ${LIMITS[what]} ${what}.`;

/** Asks for the use of a tool, if its arguments are valid. */
export function* ask(run: Run, tool: string, args: Record<string, unknown>): Steps<Answer> {
  const known = own(TOOLS, tool);
  const call = run.calls.length + 1;
  const detail = known === undefined ? `There is no tool ${tool}.` : argumentFault(known, args);
  const answer: Answer =
    known === undefined || detail !== null
      ? { ok: false, code: "invalid_arguments", detail: detail ?? "" }
      : yield { effect: known.effect, call, tool, args };
  run.calls.push({ call, tool, args, valid: detail === null, answer });
  return answer;
}

/** Asks the model, for one of the purposes that mocks tell apart. Null where it failed. */
export function* askModel(run: Run, purpose: "answer" | "slot" | "rule" | "say", given: ModelAsk): Steps<ModelReply | null> {
  run.asked += 1;
  const answer = yield { effect: "model", call: run.asked, tool: "model", args: { purpose, ...given } };
  const reply = answer.ok ? replyOf(answer.value) : null;
  if (reply === null) {
    run.failures.push(answer.ok ? "malformed" : answer.code);
    return null;
  }
  run.usage = addUsage(run.usage, reply.usage);
  if (reply.end === "refusal") run.failures.push("refusal");
  return reply;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A reply as an adapter gives it, or as much of one as a mock does. */
function replyOf(value: unknown): ModelReply | null {
  if (!isObject(value)) return null;
  const { text = null, calls = [], usage, end } = value;
  if ((text !== null && typeof text !== "string") || !Array.isArray(calls)) return null;
  const named = calls.map((call, index): ModelCall | null =>
    isObject(call) && typeof call.name === "string"
      ? { id: String(call.id ?? `call_${index}`), name: call.name, arguments: call.arguments ?? {} }
      : null,
  );
  if (named.includes(null)) return null;
  return {
    text,
    calls: named as ModelCall[],
    usage: { ...NO_USAGE, requests: 1, ...(isObject(usage) ? (usage as Partial<Usage>) : {}) },
    end: (end as ModelReply["end"] | undefined) ?? (calls.length > 0 ? "calls" : "stop"),
  };
}
