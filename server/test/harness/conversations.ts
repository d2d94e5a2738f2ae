import type { IncomingMessage, OpenChannel } from "../../src/features/inbox/channels/index.ts";
import { receive } from "../../src/features/inbox/conversations/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { GENERAL, type Json, nextPhone, type TestPartner, type World } from "./world.ts";

let made = 0;

/** A channel of an account, whose provider nobody asks for anything. */
export async function newChannel(
  world: World,
  { partner_id }: TestPartner,
  account_id: string,
  kind: OpenChannel["kind"] = "sms",
): Promise<OpenChannel> {
  const id = newId("channel", Date.now());
  const token = `token${++made}`;
  await world.db.sql(
    `insert into channels (partner_id, id, account_id, kind, name, config, token, per_minute, created_at, updated_at)
     values ($1, $2, $3, $4, $2, '{}', $5, 60, $6, $6)`,
    [partner_id, id, account_id, kind, token, world.clock.now()],
  );
  return { partner_id, id, account_id, kind, status: "active", config: {}, secrets: {}, token, per_minute: 60, version: 1 };
}

/** Conversations of a partner: what is sent by the API, and what people write. */
export function conversationsOf(world: World, partner: () => TestPartner) {
  const call = (method: string, path: string, body?: unknown, key = partner().key, headers: Record<string, string> = {}) =>
    world.call(method, `${GENERAL}${path}`, { key, body, headers });

  /** What somebody writes on a channel; each message has an id of its own unless one is given. */
  const write = async (channel: OpenChannel, from: string, text: string, more: Partial<IncomingMessage> = {}) => {
    const provider_id = `in-${++made}`;
    const profile = { name: "Ada Okafor", phone: from };
    const given = { provider_id, from, profile, text, attachments: [], at: world.clock.now() };
    const item: IncomingMessage = { type: "message", ...given, ...more };
    await receive(world.app.services, channel, [item]);
    return item;
  };

  return {
    call,
    write,
    /** The conversation that somebody begins by a message. */
    async begun(channel: OpenChannel, from = nextPhone(), text = "Hello"): Promise<Json> {
      await write(channel, from, text);
      const { body } = await call("GET", `/conversations?channel_id=${channel.id}&limit=100`);
      return body.data.find(({ address }: Json) => address === from);
    },
    get: async (id: string): Promise<Json> => (await call("GET", `/conversations/${id}`)).body,
    send: (id: string, body: object, key?: string) => call("POST", `/conversations/${id}/messages`, body, key),
    /** Its messages in their order. */
    thread: async (id: string): Promise<Json[]> =>
      (await call("GET", `/conversations/${id}/messages?limit=100`)).body.data.toReversed(),
  };
}
