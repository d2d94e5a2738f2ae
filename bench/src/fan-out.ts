import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Inbox } from "./conversations.ts";
import { median } from "./rounds.ts";
import type { Stage } from "./stage.ts";
import type { Bounded } from "./start.ts";

const LISTENERS = 1_000;
const MESSAGES = 20;

type Listener = { arrived: Map<string, number>; close(): void };

/** A reader of the inbox stream that notes when each message arrives. */
function listen({ secrets, port }: Stage, key: string): Promise<Listener> {
  const arrived = new Map<string, number>();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    const request = get({ host: "127.0.0.1", port, path: "/v1/conversations/stream", headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${secrets.base_url} answered ${response.statusCode}`));
      response.setEncoding("utf8").on("data", (text: string) => {
        const now_ms = performance.now();
        for (const [, mark = ""] of text.matchAll(/"text":"fan-out (\d+)"/g)) if (!arrived.has(mark)) arrived.set(mark, now_ms);
      });
      response.on("error", () => undefined);
      resolve({ arrived, close: () => request.destroy() });
    });
    request.on("error", reject);
  });
}

/** How long after its request a message has reached the first and the last of a thousand readers of the inbox stream. */
export async function measureFanOut(stage: Stage, { keys, conversation_ids }: Inbox): Promise<Bounded[]> {
  const [key = ""] = keys;
  const listeners: Listener[] = [];
  try {
    for (let index = 0; index < LISTENERS; index += 1) listeners.push(await listen(stage, keys[index % keys.length] ?? key));
    const spans: { first: number; last: number }[] = [];
    for (let mark = 0; mark < MESSAGES; mark += 1)
      spans.push(await publish(stage, key, conversation_ids[mark] ?? "", mark, listeners));
    const shown = (pick: (span: { first: number; last: number }) => number) => Math.round(median(spans.map(pick)));
    return [
      { name: `first of ${LISTENERS} listeners`, value: shown(({ first }) => first), goal: null, unit: "ms" },
      { name: `last of ${LISTENERS} listeners`, value: shown(({ last }) => last), goal: null, unit: "ms" },
    ];
  } finally {
    for (const listener of listeners) listener.close();
  }
}

async function publish({ secrets }: Stage, key: string, id: string, mark: number, listeners: readonly Listener[]) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const began_ms = performance.now();
  const body = JSON.stringify({ text: `fan-out ${mark}` });
  const reply = await fetch(`${secrets.base_url}/v1/conversations/${id}/messages`, { method: "POST", headers, body });
  if (reply.status !== 201) throw new Error(`the message was not sent: ${reply.status}`);
  const all = () => listeners.map(({ arrived }) => arrived.get(String(mark)) ?? Number.NaN);
  for (let tries = 0; all().some(Number.isNaN); tries += 1) {
    if (tries > 6_000) throw new Error("a listener missed a message");
    await sleep(10);
  }
  const spans = all().map((arrived_ms) => arrived_ms - began_ms);
  return { first: Math.min(...spans), last: Math.max(...spans) };
}
