import { createHmac, randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { chatOf, SHOP } from "../harness/chat.ts";
import type { EventReader } from "../harness/event-stream.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

const IDENTITY_SECRET = "an identity secret".replaceAll(" ", "-");
const DAY_MS = 86_400_000;

const world = useWorld({ heartbeat_ms: 300 }, "api");
const readers: EventReader[] = [];
let partner: TestPartner;
let account_id: string;
let base_url: string;
let made = 0;

beforeAll(async () => {
  base_url = await world.app.http.listen({ host: "127.0.0.1", port: 0 });
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
});
afterEach(async () => {
  for (const reader of readers.splice(0)) {
    reader.close();
    await reader.ended;
  }
});

const api = (method: string, path: string, body?: unknown) => world.call(method, `/v1${path}`, { key: partner.key, body });
const codeOf = ({ status, body }: { status: number; body: Json }) => [status, body?.code];

async function newChat(config: object = {}) {
  made += 1;
  const given = { config: { origins: [SHOP], ...config }, secrets: { identity_secret: IDENTITY_SECRET } };
  const { status, body: channel } = await api("POST", "/channels", {
    account_id,
    kind: "webchat",
    name: `Chat ${made}`,
    ...given,
  });
  expect([status, channel]).toMatchObject([201, { kind: "webchat", status: "active", secrets_set: true }]);
  const conversations = async (): Promise<Json[]> => (await api("GET", `/conversations?channel_id=${channel.id}`)).body.data;
  return {
    channel,
    ...chatOf(() => base_url, channel),
    conversations,
    /** The team answers in the only conversation. */
    async reply(text: string, more: object = {}) {
      const [conversation] = await conversations();
      return api("POST", `/conversations/${conversation.id}/messages`, { text, ...more });
    },
  };
}

async function listening(opening: Promise<EventReader>): Promise<EventReader> {
  const reader = await opening;
  readers.push(reader);
  return reader;
}

const said = ({ messages }: EventReader) => messages.map(({ data }) => `${data.from}: ${data.text}`);

describe("a web chat", () => {
  test("is a channel with a path of its own, and secrets that nobody has to give", async () => {
    const created = await api("POST", "/channels", { account_id, kind: "webchat", name: "Bare chat" });
    expect([created.status, created.body]).toMatchObject([201, { secrets_set: true, config: {} }]);
    expect(created.body.hook_path).toMatch(/^\/chat\/[0-9A-Za-z]{13}$/);
    expect((await api("POST", `/channels/${created.body.id}/test`)).body).toMatchObject({ ok: true, status: "active" });
    for (const origins of [["https://shop.example/"], ["shop.example"], ["https://Shop.example"], ["*"], [SHOP, SHOP]]) {
      const refused = await api("PATCH", `/channels/${created.body.id}`, { config: { origins } });
      expect([origins, ...codeOf(refused)]).toEqual([origins, 422, "validation_failed"]);
    }
    const hook = await fetch(base_url + created.body.hook_path.replace("/chat/", "/hooks/"), { method: "POST", body: "x" });
    expect(hook.status).toBe(401);
    expect((await api("DELETE", `/channels/${created.body.id}`)).status).toBe(204);
    const gone = await chatOf(() => base_url, created.body).call("POST", "/sessions");
    expect(codeOf(gone)).toEqual([404, "not_found"]);
  });

  test("says whether somebody is there and when that changes, by the hours of the channel", async () => {
    const chat = await newChat();
    const all_day = [{ from: "00:00", to: "24:00" }];
    const patch = async (hours: object) =>
      expect((await api("PATCH", `/channels/${chat.channel.id}`, { hours, timezone: "Europe/Berlin" })).status).toBe(200);
    const team = async () => (await chat.visit()).session.channel.team;
    await patch({ mon: all_day, tue: all_day, wed: all_day, thu: all_day, fri: all_day, sat: all_day, sun: all_day });
    expect(await team()).toEqual({ open: true, changes_at: null });
    await patch({});
    expect(await team()).toEqual({ open: false, changes_at: null });
    await patch({ mon: [{ from: "09:00", to: "09:01" }] });
    const { open, changes_at } = await team();
    expect([typeof open, new Date(changes_at).getUTCDay()]).toEqual(["boolean", 1]);
  });

  test("carries messages both ways: those of the team are sent once they are stored", async () => {
    const chat = await newChat({ title: "Harbour Bikes", greeting: "How can we help?", color: "#114488" });
    const visitor = await chat.visit();
    expect(visitor.session.channel).toEqual({
      title: "Harbour Bikes",
      greeting: "How can we help?",
      color: "#114488",
      position: "right",
      team: null,
    });
    expect(await visitor.thread()).toEqual([]);
    expect(await chat.conversations()).toEqual([]);
    const written = await visitor.write("Do you have the blue one?");
    expect(written.status).toBe(200);
    const [conversation] = await chat.conversations();
    expect(conversation).toMatchObject({ channel_kind: "webchat", unread: 1, lead_id: expect.any(String), contact_id: null });
    expect((await api("GET", `/leads/${conversation.lead_id}`)).body).toMatchObject({
      name: "Website visitor",
      source: { kind: "chat" },
      external_id: conversation.address,
    });
    const reply = await chat.reply("Yes, since this morning.");
    expect([reply.status, reply.body]).toMatchObject([201, { status: "sent", author: { type: "key" } }]);
    expect(await world.db.sql("select from message_sends where message_id = $1", [reply.body.id])).toEqual([]);
    await api("POST", `/conversations/${conversation.id}/notes`, { text: "Sold two last week" });
    await api("POST", `/conversations/${conversation.id}/close`);
    expect(await visitor.thread()).toEqual([
      {
        id: `${conversation.id}.1`,
        from: "visitor",
        text: "Do you have the blue one?",
        at: expect.any(String),
        client_message_id: written.body.client_message_id,
      },
      {
        id: `${conversation.id}.2`,
        from: "team",
        text: "Yes, since this morning.",
        at: expect.any(String),
        client_message_id: null,
      },
    ]);
    expect(written.body).toEqual((await visitor.thread())[0]);
  });

  test("stores a message once, however often and from wherever it is sent", async () => {
    const chat = await newChat();
    const [visitor, other] = [await chat.visit(), await chat.visit()];
    const id = randomUUID();
    const copies = await Promise.all(Array.from({ length: 20 }, () => visitor.write("Hello?", id)));
    expect(new Set(copies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await visitor.texts()).toEqual(["visitor: Hello?"]);
    expect(codeOf(await visitor.write("Something else", id))).toEqual([409, "duplicate_message"]);
    expect(codeOf(await other.write("Hello?", id))).toEqual([409, "duplicate_message"]);
    expect(await other.thread()).toEqual([]);
    for (const body of [
      { text: "x" },
      { client_message_id: "short", text: "x" },
      { client_message_id: randomUUID(), text: " " },
    ]) {
      expect(codeOf(await chat.call("POST", "/messages", { token: visitor.token, body }))).toEqual([422, "validation_failed"]);
    }
    expect(codeOf(await visitor.write("x".repeat(4_001)))).toEqual([422, "validation_failed"]);
  });

  test("goes on in the same conversation, and after a week in another one, which the visitor sees as one thread", async () => {
    const chat = await newChat();
    const visitor = await chat.visit();
    await visitor.write("One");
    const [first] = await chat.conversations();
    await api("POST", `/conversations/${first.id}/close`);
    await visitor.write("Two");
    await api("POST", `/conversations/${first.id}/close`);
    world.clock.advance(8 * DAY_MS);
    const reader = await listening(visitor.listen());
    await reader.until(2);
    await visitor.write("Three");
    await reader.until(3);
    expect(said(reader)).toEqual(["visitor: One", "visitor: Two", "visitor: Three"]);
    expect(await visitor.texts()).toEqual(["visitor: One", "visitor: Two", "visitor: Three"]);
    const [second] = await chat.conversations();
    expect(second).toMatchObject({ previous_id: first.id, lead_id: first.lead_id });
    const resumed = await listening(visitor.listen(reader.messages[0]?.id));
    await resumed.until(2);
    expect(said(resumed)).toEqual(["visitor: Two", "visitor: Three"]);
  });

  test("takes no message that is to be sent later, and none while it is paused", async () => {
    const chat = await newChat();
    const visitor = await chat.visit();
    await visitor.write("Hello");
    const later = new Date(world.clock.now().getTime() + DAY_MS).toISOString();
    expect((await chat.reply("Later", { scheduled_at: later })).body.errors).toMatchObject([{ code: "not_of_channel" }]);
    await api("PATCH", `/channels/${chat.channel.id}`, { status: "paused" });
    expect(codeOf(await chat.reply("Now"))).toEqual([409, "invalid_state_transition"]);
    expect((await visitor.write("Still there?")).status).toBe(200);
    await api("PATCH", `/channels/${chat.channel.id}`, { status: "active" });
    expect((await chat.reply("Yes")).status).toBe(201);
    expect(await visitor.texts()).toEqual(["visitor: Hello", "visitor: Still there?", "team: Yes"]);
  });

  test("shows long threads page by page", async () => {
    const chat = await newChat();
    const visitor = await chat.visit();
    for (let count = 1; count <= 55; count += 1) await visitor.write(`Line ${count}`);
    const { body: last } = await chat.call("GET", "/messages", { token: visitor.token });
    expect([last.has_more, last.data.length, last.data[0].text, last.data[49].text]).toEqual([true, 50, "Line 6", "Line 55"]);
    const { body: first } = await chat.call("GET", `/messages?before=${last.data[0].id}`, { token: visitor.token });
    expect([first.has_more, first.data.map(({ text }: Json) => text)]).toEqual([
      false,
      [1, 2, 3, 4, 5].map((count) => `Line ${count}`),
    ]);
    const reader = await listening(visitor.listen());
    await reader.until(55);
    expect(said(reader)).toEqual(Array.from({ length: 55 }, (_, index) => `visitor: Line ${index + 1}`));
  });
});

describe("the stream of a visitor", () => {
  test("has what is said as it is said, to this visitor alone, and goes on after the last message", async () => {
    const chat = await newChat();
    const [visitor, other] = [await chat.visit(), await chat.visit()];
    const [reader, deaf] = [await listening(visitor.listen()), await listening(other.listen())];
    await visitor.write("Anybody there?");
    await reader.until(1);
    await chat.reply("Yes");
    const [conversation] = await chat.conversations();
    await api("POST", `/conversations/${conversation.id}/notes`, { text: "A regular" });
    await chat.reply("How can I help?");
    await reader.until(3);
    expect(said(reader)).toEqual(["visitor: Anybody there?", "team: Yes", "team: How can I help?"]);
    expect(reader.messages.map(({ id, data }) => id === data.id)).toEqual([true, true, true]);
    const resumed = await listening(visitor.listen(reader.messages[0]?.id));
    await resumed.until(2);
    expect(said(resumed)).toEqual(["team: Yes", "team: How can I help?"]);
    await other.write("Me too");
    await deaf.until(1);
    expect(said(deaf)).toEqual(["visitor: Me too"]);
    expect(codeOf(await chat.call("GET", "/events?after=nonsense", { token: visitor.token }))).toEqual([400, "invalid_cursor"]);
  });

  test("ends with the channel, its epoch and its pages", async () => {
    for (const change of [{ config: { epoch: 1 } }, { config: { origins: [] } }, null]) {
      const chat = await newChat();
      const visitor = await chat.visit();
      const reader = await listening(visitor.listen());
      const changed =
        change === null
          ? await api("DELETE", `/channels/${chat.channel.id}`)
          : await api("PATCH", `/channels/${chat.channel.id}`, change);
      expect(changed.status).toBeLessThan(300);
      expect(await reader.ended).toBe("lost");
    }
  });
});

describe("nobody else", () => {
  test("gets in by a forged token, one of another channel, of an earlier epoch, or one that is too old", async () => {
    const [chat, other] = [await newChat(), await newChat()];
    const visitor = await chat.visit();
    await visitor.write("Mine");
    const stranger = (await other.visit()).token;
    const forged = [visitor.token.replace(/.$/, (last) => (last === "A" ? "B" : "A")), stranger, "x", "a.0.9999999999.b", " "];
    for (const token of [...forged, null]) {
      for (const [method, path] of [
        ["GET", "/messages"],
        ["GET", "/events"],
      ] as const)
        expect([token, ...codeOf(await chat.call(method, path, { token }))]).toEqual([token, 401, "invalid_visitor_token"]);
      if (token !== null) expect(codeOf(await chat.call("POST", "/sessions", { token }))).toEqual([401, "invalid_visitor_token"]);
    }
    await api("PATCH", `/channels/${chat.channel.id}`, { config: { epoch: 1 } });
    expect((await chat.call("GET", "/messages", { token: visitor.token })).status).toBe(401);
    await api("PATCH", `/channels/${chat.channel.id}`, { config: { epoch: 0 } });
    expect((await chat.call("GET", "/messages", { token: visitor.token })).status).toBe(200);
    world.clock.advance(60 * DAY_MS);
    const renewed = await chat.visit(visitor.token);
    expect(await renewed.texts()).toEqual(["visitor: Mine"]);
    world.clock.advance(60 * DAY_MS);
    expect((await chat.call("GET", "/messages", { token: visitor.token })).status).toBe(401);
    expect(await renewed.texts()).toEqual(["visitor: Mine"]);
  });

  test("gets in from a page that is not listed; our own pages are", async () => {
    const chat = await newChat();
    for (const origin of ["https://evil.example", "http://shop.example", "null", "https://shop.example.evil.example"]) {
      const refused = await chat.call("POST", "/sessions", { headers: { origin } });
      expect([origin, ...codeOf(refused)]).toEqual([origin, 403, "origin_not_allowed"]);
      const asked = await chat.call("OPTIONS", "/messages", { headers: { origin } });
      expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    }
    const bare = await fetch(`${base_url}${chat.channel.hook_path}/sessions`, { method: "POST" });
    expect(bare.status).toBe(403);
    const own = await fetch(`${base_url}${chat.channel.hook_path}/sessions`, {
      method: "POST",
      headers: { origin: "http://tributary.test" },
    });
    expect(own.status).toBe(200);
    const allowed = await chat.call("OPTIONS", "/messages");
    expect(allowed.status).toBe(204);
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      "access-control-allow-origin": SHOP,
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": "content-type, last-event-id, x-visitor-token",
      vary: "origin",
    });
    expect(codeOf(await chat.call("DELETE", "/messages"))).toEqual([405, "method_not_allowed"]);
  });
});

describe("who a visitor is", () => {
  const hashOf = (user_id: string, secret = IDENTITY_SECRET) => createHmac("sha256", secret).update(user_id).digest("hex");

  test("is proven by the account's own site; what the stranger wrote goes along, and another device has the same thread", async () => {
    const chat = await newChat();
    const identify = async (token: string | null, user_id: string, hash = hashOf(user_id)) =>
      chat.call("POST", "/identify", { token, body: { user_id, hash } });
    const visitor = await chat.visit();
    await visitor.write("Where is my order?");
    expect(codeOf(await identify(visitor.token, "4711", hashOf("4711", "a guess")))).toEqual([401, "invalid_signature"]);
    expect(codeOf(await identify(visitor.token, "4711", hashOf("4712")))).toEqual([401, "invalid_signature"]);
    const user = await chat.visit((await identify(visitor.token, "4711")).body.token);
    await user.write("Number 12");
    const elsewhere = await chat.visit((await identify(null, "4711")).body.token);
    expect(await elsewhere.texts()).toEqual(["visitor: Where is my order?", "visitor: Number 12"]);
    expect(await visitor.thread()).toEqual([]);
    const [conversation, ...others] = await chat.conversations();
    expect([conversation.address, others]).toEqual(["user:4711", []]);
    // Whoever signs in next on the same device takes nothing of it along.
    const next = await chat.visit((await identify(user.token, "4712")).body.token);
    expect(await next.thread()).toEqual([]);
    expect(await user.texts()).toHaveLength(2);
  });

  test("is not proven by an e-mail address: it fills the lead, and finds nobody", async () => {
    const chat = await newChat();
    const known = await world.newContact(partner, { account_id, email: "ada@customer.example" });
    const visitor = await chat.visit();
    await visitor.write("It is me, Ada", randomUUID(), { name: "Ada Okafor", email: "ada@customer.example" });
    const [conversation] = await chat.conversations();
    expect(conversation).toMatchObject({ contact_id: null, lead_id: expect.any(String) });
    expect((await api("GET", `/leads/${conversation.lead_id}`)).body).toMatchObject({
      name: "Ada Okafor",
      email: "ada@customer.example",
    });
    expect((await api("GET", `/contacts/${known.id}/messages`)).body.data).toEqual([]);
    const second = await chat.visit();
    await second.write("No, it is me", randomUUID(), { email: "ada@customer.example" });
    const newest = (await chat.conversations()).find(({ id }) => id !== conversation.id);
    expect(newest.lead_id).not.toBe(conversation.lead_id);
    expect((await api("GET", `/leads/${newest.lead_id}`)).body.email).toBeNull();
    expect(await second.texts()).toEqual(["visitor: No, it is me"]);
  });
});

test("what a visitor says about itself later fills the lead, replaces nothing, and tells nothing about others", async () => {
  const chat = await newChat();
  const [visitor, other] = [await chat.visit(), await chat.visit()];
  const introduce = (token: string, body: object) => chat.call("POST", "/profile", { token, body });
  const leadOf = async () => (await api("GET", `/leads/${(await chat.conversations())[0].lead_id}`)).body;
  expect(codeOf(await introduce(visitor.token, { name: "Ida Fern" }))).toEqual([404, "not_found"]);
  await visitor.write("Hello");
  for (const body of [{}, { email: "ida" }, { name: " " }, { name: "Ida", phone: "+15550100001" }])
    expect(codeOf(await introduce(visitor.token, body))).toEqual([422, "validation_failed"]);
  expect((await introduce(visitor.token, { name: "Ida Fern", email: "ida@customer.example" })).status).toBe(204);
  expect(await leadOf()).toMatchObject({ name: "Ida Fern", email: "ida@customer.example" });
  expect((await introduce(visitor.token, { name: "Eve", email: "eve@customer.example" })).status).toBe(204);
  expect(await leadOf()).toMatchObject({ name: "Ida Fern", email: "ida@customer.example" });
  await other.write("I am Ida");
  expect((await introduce(other.token, { name: "Ida", email: "ida@customer.example" })).status).toBe(204);
  expect(await leadOf()).toMatchObject({ name: "Ida", email: null });
});

test("what a visitor has read is read, and no further", async () => {
  const chat = await newChat();
  const [visitor, other] = [await chat.visit(), await chat.visit()];
  await visitor.write("Hello");
  const [one, two] = [(await chat.reply("One")).body, (await chat.reply("Two")).body];
  const seen = (await visitor.thread())[1];
  const statuses = () => Promise.all([one, two].map(async ({ id }) => (await api("GET", `/messages/${id}`)).body.status));
  expect((await other.read(seen.id)).status).toBe(204);
  expect(await statuses()).toEqual(["sent", "sent"]);
  expect((await visitor.read(seen.id)).status).toBe(204);
  expect((await visitor.read(seen.id)).status).toBe(204);
  expect(await statuses()).toEqual(["read", "sent"]);
  expect(codeOf(await visitor.read("nonsense"))).toEqual([400, "invalid_cursor"]);
});

test("the erasure of a visitor's lead leaves nothing to read", async () => {
  const chat = await newChat();
  const visitor = await chat.visit();
  await visitor.write("My secret");
  const [conversation] = await chat.conversations();
  const erased = await api("POST", `/leads/${conversation.lead_id}/erase`);
  expect(erased.status).toBeLessThan(300);
  expect(await visitor.thread()).toEqual([]);
});
