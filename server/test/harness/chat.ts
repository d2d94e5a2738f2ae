import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { type EventReader, openStream } from "./event-stream.ts";
import type { Json } from "./world.ts";

export const SHOP = "https://shop.example";

type Asked = { token?: string | null; body?: unknown; headers?: Record<string, string> };

/** The chat of a channel as a page of the shop calls it, at whatever process it is told to. */
export function chatOf(base_url: () => string, channel: { hook_path: string }) {
  async function call(method: string, path: string, { token = null, body, headers = {} }: Asked = {}) {
    const response = await fetch(base_url() + channel.hook_path + path, {
      method,
      headers: {
        origin: SHOP,
        ...(token === null ? {} : { "x-visitor-token": token }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer: Json = text === "" ? null : JSON.parse(text);
    return { status: response.status, headers: response.headers, body: answer };
  }

  /** A new visitor, or whoever a token is of. */
  async function visit(known: string | null = null) {
    const session = await call("POST", "/sessions", { token: known });
    expect([session.status, session.body]).toMatchObject([200, { token: expect.any(String) }]);
    const { token } = session.body as { token: string };
    const thread = async (): Promise<Json[]> => (await call("GET", "/messages", { token })).body.data;
    return {
      token,
      session: session.body,
      write: (text: string, client_message_id: string = randomUUID(), more: object = {}) =>
        call("POST", "/messages", { token, body: { client_message_id, text, ...more } }),
      thread,
      texts: async () => (await thread()).map(({ from, text }) => `${from}: ${text}`),
      read: (id: string) => call("POST", "/read", { token, body: { id } }),
      listen: (last_id?: string): Promise<EventReader> =>
        openStream(base_url(), `${channel.hook_path}/events`, {
          key: "none",
          headers: { origin: SHOP, "x-visitor-token": token, ...(last_id === undefined ? {} : { "last-event-id": last_id }) },
        }),
    };
  }
  return { call, visit };
}

export type Visit = Awaited<ReturnType<ReturnType<typeof chatOf>["visit"]>>;
