/** A message of a chat with a model. A `tool` message has the answer to one of the calls before it. */
export type ChatMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string | null; calls?: ModelCall[] }
  | { role: "tool"; call_id: string; content: string };

/** A use of a tool that a model wants. Arguments that are no JSON are the text as it came. */
export type ModelCall = { id: string; name: string; arguments: unknown };

/** What a model is told of a tool: `parameters` is a JSON schema. */
export type ToolSchema = { name: string; description: string; parameters: object };

export type Usage = { requests: number; input_tokens: number; output_tokens: number };
export const NO_USAGE: Usage = { requests: 0, input_tokens: 0, output_tokens: 0 };

export const addUsage = (a: Usage, b: Usage): Usage => ({
  requests: a.requests + b.requests,
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
});

export type ModelAsk = {
  messages: ChatMessage[];
  tools: ToolSchema[];
  max_tokens: number;
  /** How long an answer may take, with all that is tried again. */
  deadline_ms: number;
  seed?: number;
};

export type ModelReply = { text: string | null; calls: ModelCall[]; usage: Usage; end: "stop" | "calls" | "length" | "refusal" };

export const FAILURES = ["timeout", "limit", "auth", "malformed", "down"] as const;
/** Why there is no reply: `limit` is 429, `auth` a key that is refused, `malformed` what nobody can read, `down` the rest. */
export type Failure = (typeof FAILURES)[number];

/** Asks a model. */
export type Model = (ask: ModelAsk) => Promise<ModelReply | { failed: Failure; detail: string }>;
