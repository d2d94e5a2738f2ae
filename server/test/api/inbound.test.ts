import { beforeAll, describe, expect, test } from "vitest";
import type { OpenChannel } from "../../src/features/inbox/channels/index.ts";
import { conversationJobs } from "../../src/features/inbox/conversations/jobs.ts";
import { newId } from "../../src/kernel/ids.ts";
import { conversationsOf, newChannel } from "../harness/conversations.ts";
import { ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { type Json, keptDaysAgo, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let partner: TestPartner;
let account_id: string;
let channel: OpenChannel;
const hold = useHolds(() => world.db.connect());
const { call, write, begun, get, send, thread } = conversationsOf(world, () => partner);

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
  channel = await newChannel(world, partner, account_id);
});

const DAY_MS = 86_400_000;
const conversationsWith = async (address: string): Promise<Json[]> =>
  (await call("GET", `/conversations?channel_id=${channel.id}&limit=100`)).body.data.filter(
    (one: Json) => one.address === address,
  );

async function runJob(name: string): Promise<string> {
  const { db } = world.app.services;
  const job = conversationJobs(world.app.services, "03:00").find((one) => one.name === name);
  return job?.run({ db, owner: db, clock: world.clock }) ?? "no such job";
}

describe("a message of a person", () => {
  test("is stored once, however many copies come at the same time", async () => {
    const from = nextPhone();
    await Promise.all(Array.from({ length: 1000 }, () => write(channel, from, "Hello", { provider_id: "SM-copies" })));
    const [conversation, ...others] = await conversationsWith(from);
    expect(others).toEqual([]);
    expect(conversation).toMatchObject({ unread: 1, status: "open", owner_kind: "none" });
    expect(conversation.waiting_since).not.toBeNull();
    const [message, ...more] = await thread(conversation.id);
    expect(more).toEqual([]);
    expect(message).toMatchObject({ ordinal: 1, direction: "in", status: "received", text: "Hello", provider_id: "SM-copies" });
    expect(message.author).toEqual({ type: "contact", id: conversation.contact_id, name: "Ada Okafor" });
  });

  test("is stored once, even if another process stores a copy at the same time", async () => {
    const from = nextPhone();
    const { id } = await begun(channel, from);
    const held = await hold("select from conversations where partner_id = $1 and id = $2 for no key update", [
      partner.partner_id,
      id,
    ]);
    const copy = write(channel, from, "Twice", { provider_id: "SM-elsewhere" });
    await untilWaiting(world.db.sql, ROW_LOCKS, 1);
    await world.db.sql(
      `insert into messages (partner_id, id, account_id, conversation_id, channel_id, ordinal, direction, kind, author_type, author_id, text,
         status, status_at, provider_id, created_at)
       select partner_id, $2, account_id, conversation_id, channel_id, 9, direction, kind, author_type, author_id, 'Once', status, status_at,
         'SM-elsewhere', created_at
       from messages where conversation_id = $1`,
      [id, newId("message", Date.now())],
    );
    await held.release();
    await copy;
    expect((await thread(id)).map(({ text }) => text)).toEqual(["Hello", "Once"]);
    expect((await get(id)).unread).toBe(1);
  });

  test("joins the one open conversation of its sender, at the next ordinal", async () => {
    const from = nextPhone();
    await Promise.all(Array.from({ length: 20 }, (_, index) => write(channel, from, `No. ${index}`)));
    const [conversation, ...others] = await conversationsWith(from);
    expect([others, conversation.unread]).toEqual([[], 20]);
    const ordinals = (await thread(conversation.id)).map(({ ordinal }) => ordinal);
    expect(ordinals).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    await send(conversation.id, { text: "One at a time, please" });
    expect(await get(conversation.id)).toMatchObject({ unread: 0, waiting_since: null });
  });

  test("is of the contact with the phone, the oldest where they share it, or of a new contact", async () => {
    const from = nextPhone();
    const contact = await world.newContact(partner, { account_id, phone: from, name: "Grace Hopper" });
    expect((await begun(channel, from)).contact_id).toBe(contact.id);
    const stranger = nextPhone();
    await write(channel, stranger, "Hi", { profile: { phone: stranger } });
    const [conversation] = await conversationsWith(stranger);
    expect((await call("GET", `/contacts/${conversation.contact_id}`)).body).toMatchObject({ name: stranger, phone: stranger });
    const { id: sharing } = await world.newClient(partner);
    await call("PATCH", "/contacts/settings", { account_id: sharing, shared_phones: true });
    const phone = nextPhone();
    const [oldest, younger] = [
      await world.newContact(partner, { account_id: sharing, phone }),
      await world.newContact(partner, { account_id: sharing, phone }),
    ];
    const shared = await newChannel(world, partner, sharing);
    expect((await begun(shared, phone)).contact_id).toBe(oldest.id);
    const other = await newChannel(world, partner, sharing);
    await call("POST", "/conversations", { channel_id: other.id, contact_id: younger.id });
    expect((await begun(other, phone)).contact_id).toBe(younger.id);
  });

  test("was received when its provider says, and never later than now", async () => {
    const from = nextPhone();
    const now = world.clock.now();
    const [earlier, later] = [-60_000, 60_000].map((ms) => new Date(now.getTime() + ms));
    for (const at of [earlier, later]) await write(channel, from, "Hello", { at: at ?? now });
    const [conversation] = await conversationsWith(from);
    const times = (await thread(conversation.id)).map(({ status_at }) => status_at);
    expect(times).toEqual([earlier?.toISOString(), now.toISOString()]);
  });

  test("of somebody who was deleted is of a new person, in the same conversation", async () => {
    const api = await newChannel(world, partner, account_id, "api");
    for (const [on, from, profile, kind] of [
      [channel, nextPhone(), {}, "contact"],
      [api, "visitor-2", { profile: { external_id: "visitor-2" } }, "lead"],
    ] as const) {
      await write(on, from, "Hi", profile);
      const one = async () => (await call("GET", `/conversations?channel_id=${on.id}&limit=100`)).body.data[0];
      const first = await one();
      expect((await call("DELETE", `/${kind}s/${first[`${kind}_id`]}`)).status).toBe(204);
      await write(on, from, "Hi again", profile);
      const second = await one();
      expect([second.id, second.unread]).toEqual([first.id, 2]);
      expect([null, first[`${kind}_id`]]).not.toContain(second[`${kind}_id`]);
    }
  });

  test("is of a lead where there is no phone, even if custom fields are required", async () => {
    const { id } = await world.newClient(partner);
    for (const resource of ["contact", "lead"])
      await call("POST", "/custom-fields", {
        account_id: id,
        resource,
        key: "size",
        label: "Size",
        type: "text",
        required: true,
      });
    const api = await newChannel(world, partner, id, "api");
    await write(api, "visitor-1", "Hi", { profile: { email: "Ada@test.example", external_id: "visitor-1" } });
    const { body } = await call("GET", `/conversations?channel_id=${api.id}`);
    const { body: lead } = await call("GET", `/leads/${body.data[0].lead_id}`);
    expect(lead).toMatchObject({ name: "Ada@test.example", email: "Ada@test.example", external_id: "visitor-1" });
    expect(lead.source.kind).toBe("api");
    const phone = nextPhone();
    expect((await begun(await newChannel(world, partner, id), phone)).contact_id).not.toBeNull();
  });

  test("reopens a conversation for seven days, and later begins another", async () => {
    const from = nextPhone();
    const say = (text: string, thread = "b") => write(channel, from, text, { thread });
    await say("Elsewhere", "a");
    await say("Hello");
    const [first] = await conversationsWith(from);
    await call("POST", `/conversations/${first.id}/close`);
    world.clock.advance(7 * DAY_MS);
    await say("One more thing");
    expect(await get(first.id)).toMatchObject({ status: "open", closed_at: null, unread: 1 });
    await call("POST", `/conversations/${first.id}/close`);
    world.clock.advance(7 * DAY_MS + 1);
    await say("Long ago");
    const [second] = await conversationsWith(from);
    expect(second).toMatchObject({ previous_id: first.id, contact_id: first.contact_id, status: "open" });
    const reopened = await call("POST", `/conversations/${first.id}/reopen`);
    expect([reopened.body.code, reopened.body.existing_id]).toEqual(["duplicate_conversation", second.id]);
    await call("DELETE", `/conversations/${second.id}`);
    await say("Hello again");
    expect((await conversationsWith(from))[0]).toMatchObject({ previous_id: second.id });
  });

  test("is kept for suspended clients, too", async () => {
    await world.db.sql("update clients set status = 'suspended' where id = $1", [account_id]);
    expect((await begun(channel)).unread).toBe(1);
    await world.db.sql("update clients set status = 'active' where id = $1", [account_id]);
  });

  test("that is STOP ends what is sent to its address, until START", async () => {
    const from = nextPhone();
    const { id, contact_id } = await begun(channel, from);
    const consent = async () => (await call("GET", `/contacts/${contact_id}/consent`)).body.sms;
    await write(channel, from, "stop it");
    expect((await consent()).status).toBe("unknown");
    await write(channel, from, " Stop ");
    expect(await consent()).toMatchObject({ status: "denied", source: "Keyword STOP" });
    expect((await send(id, { text: "Wait" })).body.code).toBe("recipient_opted_out");
    await call("DELETE", `/contacts/${contact_id}`);
    await world.newContact(partner, { account_id, phone: from });
    expect((await send(id, { text: "Wait" })).body.code).toBe("recipient_opted_out");
    await write(channel, from, "START");
    expect((await send(id, { text: "Welcome back" })).status).toBe(201);
  });

  test("is in the change feed, and not in the audit log", async () => {
    const feed = "/changes?resource=conversation&resource=message";
    const { body: start } = await call("GET", `${feed}&after=end`);
    const { id } = await begun(channel);
    await write(channel, (await get(id)).address, "More");
    const { body } = await call("GET", `${feed}&after=${start.next_cursor}`);
    const [first, second] = (await thread(id)).map((message) => message.id);
    expect(body.data.map(({ resource, id, change, version }: Json) => [resource, id, change, version])).toEqual([
      ["conversation", id, "created", 1],
      ["message", first, "created", 1],
      ["message", second, "created", 1],
    ]);
    expect(await world.db.sql("select 1 from audit_entries where target = any ($1)", [[id, first, second]])).toEqual([]);
    const reader = await world.newKey(partner, { scopes: ["events:read"] });
    expect((await call("GET", "/changes?resource=message", undefined, reader)).body.code).toBe("insufficient_scope");
  });

  test("loses what the database cannot store, and keeps its files", async () => {
    const bytes = Buffer.alloc(300 * 1024, "x");
    const from = nextPhone();
    await write(channel, from, "a\0b\ud800", { attachments: [{ name: "big.txt", media_type: "text/plain", bytes }] });
    const [conversation] = await conversationsWith(from);
    const [message] = await thread(conversation.id);
    expect(message.text).toBe("ab\ufffd");
    const [file] = message.attachments;
    expect(file).toMatchObject({ name: "big.txt", bytes: bytes.length });
    const { text, headers } = await call("GET", `/attachments/${file.id}`);
    expect(text).toBe(bytes.toString());
    expect(headers).toMatchObject({ "content-type": "application/octet-stream", "x-content-type-options": "nosniff" });
  });
});

test("a message to a lead that became a contact is refused where the contact does not want it", async () => {
  const lead = await world.newLead(partner, { account_id, phone: nextPhone() });
  const { body: conversation } = await call("POST", "/conversations", { channel_id: channel.id, lead_id: lead.id });
  const { body: converted } = await call("POST", `/leads/${lead.id}/convert`);
  expect((await send(conversation.id, { text: "Hello" })).status).toBe(201);
  await call("PUT", `/contacts/${converted.contact.id}/consent`, { sms: { status: "denied" } });
  expect((await send(conversation.id, { text: "Hello?" })).body.code).toBe("recipient_opted_out");
});

test("a snooze ends at its time, and a conversation returns to its agent", async () => {
  const { id } = await begun(channel);
  await call("POST", `/conversations/${id}/snooze`, { until: new Date(world.clock.now().getTime() + DAY_MS).toISOString() });
  const other = await begun(channel);
  await world.db.sql("update channels set agent_id = 'agt_1' where id = $1", [channel.id]);
  await call("POST", `/conversations/${other.id}/handoff`, { to: "human", return_after_minutes: 60 });
  expect((await send(other.id, { text: "I take it" })).status).toBe(201);
  expect(await runJob("conversations_due")).toBe("0 snoozes ended, 0 conversations returned");
  world.clock.advance(DAY_MS);
  expect(await runJob("conversations_due")).toBe("1 snoozes ended, 1 conversations returned");
  expect(await get(id)).toMatchObject({ status: "open", snoozed_until: null });
  expect(await get(other.id)).toMatchObject({ owner_kind: "agent", owner_id: "agt_1", owner_token: 4, return_at: null });
  const snoozed = await begun(channel);
  await call("POST", `/conversations/${snoozed.id}/snooze`, { until: "2030-01-01T00:00:00Z" });
  await write(channel, snoozed.address, "Hello?");
  expect(await get(snoozed.id)).toMatchObject({ status: "open", snoozed_until: null });
});

describe("an attachment", () => {
  const upload = (filename: string, body: Buffer, more = "") =>
    call("POST", `/attachments?filename=${filename}&account_id=${account_id}${more}`, body, partner.key, {
      "content-type": "application/octet-stream",
    });

  test("is uploaded, sent with a message and downloaded as it was", async () => {
    const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, index) => index % 251));
    const { status, body: file } = await upload("b%C3%BCro%22.png", bytes, "&media_type=image/png");
    expect([status, file.bytes, file.message_id, file.name]).toEqual([201, bytes.length, null, 'büro".png']);
    const { id } = await begun(channel);
    const see = { text: "See this", attachment_ids: [file.id] };
    const refusalOf = async (conversation_id: string, body: object) => (await send(conversation_id, body)).body.errors?.[0].code;
    const on = async (kind: OpenChannel["kind"]) => (await begun(await newChannel(world, partner, account_id, kind))).id;
    expect(await refusalOf(await on("webchat"), see)).toBe("not_of_channel");
    const two = { ...see, attachment_ids: [file.id, (await upload("b.png", bytes)).body.id] };
    expect(await refusalOf(await on("whatsapp"), two)).toBe("too_many");
    const { body: message } = await send(id, see);
    const shown = [{ id: file.id, name: 'büro".png', media_type: "image/png", bytes: bytes.length }];
    expect((await call("GET", `/messages/${message.id}`)).body.attachments).toEqual(shown);
    expect(await refusalOf(id, see)).toBe("unknown_attachment");
    await call("DELETE", `/messages/${message.id}`);
    const { body: again } = await call("POST", `/messages/${message.id}/retry`);
    expect(again.attachments).toEqual([{ ...shown[0], id: expect.not.stringMatching(file.id) }]);
    const download = (id: string) =>
      world.app.http.inject({ url: `/v1/attachments/${id}`, headers: { authorization: `Bearer ${partner.key}` } });
    const reply = await download(file.id);
    for (const { rawPayload } of [reply, await download(again.attachments[0].id)]) expect(rawPayload.equals(bytes)).toBe(true);
    expect(reply.headers["content-type"]).toBe("image/png");
    expect(reply.headers["content-disposition"]).toBe(`inline; filename="b_ro_.png"; filename*=UTF-8''b%C3%BCro%22.png`);
    const bound = await world.newKey(partner, { clients: [(await world.newClient(partner)).id] });
    expect((await call("GET", `/attachments/${file.id}`, undefined, bound)).status).toBe(404);
    const html = (await upload("page.html", Buffer.from("<script>"), "&media_type=text/html")).body;
    const served = await call("GET", `/attachments/${html.id}`);
    expect(served.headers["content-disposition"]).toMatch(/^attachment;/);
    expect(served.headers["content-security-policy"]).toBe("default-src 'none'; sandbox");
  });

  test("has at most 10 MiB, and all of an account 5 GiB", async () => {
    expect((await upload("big.bin", Buffer.alloc(10 * 1024 * 1024 + 1))).status).toBe(413);
    expect((await upload("none.bin", Buffer.alloc(0))).status).toBeGreaterThanOrEqual(400);
    const { id } = await begun(channel);
    const { body: sent } = await upload("sent.bin", Buffer.from("1"));
    const { body: message } = await send(id, { text: "See this", attachment_ids: [sent.id] });
    await call("DELETE", `/messages/${message.id}`);
    const { body: file } = await upload("one.bin", Buffer.from("1"));
    await world.db.sql(
      "update attachments set bytes = $2 - (select sum(bytes) from attachments where account_id = $3) where id = $1",
      [file.id, 5 * 1024 ** 3, account_id],
    );
    const refused = await upload("two.bin", Buffer.from("22"));
    expect([refused.status, refused.body.code]).toEqual([409, "storage_limit_reached"]);
    await upload("last.bin", Buffer.from("1"));
    const again = await call("POST", `/messages/${message.id}/retry`);
    expect([again.status, again.body.code]).toEqual([409, "storage_limit_reached"]);
    await world.db.sql("update attachments set bytes = bytes - 1 where id = $1", [file.id]);
    const attachments = [{ name: "x.txt", media_type: "text/plain", bytes: Buffer.from("x") }];
    const senders = [nextPhone(), nextPhone(), nextPhone()];
    await Promise.all(senders.map((from) => write(channel, from, "See this", { attachments })));
    const threads = await Promise.all(senders.map(async (from) => thread((await conversationsWith(from))[0].id)));
    expect(
      threads
        .flat()
        .map((one) => [one.attachments.length, one.dropped_attachments])
        .sort(),
    ).toEqual([
      [0, 1],
      [0, 1],
      [1, 0],
    ]);
    const left = await world.db.sql(
      "select 1 from attachment_chunks c where not exists (select from attachments a where a.id = c.attachment_id)",
    );
    expect(left).toEqual([]);
    await world.db.sql("update attachments set bytes = 1 where id = $1", [file.id]);
  });

  test("is deleted after a day without a message", async () => {
    const [old, young] = [(await upload("old.bin", Buffer.from("1"))).body, (await upload("young.bin", Buffer.from("1"))).body];
    const made = "update attachments set created_at = $2 where id = $1";
    await world.db.sql(made, [old.id, keptDaysAgo(world, 25 / 24)]);
    await world.db.sql(made, [young.id, keptDaysAgo(world, 23 / 24)]);
    expect(await runJob("attachment_retention")).toMatch(/^[1-9]\d* unused files deleted$/);
    const replies = [await call("GET", `/attachments/${old.id}`), await call("GET", `/attachments/${young.id}`)];
    expect(replies.map(({ status }) => status)).toEqual([404, 200]);
    expect(await world.db.sql("select 1 from attachment_chunks where attachment_id = $1", [old.id])).toEqual([]);
  });
});

test("a file at a place that must not be reached is left out, and the message is kept", async () => {
  const from = nextPhone();
  await write(channel, from, "", { media: [{ url: "http://127.0.0.1:1/secret", media_type: "image/png", name: null }] });
  const [{ id }] = await conversationsWith(from);
  expect(await thread(id)).toMatchObject([{ text: "", attachments: [], dropped_attachments: 1 }]);
});

describe("an erasure", () => {
  test("reaches messages, files and addresses, and what waits is not sent", async () => {
    const from = nextPhone();
    await write(channel, from, "My secret", {
      attachments: [{ name: "s.txt", media_type: "text/plain", bytes: Buffer.from("x") }],
    });
    const [{ id, contact_id }] = await conversationsWith(from);
    await send(id, { text: "Your secret" });
    await send(id, { text: "Another one" });
    await send(id, { text: "Later", scheduled_at: new Date(world.clock.now().getTime() + DAY_MS).toISOString() });
    await call("PATCH", `/conversations/${id}`, { subject: "Secret", tags: ["secret"] });
    await write(channel, from, "More of it");
    const [received, queued, called] = await thread(id);
    await world.db.sql("update messages set status = 'sending' where id = $1", [called.id]);
    await world.db.sql(
      `insert into message_attempts (partner_id, message_id, number, started_at, duration_ms, outcome, code, detail)
       values ($1, $2, 1, now(), 5, 'passing', '503', $3)`,
      [partner.partner_id, called.id, `${from} cannot be reached.`],
    );
    const { body: start } = await call("GET", "/changes?after=end");
    await call("POST", `/contacts/${contact_id}/erase`);
    const told = (await call("GET", `/changes?after=${start.next_cursor}`)).body.data.map((one: Json) => [one.id, one.change]);
    for (const erased of [id, received.id, queued.id, called.id]) expect(told).toContainEqual([erased, "erased"]);
    const nothing = { subject: null, tags: [], owner_kind: "none", owner_id: null, unread: 0, waiting_since: null };
    expect(await get(id)).toMatchObject({ status: "closed", address: `erased_${id}`, ...nothing });
    for (const message of await thread(id)) expect(message).toMatchObject({ provider_id: null, attachments: [] });
    expect((await thread(id)).map(({ text, status }) => [text, status])).toEqual([
      ["", "received"],
      ["", "cancelled"],
      ["", "failed"],
      ["", "cancelled"],
      ["", "received"],
    ]);
    expect(await world.db.sql("select code, detail from message_attempts where message_id = $1", [called.id])).toEqual([
      { code: "503", detail: null },
    ]);
    expect((await call("GET", `/attachments/${received.attachments[0].id}`)).status).toBe(404);
    expect(await world.db.sql("select 1 from message_sends where message_id = $1", [queued.id])).toEqual([]);
    expect((await begun(channel, from)).contact_id).not.toBe(contact_id);
  });

  test("a contact with a conversation is not undone with its lead's conversion", async () => {
    const lead = await world.newLead(partner, { account_id, phone: nextPhone() });
    const { body } = await call("POST", `/leads/${lead.id}/convert`);
    await call("POST", "/conversations", { channel_id: channel.id, contact_id: body.contact.id });
    const undone = await call("POST", `/leads/${lead.id}/unconvert`);
    expect([undone.status, undone.body.reason]).toEqual([409, "contact_in_use"]);
  });
});
