import { expect } from "vitest";
import { TOOLS } from "../../src/features/agents/engine/index.ts";
import { runDueTurns } from "../../src/features/agents/sessions/index.ts";
import type { OpenChannel } from "../../src/features/inbox/channels/index.ts";
import { conversationsOf, newChannel } from "./conversations.ts";
import { type Json, nextPhone, type TestPartner, type World } from "./world.ts";

let made = 0;

/** Values that fit a tool, as far as its schema says. */
export function fitting(name: string): Record<string, unknown> {
  const { properties = {} } = TOOLS[name]?.parameters ?? {};
  const special: Record<string, unknown> = {
    status: "qualified",
    phone: "+4915155555555",
    email: "evil@x.example",
    name: "sink",
    custom: {},
  };
  const values = Object.entries(properties).map(([key, { type, minimum = 1 }]) => [
    key,
    special[key] ?? (type === "integer" ? Math.max(1, minimum) : type === "object" ? {} : "Changed"),
  ]);
  return Object.fromEntries(values);
}

/** Agents of a partner, and what people talk about with them. */
export function agentsOf(world: World, partner: () => TestPartner) {
  const conversations = conversationsOf(world, partner);
  const { call, write } = conversations;

  /** An agent that answers by a playbook on a channel of its own. */
  async function newAgent(
    account_id: string,
    playbook: object,
    { fields = {}, content = {}, kind = "sms" as OpenChannel["kind"] } = {},
  ) {
    made += 1;
    const given = { account_id, name: `Nora ${made}`, content: { engine: "playbook", playbook, ...content }, ...fields };
    const { status, body: agent } = await call("POST", "/agents", given);
    expect([status, agent]).toMatchObject([201, { status: "draft" }]);
    const channel = await newChannel(world, partner(), account_id, kind);
    await call("POST", `/agents/${agent.id}/publish`, { version: 1 });
    expect((await call("PUT", `/agents/${agent.id}/channels`, { channel_ids: [channel.id] })).status).toBe(200);
    return { id: agent.id as string, name: agent.name as string, channel };
  }

  /** Lets the pause pass that agents make, and runs what is due. */
  async function answer(): Promise<number> {
    world.clock.advance(2_000);
    return runDueTurns(world.app.services);
  }

  /** Somebody who talks with an agent. */
  async function talk(channel: OpenChannel, phone = nextPhone()) {
    const find = async (): Promise<Json> =>
      (await call("GET", `/conversations?channel_id=${channel.id}&limit=100`)).body.data.find(
        ({ address }: Json) => address === phone,
      );
    return {
      phone,
      find,
      /** Writes, and gives what the agent answers. */
      async say(text: string): Promise<string[]> {
        const before = (await find())?.id;
        const known = before === undefined ? [] : await conversations.thread(before);
        await write(channel, phone, text);
        await answer();
        const all = await conversations.thread((await find()).id);
        return all
          .filter(({ id, direction, kind }) => direction === "out" && kind === "text" && !known.some((one) => one.id === id))
          .map((message) => message.text);
      },
      thread: async () => conversations.thread((await find()).id),
    };
  }

  const sessionsOf = async (agent: { id: string }, filter = ""): Promise<Json[]> =>
    (await call("GET", `/agents/${agent.id}/sessions?limit=100${filter}`)).body.data;
  const sessionOf = async (id: string): Promise<Json> => (await call("GET", `/sessions/${id}`)).body;

  return { ...conversations, newAgent, answer, talk, sessionsOf, sessionOf };
}
