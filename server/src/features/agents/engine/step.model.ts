import { holds, listens } from "./conditions.model.ts";
import { fillArguments, fillText } from "./fill.model.ts";
import { rephrase, ruleByModel, slotByModel } from "./hybrid.model.ts";
import { converse } from "./llm.model.ts";
import {
  END,
  type Ending,
  HANDOFF,
  type Hit,
  LIMITS,
  type Outcome,
  own,
  RETRIES,
  type Rule,
  type Slot,
  type State,
  type ToolCall,
  type Turn,
} from "./model.ts";
import { ask, beginRun, handoff, limitReason, outcomeOf, type Run, type Steps } from "./run.model.ts";
import { readSlot } from "./slots.model.ts";

type Words = string | readonly string[];

/** Where a turn goes on, with the reason of an ending, or that it waits for the person. */
type Next = { go: string; why?: string } | "wait";

const NOT_UNDERSTOOD = "What the person wrote was not understood.";

/**
 * One turn of an agent: what the person wrote, and everything up to the next question or the end. It asks for what it needs by its
 * requests and depends on nothing else, so the same turn with the same answers has the same outcome.
 */
export function* runTurn(turn: Turn): Steps<Outcome> {
  const run = beginRun(turn);
  const ending = turn.model?.engine === "llm" ? yield* converse(run, turn.model) : yield* follow(run);
  yield* rephrase(run);
  return outcomeOf(run, ending);
}

/** Follows the playbook; why the session is over, or null. */
function* follow(run: Run): Steps<Ending | null> {
  let next = yield* takeMessage(run);
  while (next !== "wait") {
    const ending = endingOf(run, next);
    if (ending !== null) return ending;
    next = yield* enter(run, next.go);
  }
  return run.said.length > LIMITS.messages ? handoff(limitReason("messages")) : null;
}

function endingOf(run: Run, { go, why }: { go: string; why?: string }): Ending | null {
  if (run.said.length > LIMITS.messages) return handoff(limitReason("messages"));
  if (go === HANDOFF) return handoff(why ?? "The playbook hands off.");
  if (go === END) return { kind: "end", outcome: why ?? "completed" };
  return run.visited.length >= LIMITS.states ? handoff(limitReason("states")) : null;
}

/** What a message means: an interrupt, the answer to a question, or something for the state that listens. */
function* takeMessage(run: Run): Steps<Next> {
  const { playbook, memory } = run;
  const interrupt = ruleFor(run, playbook.interrupts);
  if (interrupt !== null) {
    Object.assign(memory, { awaiting: null, retries: 0, misses: 0 });
    return obey(run, interrupt);
  }
  const state = memory.state === null ? undefined : own(playbook.states, memory.state);
  if (state === undefined) return { go: playbook.start };
  const slot = memory.awaiting === null ? undefined : own(playbook.slots, memory.awaiting);
  return slot === undefined ? yield* listen(run, state) : yield* answerSlot(run, state, slot);
}

function* enter(run: Run, name: string): Steps<Next> {
  const state = own(run.playbook.states, name);
  if (state === undefined) return { go: HANDOFF, why: `The state ${name} does not exist.` };
  run.visited.push(name);
  run.memory.state = name;
  if (state.say !== undefined) say(run, state.say);
  return yield* proceed(run, state);
}

/** What comes after the words of a state: its questions, its tools, and where it goes on. */
function* proceed(run: Run, state: State): Steps<Next> {
  const { memory, playbook } = run;
  const open = state.collect?.find((name) => own(memory.slots, name) === undefined);
  const slot = open === undefined ? undefined : own(playbook.slots, open);
  if (open !== undefined && slot !== undefined) {
    Object.assign(memory, { awaiting: open, retries: 0 });
    say(run, slot.ask, false);
    return "wait";
  }
  for (const call of state.do ?? []) {
    const ended = yield* useTool(run, call);
    if (ended !== null) return ended;
  }
  if (listens(state)) return "wait";
  const rule = ruleFor(run, state.branch);
  return rule === null ? { go: state.go } : obey(run, rule);
}

function* answerSlot(run: Run, state: State, slot: Slot): Steps<Next> {
  const { memory, playbook } = run;
  const { fallback } = playbook;
  const value = readSlot(slot, run.text) ?? (yield* slotByModel(run, slot));
  if (value !== null) {
    memory.slots[memory.awaiting ?? ""] = value;
    Object.assign(memory, { awaiting: null, retries: 0, misses: 0 });
    return yield* proceed(run, state);
  }
  if (fallback?.faq !== undefined && (yield* answerFromKnowledge(run, fallback.faq.min_score))) {
    say(run, slot.ask, false);
    return "wait";
  }
  memory.retries += 1;
  memory.misses += 1;
  if (memory.retries > (slot.retries ?? RETRIES) || memory.misses > (fallback?.max ?? Infinity)) return giveUp(run);
  if (slot.retry === undefined && fallback !== undefined) say(run, fallback.say);
  say(run, slot.retry ?? slot.ask, false);
  return "wait";
}

/** A message for a state that listens: a branch, an answer from the knowledge, or the fallback. */
function* listen(run: Run, state: State): Steps<Next> {
  const { memory, playbook } = run;
  const { fallback } = playbook;
  const rule = ruleFor(run, state.branch) ?? (yield* ruleByModel(run, state.branch));
  if (rule !== null) {
    memory.misses = 0;
    return obey(run, rule);
  }
  const faq = state.faq ?? fallback?.faq;
  if (faq !== undefined && (yield* answerFromKnowledge(run, faq.min_score))) return "wait";
  if (state.faq !== undefined || fallback === undefined) return { go: state.go };
  memory.misses += 1;
  if (memory.misses > fallback.max) return giveUp(run);
  say(run, fallback.say);
  return "wait";
}

function giveUp({ memory, playbook }: Run): Next {
  Object.assign(memory, { awaiting: null, retries: 0, misses: 0 });
  return { go: playbook.fallback?.go ?? HANDOFF, why: NOT_UNDERSTOOD };
}

function ruleFor(run: Run, rules: readonly Rule[] = []): Rule | null {
  return rules.find(({ when }) => holds(when, run)) ?? null;
}

function obey(run: Run, { say: words, go }: Rule): Next {
  if (words !== undefined) say(run, words);
  return { go };
}

/** Says one of some variants, in words that are `free` or have to stay. What is empty once its placeholders are filled in is not said. */
function say(run: Run, words: Words, free = true): void {
  const variants = typeof words === "string" ? [words] : words;
  const chosen = variants[hashOf(`${run.seed}/${run.visited.length}/${run.said.length}`) % variants.length] ?? "";
  const text = fillText(chosen, run).trim();
  if (text !== "") run.said.push({ text, free });
}

/** Says what the knowledge has on the message, with its source; whether there was anything. */
function* answerFromKnowledge(run: Run, min_score: number): Steps<boolean> {
  if (run.calls.length >= LIMITS.tools || run.text.trim() === "") return false;
  const answer = yield* ask(run, "search_knowledge", { query: run.text.slice(0, 500), limit: 1 });
  const [hit] = answer.ok ? (answer.value as Hit[]) : [];
  if (hit === undefined || hit.score < min_score) return false;
  run.hits.push(hit);
  run.said.push({ text: `${hit.quote} [${run.hits.length}]`, free: false });
  return true;
}

/** Uses a tool; where the turn goes if it ends by that, else null. */
function* useTool(run: Run, { tool, args = {} }: ToolCall): Steps<Next | null> {
  if (run.calls.length >= LIMITS.tools) return { go: HANDOFF, why: limitReason("tools") };
  const filled = fillArguments(args, run) as Record<string, unknown>;
  const answer = yield* ask(run, tool, filled);
  if (!answer.ok) return { go: HANDOFF, why: `${tool}: ${answer.detail}` };
  if (tool === "handoff") return { go: HANDOFF, ...(filled.reason === undefined ? {} : { why: String(filled.reason) }) };
  if (tool === "end") return { go: END, ...(filled.outcome === undefined ? {} : { why: String(filled.outcome) }) };
  if (tool === "search_knowledge") run.hits.push(...(answer.value as Hit[]));
  run.memory.results[tool] = answer.value;
  return null;
}

/** FNV-1a: a choice that looks random and is the same everywhere. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}
