import type { ServerResponse } from "node:http";
import { type Receiver, startReceiver, status } from "./receiver.ts";
import type { Json } from "./world.ts";

/** What a scripted model says: a text, calls of tools, or a whole answer of its own. */
export type Says = {
  text?: string | null;
  calls?: { name: string; arguments: unknown }[];
  finish?: string;
  refusal?: string;
  usage?: { prompt_tokens: number; completion_tokens: number };
};

export type Script = (asked: Json, count: number) => Says | ((response: ServerResponse) => void);

const choiceOf = ({ text = null, calls = [], finish, refusal }: Says) => ({
  index: 0,
  finish_reason: finish ?? (calls.length > 0 ? "tool_calls" : "stop"),
  message: {
    role: "assistant",
    content: text,
    ...(refusal !== undefined && { refusal }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ name, arguments: args }, index) => ({
        id: `call_${index}`,
        type: "function",
        function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
      })),
    }),
  },
});

const USAGE = { prompt_tokens: 10, completion_tokens: 5 };

/** The JSON of a chat completion. */
export const completion = (says: Says) =>
  JSON.stringify({ id: "c1", object: "chat.completion", choices: [choiceOf(says)], usage: says.usage ?? USAGE });

/** The same in pieces, as servers send it that stream whatever they are asked. */
export function eventStream(says: Says, ended = true): string {
  const { message, finish_reason } = choiceOf(says);
  const { content, refusal, tool_calls = [] } = message as Json;
  const letters = (text: string) => text.match(/.{1,3}/gsu) ?? [];
  const deltas: object[] = [
    ...letters(content ?? "").map((piece) => ({ content: piece })),
    ...letters(refusal ?? "").map((piece) => ({ refusal: piece })),
    ...tool_calls.flatMap(({ id, type, function: asked }: Json, index: number) => [
      { tool_calls: [{ index, id, type, function: { name: asked.name, arguments: "" } }] },
      ...letters(asked.arguments).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  ];
  const pieces = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    ...(ended ? [{ choices: [{ index: 0, delta: {}, finish_reason }] }, { choices: [], usage: says.usage ?? USAGE }] : []),
  ];
  const lines = [...pieces.map((piece) => JSON.stringify(piece)), ...(ended ? ["[DONE]"] : [])];
  return `: hello\n\n${lines.map((line) => `data: ${line}\n\n`).join("")}`;
}

export const streamed = (says: Says, ended = true) =>
  status(200, { "content-type": "text/event-stream" }, eventStream(says, ended)) as (response: ServerResponse) => void;

/** A service with the chat completions of OpenAI, whose model follows a script. */
export type ModelServer = Receiver & { asked: Json[]; follow(script: Script): void };

export async function startModelServer(path = "/v1/chat/completions"): Promise<ModelServer> {
  const receiver = await startReceiver();
  const asked: Json[] = [];
  let script: Script = () => ({ text: "Hello." });
  receiver.answer(path, (response, { body }) => {
    const request = JSON.parse(body.toString());
    asked.push(request);
    const says = script(request, asked.length);
    if (typeof says === "function") says(response);
    else response.writeHead(200, { "content-type": "application/json" }).end(completion(says));
  });
  return {
    ...receiver,
    asked,
    follow(next) {
      asked.length = 0;
      script = next;
    },
  };
}
