import { beforeAll, expect, test } from "vitest";
import { signatureHeaders } from "../../src/platform/crypto/webhook-signature.ts";
import { SECRET } from "../harness/channels.ts";
import { chatOf, SHOP } from "../harness/chat.ts";
import { useCluster } from "../harness/cluster.ts";
import type { EventReader } from "../harness/event-stream.ts";
import { sized } from "../harness/size.ts";
import type { Json } from "../harness/world.ts";

const cluster = useCluster(2);
let channel: Json;

beforeAll(async () => {
  const body = { kind: "webchat", name: "Chat of two processes", config: { origins: [SHOP] } };
  const created = await cluster.service(0).call("POST", "/v1/channels", { key: cluster.key, body });
  expect(created.status).toBe(201);
  channel = created.body;
});

const said = (...readers: EventReader[]) => readers.flatMap(({ messages }) => messages.map(({ data }) => data.text));

test("kill -9 of the visitor's process: it goes on at another one, and nothing is lost or doubled", async () => {
  const doomed = await cluster.start();
  const here = await chatOf(() => doomed.base_url, channel).visit();
  const reader = await here.listen();
  const id = "0123456789abcdef0123456789abcdef";
  await here.write("Hello", id);
  await reader.until(1);
  await doomed.kill();
  expect(await reader.ended).toBe("lost");
  const elsewhere = await chatOf(() => cluster.service(1).base_url, channel).visit(here.token);
  // The page does not know whether the first copy was stored.
  await elsewhere.write("Hello", id);
  const listed = await cluster.service(0).call("GET", `/v1/conversations?channel_id=${channel.id}`, { key: cluster.key });
  const path = `/v1/conversations/${listed.body.data[0].id}/messages`;
  expect((await cluster.service(0).call("POST", path, { key: cluster.key, body: { text: "Between" } })).status).toBe(201);
  const resumed = await elsewhere.listen(reader.lastId());
  expect((await cluster.service(0).call("POST", path, { key: cluster.key, body: { text: "After" } })).status).toBe(201);
  await resumed.until(2);
  expect(said(reader, resumed)).toEqual(["Hello", "Between", "After"]);
  expect((await elsewhere.thread()).map(({ text }) => text)).toEqual(["Hello", "Between", "After"]);
  resumed.close();
});

test("copies of a provider's message that come to both processes at once are stored once", async () => {
  const given = { kind: "api", name: "Copies", config: { url: "https://chat.test.example/" }, secrets: { secret: SECRET } };
  const call = (method: string, path: string, body?: object) =>
    cluster.service(0).call(method, `/v1${path}`, { key: cluster.key, body });
  const { body: api } = await call("POST", "/channels", given);
  const body = Buffer.from(JSON.stringify({ type: "message", id: "m-1", from: "visitor-7", name: "Kim", text: "Are you open?" }));
  const at_seconds = Math.floor(Date.now() / 1000);
  const signed = signatureHeaders({ brand: "Tributary", event_id: "m-1", secrets: [SECRET], body, at_seconds });
  const headers = { "content-type": "application/json", ...signed };
  const copies = Array.from({ length: sized(60, 1000) }, (_, index) =>
    fetch(`${cluster.service(index % 2).base_url}${api.hook_path}`, { method: "POST", headers, body }),
  );
  expect(new Set((await Promise.all(copies)).map((reply) => reply.status))).toEqual(new Set([200]));
  const { body: listed } = await call("GET", `/conversations?channel_id=${api.id}`);
  expect(listed.data).toMatchObject([{ unread: 1 }]);
  expect((await call("GET", `/conversations/${listed.data[0].id}/messages`)).body.data).toHaveLength(1);
});
