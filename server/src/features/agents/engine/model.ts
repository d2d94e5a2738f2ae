import type { ToolSchema, Usage } from "./chat.model.ts";

/** What a playbook says, as its author writes it. docs/agents.md describes the language. */
export type Playbook = {
  start: string;
  states: Record<string, State>;
  slots?: Record<string, Slot>;
  /** Looked at before anything else, with every message. */
  interrupts?: Rule[];
  fallback?: Fallback;
};

export type State = {
  say?: string | string[];
  collect?: string[];
  do?: ToolCall[];
  /** Answers questions from the knowledge, and goes on when there is no answer. */
  faq?: { min_score: number };
  branch?: Rule[];
  go: string;
};

export type ToolCall = { tool: string; args?: Record<string, unknown> };
export type Rule = { when: Condition; say?: string | string[]; go: string };
export type Fallback = { faq?: { min_score: number }; say: string | string[]; max: number; go: string };

export const SLOT_TYPES = ["text", "number", "email", "phone", "date", "choice", "boolean"] as const;
export type SlotType = (typeof SLOT_TYPES)[number];
export type Slot = {
  type: SlotType;
  choices?: string[];
  min?: number;
  max?: number;
  ask: string | string[];
  retry?: string | string[];
  retries?: number;
};

export const OPERATORS = ["=", "!=", ">", ">=", "<", "<=", "in", "filled"] as const;
export type Operator = (typeof OPERATORS)[number];

export type Condition =
  | { match: string[] }
  | { slot: string; op: Operator; value?: unknown }
  | { hours: "open" | "closed" }
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition };

/** Where `go` leads besides states. */
export const HANDOFF = "@handoff";
export const END = "@end";

export const RETRIES = 2;

/** A member that an author named; names such as `constructor` are none of ours. */
export function own<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** What a turn may do before it is handed to a person. */
export const LIMITS = { states: 20, tools: 8, messages: 5, model: 6 } as const;

/** Conditions within conditions. */
export const DEPTH_MAX = 5;

export type SlotValue = string | number | boolean;

/** What an agent remembers of a conversation from turn to turn. */
export type Memory = {
  /** The state that waits for the person; null before the first turn. */
  state: string | null;
  /** The slot that the person was asked for. */
  awaiting: string | null;
  /** Answers in a row that did not fit the awaited slot, and messages that nothing understood. */
  retries: number;
  misses: number;
  slots: Record<string, SlotValue>;
  /** The last result of each tool, for placeholders. */
  results: Record<string, unknown>;
  /** What was said last, where a model answers. */
  chat?: { role: "user" | "assistant"; content: string }[];
};

export const NO_MEMORY: Memory = { state: null, awaiting: null, retries: 0, misses: 0, slots: {}, results: {} };

export type Effect = "read" | "write" | "external" | "model";

/** What a turn asks of whoever runs it. Calls of tools are numbered from 1 on, and so are questions to the model, whose `args` are a ModelAsk. */
export type Request = { effect: Effect; call: number; tool: string; args: Record<string, unknown> };
/** A request that changes something, with the record that it is about: what comes meanwhile is not what it was meant for. */
export type Write = Request & { subject: string | null };
export type Answer = { ok: true; value: unknown } | { ok: false; code: string; detail: string };

/** The result of search_knowledge. */
export type Hit = { source_id: string; title: string; url: string | null; chunk: number; quote: string; score: number };

export type Ending = { kind: "handoff"; reason: string } | { kind: "end"; outcome: string };

export const ENGINES = ["playbook", "llm", "hybrid"] as const;

/** The part that a model has in a turn: `llm` decides it, `hybrid` only finds words and meanings for the playbook. */
export type Assistance = {
  engine: "llm" | "hybrid";
  instructions: string;
  max_tokens: number;
  /** The tools that an llm has, and what it knows of the person. */
  tools: ToolSchema[];
  facts: string;
};

export type Turn = {
  playbook: Playbook;
  model?: Assistance | undefined;
  memory: Memory;
  /** What the person wrote since the last turn. */
  text: string;
  /** The turn's own time, and whether the channel is within its hours then. */
  now: Date;
  open: boolean;
  /** Chooses among variants: the same seed, the same words. */
  seed: string;
  /** What placeholders stand for, besides slots and results, such as `contact.name`. */
  values: Readonly<Record<string, string | null | undefined>>;
};

export type Outcome = {
  messages: string[];
  memory: Memory;
  /** Why the session is over; null while it waits for the person. */
  ending: Ending | null;
  /** The states in the order of their visit, what tools were called, and what was found. */
  visited: string[];
  calls: Called[];
  hits: Hit[];
  /** What the model cost, why it failed, and whose words were said: null where there were none. */
  usage: Usage;
  failures: string[];
  spoke: "playbook" | "model" | null;
};

/** A call of a tool, with what came of it. */
export type Called = { call: number; tool: string; args: Record<string, unknown>; valid: boolean; answer: Answer };
