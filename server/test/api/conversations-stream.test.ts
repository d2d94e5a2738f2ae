import { afterEach, beforeAll, expect, test } from "vitest";
import { ALL_SCOPES } from "../../src/kernel/scopes.ts";
import { conversationsOf, newChannel } from "../harness/conversations.ts";
import { type EventReader, openStream } from "../harness/event-stream.ts";
import { type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({ heartbeat_ms: 300 }, "api");
const readers: EventReader[] = [];
let base_url: string;
let partner: TestPartner;
const inbox = conversationsOf(world, () => partner);

beforeAll(async () => {
  base_url = await world.app.http.listen({ host: "127.0.0.1", port: 0 });
  partner = await world.newPartner();
});
afterEach(async () => {
  for (const reader of readers.splice(0)) {
    reader.close();
    await reader.ended;
  }
});

async function listen(key: string, query = "", headers: Record<string, string> = {}): Promise<EventReader> {
  const reader = await openStream(base_url, `/v1/conversations/stream?${query}`, { key, headers });
  readers.push(reader);
  return reader;
}

const told = ({ messages }: EventReader) => messages.map(({ event, data }) => `${event} ${data.id}`);

test("the inbox is told of conversations and messages as they are now, and goes on after the last one", async () => {
  const account = await world.newClient(partner);
  const channel = await newChannel(world, partner, account.id);
  const reader = await listen(partner.key);
  const begun = await inbox.begun(channel);
  await reader.until(2);
  const [first] = await inbox.thread(begun.id);
  expect(reader.messages.map(({ event, data }) => [event, data])).toEqual([
    ["conversation", await inbox.get(begun.id)],
    ["message", first],
  ]);
  const sent = await inbox.send(begun.id, { text: "Hello yourself" });
  await world.newContact(partner, { account_id: account.id });
  await reader.until(4);
  expect(told(reader).slice(2).toSorted()).toEqual([`conversation ${begun.id}`, `message ${sent.body.id}`]);
  expect(reader.messages.find(({ data }) => data.id === sent.body.id)?.data.text).toBe("Hello yourself");
  const resumed = await listen(partner.key, "", { "last-event-id": reader.messages[1]?.id ?? "" });
  await resumed.until(2);
  expect(told(resumed)).toEqual(told(reader).slice(2));
  // A reader that comes back after several changes is told of the record as it is now, once for all that are read together.
  for (const subject of ["One", "Two", "Three"]) await inbox.call("PATCH", `/conversations/${begun.id}`, { subject });
  const late = await listen(partner.key, `after=${reader.messages[3]?.id}`);
  await late.until(1);
  expect(late.messages.length).toBeLessThanOrEqual(3);
  for (const { event, data } of late.messages) expect([event, data.subject]).toEqual(["conversation", "Three"]);
});

test("a key is told of its accounts alone, and needs the scope", async () => {
  const [one, two] = [await world.newClient(partner), await world.newClient(partner)];
  const [of_one, of_two] = [await newChannel(world, partner, one.id), await newChannel(world, partner, two.id)];
  const streams = {
    all: await listen(partner.key),
    filtered: await listen(partner.key, `account_id=${one.id}`),
    bound: await listen(await world.newKey(partner, { clients: [two.id] })),
  };
  const [first, second] = [await inbox.begun(of_one), await inbox.begun(of_two)];
  await streams.all.until(4);
  await Promise.all([streams.filtered.until(2), streams.bound.until(2)]);
  expect(told(streams.filtered)[0]).toBe(`conversation ${first.id}`);
  expect(told(streams.bound)[0]).toBe(`conversation ${second.id}`);
  expect([streams.filtered.messages.length, streams.bound.messages.length]).toEqual([2, 2]);
  const blind = await world.newKey(partner, { scopes: ALL_SCOPES.filter((scope) => scope !== "conversations:read") });
  const refused = await listen(blind);
  expect([refused.status, refused.problem().required_scope]).toEqual([403, "conversations:read"]);
  const foreign = await listen((await world.newPartner()).key);
  expect(foreign.messages).toEqual([]);
  const other = await listen(partner.key, `account_id=${one.id}&after=${streams.all.lastId()}`);
  expect([other.status, other.problem().code]).toEqual([400, "invalid_cursor"]);
});
