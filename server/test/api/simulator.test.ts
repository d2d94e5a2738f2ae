import type { AddressInfo } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

let origin = "http://tributary.test";
const world = useWorld({ egress: "development", baseUrl: () => origin }, "all");
let partner: TestPartner;
let account_id: string;

beforeAll(async () => {
  await world.app.http.listen({ port: 0, host: "127.0.0.1" });
  origin = `http://127.0.0.1:${(world.app.http.server.address() as AddressInfo).port}`;
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
});

const call = (method: string, path: string, body?: object) => world.call(method, `/v1${path}`, { key: partner.key, body });

async function newPhone(name: string, faults: object) {
  const { body: channel } = await call("POST", "/channels", { account_id, kind: "simulator", name, config: { faults } });
  const path = channel.hook_path.replace("/hooks/", "/simulator/");
  const write = async (text: string, from = "+15550100001") => {
    const reply = await fetch(`${origin}${path}/messages`, { method: "POST", body: JSON.stringify({ from, text, name: "Kim" }) });
    expect([reply.status, await reply.text()]).toEqual([201, expect.any(String)]);
  };
  const conversations = async () => (await call("GET", `/conversations?channel_id=${channel.id}`)).body.data as Json[];
  return { channel, write, conversations };
}

async function statusOf(message_id: string, wanted: string): Promise<Json> {
  for (;;) {
    const { body } = await call("GET", `/messages/${message_id}`);
    if (body.status === wanted) return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test("a person writes, is answered, and stops", async () => {
  const { write, conversations } = await newPhone("Reliable", {});
  await write("Are you open?");
  const [conversation] = await conversations();
  expect(conversation).toMatchObject({
    address: "+15550100001",
    status: "open",
    unread: 1,
    contact_id: expect.stringMatching(/^con_/),
  });
  const { body: answer } = await call("POST", `/conversations/${conversation.id}/messages`, { text: "Until six." });
  await statusOf(answer.id, "delivered");
  await write("STOP");
  const refused = await call("POST", `/conversations/${conversation.id}/messages`, { text: "See you" });
  expect([refused.status, refused.body.code]).toEqual([409, "recipient_opted_out"]);
  await write("START");
  const { body: again } = await call("POST", `/conversations/${conversation.id}/messages`, { text: "Welcome back" });
  await statusOf(again.id, "delivered");
});

test("what is repeated and out of order is stored once and ends right", async () => {
  const { write, conversations } = await newPhone("Unreliable", { duplicate: 1, reorder: 1, seed: 7 });
  await write("Hello?");
  const [conversation, ...others] = await conversations();
  expect(others).toEqual([]);
  const { body: answer } = await call("POST", `/conversations/${conversation.id}/messages`, { text: "Hello!" });
  await statusOf(answer.id, "delivered");
  const { body } = await call("GET", `/conversations/${conversation.id}/messages`);
  const texts = body.data.filter(({ kind }: Json) => kind === "text").map(({ text }: Json) => text);
  expect(texts.toSorted()).toEqual(["Hello!", "Hello?"]);
});
