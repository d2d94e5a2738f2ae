import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { OpenChannel } from "../../src/features/inbox/channels/index.ts";
import { addOutgoing, lockConversation } from "../../src/features/inbox/conversations/index.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { conversationsOf, newChannel } from "../harness/conversations.ts";
import { sized } from "../harness/size.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let partner: TestPartner;
let channel: OpenChannel;
let humans: string[];
const { call, begun, get, send, thread } = conversationsOf(world, () => partner);

const AGENT = "agt_1";

beforeAll(async () => {
  partner = await world.newPartner();
  channel = await newChannel(world, partner, (await world.newClient(partner)).id);
  await world.db.sql("update channels set agent_id = $2 where id = $1", [channel.id, AGENT]);
  humans = [partner.key, await world.newKey(partner)];
});

/** What a person does, under the token that it saw or without looking. */
const deed = fc.record({
  what: fc.constantFrom("reply", "aside", "takeover", "return", "handoff", "close"),
  looks: fc.boolean(),
});
const deeds = fc.array(deed, { maxLength: 5 });

/** Messages that leave the conversation to its owner. */
const asides = new Set<string>();

async function act(id: string, key: string, { what, looks }: { what: string; looks: boolean }): Promise<void> {
  const token = looks ? { owner_token: (await get(id)).owner_token } : {};
  if (what === "reply") await send(id, { text: "Hi", ...token }, key);
  else if (what === "aside") asides.add((await send(id, { text: "Hi", keep_owner: true, ...token }, key)).body.id);
  else if (what === "close") await call("POST", `/conversations/${id}/close`, undefined, key);
  else await call("POST", `/conversations/${id}/${what}`, what === "handoff" ? { to: "human", ...token } : token, key);
}

/** A turn of the agent: it looks, thinks for a while, and answers under the token that it began with. Returns what it said by token. */
async function turn(id: string, thinks: number): Promise<[message_id: string, token: number] | null> {
  const { owner_kind, owner_token, status } = await get(id);
  if (owner_kind !== "agent" || status === "closed") return null;
  for (let round = 0; round < thinks; round += 1) await get(id);
  const principal = { type: "system", partner_id: partner.partner_id, as: { type: "agent", id: AGENT } } as const;
  const ctx = createContext(world.app.services, { principal });
  try {
    const { message } = await ctx.tx(async (tx) =>
      addOutgoing(ctx, tx, await lockConversation(ctx, tx, id), { text: "I", owner_token }),
    );
    return [message.id, owner_token];
  } catch (error) {
    expect(error).toMatchObject({ code: "owner_changed" });
    return null;
  }
}

/** The owner and the token that each message leaves, by what the thread says. */
function replay(messages: readonly Json[], said: ReadonlyMap<string, number>) {
  let owner: [kind: string, id: string | null] = ["none", null];
  let token = 1;
  const own = (kind: string, id: string | null) => {
    if (kind !== owner[0] || id !== owner[1]) token += 1;
    owner = [kind, id];
  };
  for (const { id, kind, author, event } of messages) {
    if (kind === "event") {
      if (event.type === "closed") own("none", null);
      else if (event.owner_kind !== undefined) own(event.owner_kind, event.owner_id);
    } else if (author.type === "agent") expect([owner, token]).toEqual([["agent", AGENT], said.get(id)]);
    else if (author.type === "key" && !asides.has(id) && (owner[0] !== "human" || owner[1] === null)) own("human", author.id);
  }
  return { owner, token };
}

test("two people and an agent at once: one owner, and no answer of the agent after another took over", async () => {
  await fc.assert(
    fc.asyncProperty(deeds, deeds, fc.array(fc.nat(3), { minLength: 1, maxLength: 5 }), async (first, second, thinking) => {
      const { id } = await begun(channel);
      await call("POST", `/conversations/${id}/return`);
      const said = new Map<string, number>();
      const people = [first, second].map(async (all, index) => {
        for (const one of all) await act(id, humans[index] ?? "", one);
      });
      const agent = (async () => {
        for (const thinks of thinking) {
          const answer = await turn(id, thinks);
          if (answer !== null) said.set(...answer);
        }
      })();
      await Promise.all([...people, agent]);
      const messages = await thread(id);
      expect(messages.map(({ ordinal }) => ordinal)).toEqual(messages.map((_, index) => index + 1));
      const { owner, token } = replay(messages, said);
      const { owner_kind, owner_id, owner_token } = await get(id);
      expect([owner, token]).toEqual([[owner_kind, owner_id], owner_token]);
      await call("DELETE", `/conversations/${id}`);
    }),
    { numRuns: sized(10, 1000) },
  );
});
