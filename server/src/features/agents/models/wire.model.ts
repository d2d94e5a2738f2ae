import type { ChatMessage, ModelAsk, ModelCall, ModelReply } from "../engine/index.ts";

const PATH = "/chat/completions";

/** Where a service is asked: its root, its `/v1` (or another path), or the whole path were given. */
export function completionsUrl(base_url: string): URL {
  const url = new URL(base_url);
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = path.endsWith(PATH) ? path : `${path === "" ? "/v1" : path}${PATH}`;
  return url;
}

/** The body of a request. A model that streams by default is asked not to. */
export function requestBody(name: string, temperature: number | undefined, ask: ModelAsk, limit_name: string): object {
  const { messages, tools, max_tokens, seed } = ask;
  const offered = tools.map((tool) => ({ type: "function", function: tool }));
  return {
    model: name,
    messages: messages.map(wireMessage),
    ...(offered.length > 0 && { tools: offered }),
    [limit_name]: max_tokens,
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    stream: false,
  };
}

function wireMessage(message: ChatMessage): object {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.call_id, content: message.content };
  if (message.role !== "assistant" || message.calls === undefined) return { role: message.role, content: message.content };
  const tool_calls = message.calls.map(({ id, name, arguments: args }) => ({
    id,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  }));
  return { role: "assistant", content: message.content, tool_calls };
}

type Members = Record<string, unknown>;
const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null && !Array.isArray(value);
const objectOf = (value: unknown): Members => (isObject(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const count = (value: unknown) => (Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : 0);

/** Texts that can be stored. */
const storable = (text: string) => text.replaceAll("\0", "").toWellFormed();

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) => {
      if (typeof value === "string") return storable(value);
      if (!isObject(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [storable(name), inner]));
    });
  } catch {
    return undefined;
  }
}

/** A reply in its one form, whether it came whole or as an event stream; null where it is neither. */
export function readReply(body: string): ModelReply | null {
  const text = body.trimStart();
  const whole = text.startsWith("data:") || text.startsWith(":") || text.startsWith("event:") ? joinStream(text) : parsed(text);
  const choice = listOf(objectOf(whole).choices)[0];
  if (!isObject(choice) || !isObject(choice.message)) return null;
  const { content = null, refusal = null, tool_calls } = choice.message;
  const calls = listOf(tool_calls).map(readCall);
  const fits = (content === null || typeof content === "string") && calls.every((call) => call !== null);
  if (!fits) return null;
  const { prompt_tokens, completion_tokens } = objectOf(objectOf(whole).usage);
  const usage = { requests: 1, input_tokens: count(prompt_tokens), output_tokens: count(completion_tokens) };
  const refused = (typeof refusal === "string" && refusal !== "") || choice.finish_reason === "content_filter";
  const end = refused ? "refusal" : choice.finish_reason === "length" ? "length" : calls.length > 0 ? "calls" : "stop";
  return { text: content as string | null, calls: calls as ModelCall[], usage, end };
}

function readCall(call: unknown, index: number): ModelCall | null {
  const { id, function: asked } = objectOf(call);
  const { name, arguments: args } = objectOf(asked);
  if (typeof name !== "string" || name === "") return null;
  const value = typeof args === "string" ? (args.trim() === "" ? {} : (parsed(args) ?? args)) : (args ?? {});
  return { id: typeof id === "string" && id !== "" ? id : `call_${index}`, name, arguments: value };
}

/** The whole reply of an event stream: its pieces one after the other; undefined where it broke off. */
function joinStream(text: string): unknown {
  const data = text.split(/\r\n|\r|\n/).flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trim()] : []));
  const pieces = data.filter((piece) => piece !== "" && piece !== "[DONE]").map(parsed);
  if (!pieces.every(isObject)) return undefined;
  const message: Members = { content: null, refusal: null };
  const calls: { id?: unknown; function: { name: string; arguments: string } }[] = [];
  let finish_reason: unknown = null;
  let usage: unknown;
  for (const piece of pieces) {
    usage = piece.usage ?? usage;
    const choice = objectOf(listOf(piece.choices)[0]);
    finish_reason = choice.finish_reason ?? finish_reason;
    const delta = objectOf(choice.delta);
    for (const member of ["content", "refusal"])
      if (typeof delta[member] === "string") message[member] = `${message[member] ?? ""}${delta[member]}`;
    for (const part of listOf(delta.tool_calls).map(objectOf)) {
      const { name = "", arguments: args = "" } = objectOf(part.function);
      const place = count(part.index ?? calls.length);
      const call = calls[place] ?? { function: { name: "", arguments: "" } };
      calls[place] = call;
      call.id ??= part.id;
      call.function.name += String(name);
      call.function.arguments += String(args);
    }
  }
  if (finish_reason === null && !data.includes("[DONE]")) return undefined;
  return { choices: [{ message: { ...message, tool_calls: Object.values(calls) }, finish_reason }], usage };
}
