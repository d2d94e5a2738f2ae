import { get, type IncomingMessage } from "node:http";
import { eventually } from "../postgres/processes.ts";
import { checkMessage } from "./reply-schema.ts";
import type { Json } from "./world.ts";

export type Message = { event: string; data: Json; id: string };

/** A reader of a stream of server-sent events, over a connection of its own. */
export type EventReader = {
  status: number;
  /** The problem, where there is one instead of a stream. */
  problem(): Json;
  messages: Message[];
  /** The id that a browser would come back with; messages without data move it too. */
  lastId(): string;
  /** How many messages without data there were. */
  heartbeats(): number;
  /** Waits until there are so many messages. */
  until(count: number): Promise<Message[]>;
  /** Reads no further, and on again. */
  pause(): void;
  resume(): void;
  close(): void;
  /** How it ended: with an end, or in the middle. */
  ended: Promise<"end" | "lost">;
};

type Asked = { key: string; headers?: Record<string, string> };

export async function openStream(base_url: string, path: string, { key, headers = {} }: Asked): Promise<EventReader> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { agent: false, headers: { authorization: `Bearer ${key}`, accept: "text/event-stream", ...headers } };
    get(new URL(path, base_url), options, resolve).on("error", reject);
  });
  const messages: Message[] = [];
  let rest = "";
  let last_id = "";
  let heartbeats = 0;
  response.setEncoding("utf8").on("data", (text: string) => {
    const blocks = (rest + text).split("\n\n");
    if (response.statusCode === 200) rest = blocks.pop() ?? "";
    else rest += text;
    for (const block of response.statusCode === 200 ? blocks : []) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
      last_id = field("id") ?? last_id;
      const data = field("data");
      if (data === undefined) heartbeats += 1;
      else {
        checkMessage(path, JSON.parse(data));
        messages.push({ event: field("event") ?? "message", data: JSON.parse(data), id: last_id });
      }
    }
  });
  response.on("error", () => undefined);
  const ended = new Promise<"end" | "lost">((resolve) => {
    response.once("close", () => resolve(response.complete ? "end" : "lost"));
  });
  const reader: EventReader = {
    status: response.statusCode ?? 0,
    problem: () => JSON.parse(rest),
    messages,
    lastId: () => last_id,
    heartbeats: () => heartbeats,
    async until(count) {
      await eventually(`${count} messages of ${path}`, () => messages.length >= count || null);
      return messages;
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => response.destroy(),
    ended,
  };
  if (reader.status === 200) await eventually("the first bytes of the stream", () => heartbeats > 0 || null);
  else await ended;
  return reader;
}
