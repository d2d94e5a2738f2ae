import { describe, expect, test } from "vitest";
import { addOutgoing, lockConversation, receive } from "../../src/features/inbox/conversations/index.ts";
import { cancelSend } from "../../src/features/inbox/conversations/sending/index.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { status } from "../harness/receiver.ts";
import { textOf, twilio, useSendingStage } from "../harness/sending-stage.ts";
import { ADMIN, BASE, type Json } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const stage = useSendingStage();
const { world } = stage;

describe("a message", () => {
  test("is marked before the provider sees it, and sent with the provider's id", async () => {
    const channel = await stage.newChannel("sms");
    const id = await stage.queue(await stage.newConversation(channel));
    let seen: Json = null;
    stage.provider.answer(channel.path, async (response) => {
      seen = { ...(await stage.rowOf(id)), ...(await stage.sendRow(id)) };
      twilio("SM1")(response, undefined as never, undefined as never);
    });
    stage.start();
    const row = await stage.untilStatus(id, "sent");
    expect(seen).toMatchObject({ status: "sending", attempts: 1, claimed_by: expect.any(String), version: 2 });
    expect(row).toMatchObject({ provider_id: "SM1", error: null, version: 4 });
    expect([await stage.outcomes(id), await stage.sendRow(id)]).toEqual([["accepted"], null]);
    const changes = await world.db.sql("select change, subject_version from change_feed where subject = $1 order by 2", [id]);
    expect(changes).toEqual([2, 4].map((subject_version) => ({ change: "updated", subject_version })));
  });

  test("waits for those before it in its conversation, and overtakes what waits for over a minute", async () => {
    const channel = await stage.newChannel("api");
    const conversation = await stage.newConversation(channel);
    const texts = ["one", "two", "three", "four"];
    for (const text of texts) await stage.queue(conversation, { text });
    stage.start({ retry_delays_ms: [10_000, 300_000] });
    await eventually("all to arrive", () => (stage.provider.at(channel.path).length === 4 ? true : null));
    expect(stage.provider.at(channel.path).map(textOf)).toEqual(texts);

    stage.provider.answer(channel.path, (response, received, request) =>
      status(textOf(received) === "five" ? 503 : 204)(response, received, request),
    );
    const five = await stage.queue(conversation, { text: "five" });
    await stage.untilAttempts(five, 1);
    const six = await stage.queue(conversation, { text: "six" });
    const other = await stage.queue(await stage.newConversation(channel), { text: "other" });
    await stage.untilStatus(other, "sent");
    expect((await stage.rowOf(six)).status).toBe("queued");
    world.clock.advance(15_000);
    await stage.untilStatus(six, "sent");
    expect(await stage.untilAttempts(five, 2)).toEqual(["passing", "passing"]);
  });

  test("is sent once by two engines", async () => {
    const channel = await stage.newChannel("api");
    const conversations = await Promise.all(Array.from({ length: 12 }, () => stage.newConversation(channel)));
    const ids: string[] = [];
    for (const conversation of [...conversations, ...conversations]) ids.push(await stage.queue(conversation));
    stage.start();
    stage.start();
    for (const id of ids) await stage.untilStatus(id, "sent");
    const arrived = stage.provider.at(channel.path).map(({ headers }) => headers["webhook-id"]);
    expect(arrived.toSorted()).toEqual(ids.toSorted());
  });

  test("that is scheduled is sent at its time, and can be cancelled until then", async () => {
    const channel = await stage.newChannel("api");
    const at = new Date(world.clock.now().getTime() + 3_600_000);
    const conversation = await stage.newConversation(channel);
    const [kept, cancelled, behind] = [
      await stage.queue(conversation, { at }),
      await stage.queue(conversation, { at }),
      await stage.queue(conversation),
    ];
    stage.start();
    await stage.untilStatus(behind, "sent");
    const ctx = createContext(world.app.services, { principal: { type: "system", partner_id: stage.partner.partner_id } });
    const cancel = (id: string) => ctx.tx((tx) => cancelSend(tx, { partner_id: stage.partner.partner_id, id }));
    expect(await cancel(cancelled)).toEqual({ id: cancelled, account_id: stage.account_id, version: 2 });
    world.clock.advance(3_600_000);
    await stage.untilStatus(kept, "sent");
    expect([await cancel(kept), (await stage.rowOf(cancelled)).status, await stage.sendRow(cancelled)]).toEqual([
      null,
      "cancelled",
      null,
    ]);
    expect(stage.provider.at(channel.path)).toHaveLength(2);
  });
});

test("a file is fetched by the provider, by a link that is signed, expires, and is for saving", async () => {
  const channel = await stage.newChannel("sms");
  stage.provider.answer(channel.path, twilio("MM1"));
  const { id } = await stage.newConversation(channel);
  const { key } = stage.partner;
  const bytes = Buffer.from("<script>alert(1)</script>".repeat(20_000));
  const upload = `/v1/attachments?filename=page.html&media_type=text/html&account_id=${stage.account_id}`;
  const headers = { "content-type": "application/octet-stream" };
  const { body: file } = await world.call("POST", upload, { key, body: bytes, headers });
  const message = { text: "See this", attachment_ids: [file.id] };
  const { body: sent } = await world.call("POST", `/v1/conversations/${id}/messages`, { key, body: message });
  stage.start();
  await stage.untilStatus(sent.id, "sent");
  const form = new URLSearchParams(stage.provider.at(channel.path)[0]?.body.toString());
  const link = new URL(form.get("MediaUrl") ?? "");
  const path = link.pathname + link.search;
  const fetched = await world.app.http.inject({ url: path });
  expect([fetched.statusCode, fetched.rawPayload.equals(bytes)]).toEqual([200, true]);
  expect(fetched.headers).toMatchObject({
    "content-type": "text/html",
    "content-disposition": expect.stringMatching(/^attachment;/),
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
  });
  const statusOf = async (url: string) => (await world.app.http.inject({ url })).statusCode;
  for (const forged of [path.replace(/mac=./, "mac=_"), path.replace(/until=\d/, "until=9"), `${link.pathname}`])
    expect(await statusOf(forged)).toBe(404);
  world.clock.advance(6 * 3_600_000);
  expect(await statusOf(path)).toBe(404);
});

describe("a failure that passes", () => {
  test("is retried after its delays, later where the provider asks for it, and given up in the end", async () => {
    const channel = await stage.newChannel("api");
    stage.provider.answer(channel.path, status(429, { "retry-after": "120" }));
    const id = await stage.queue(await stage.newConversation(channel));
    stage.start({ circuit: { window_ms: 1, attempts_min: 99, failed_share: 1, probe_first_ms: 1, probe_max_ms: 1 } });
    await stage.untilAttempts(id, 1);
    const wait_ms = (await stage.sendRow(id)).next_at.getTime() - world.clock.now().getTime();
    expect(wait_ms).toBe(120_000);
    expect((await stage.rowOf(id)).status).toBe("sending");
    for (let attempts = 1; attempts < 6; attempts += 1) {
      await stage.untilAttempts(id, attempts);
      world.clock.advance(3 * 3_600_000);
    }
    const row = await stage.untilStatus(id, "failed");
    expect(row.error).toMatchObject({ code: "http_429" });
    expect([(await stage.outcomes(id)).length, await stage.sendRow(id)]).toEqual([6, null]);
  });

  test("of most messages opens the circuit of the channel: only probes are sent until one succeeds", async () => {
    const channel = await stage.newChannel("api");
    stage.provider.answer(channel.path, status(503));
    const ids: string[] = [];
    for (let index = 0; index < 8; index += 1) ids.push(await stage.queue(await stage.newConversation(channel)));
    const circuit = { window_ms: 300_000, attempts_min: 3, failed_share: 0.7, probe_first_ms: 30_000, probe_max_ms: 30_000 };
    stage.start({ circuit, flow: { start: 1, slow_ms: 3_000, samples: 40 } });
    await eventually("the circuit to open", () => (stage.provider.at(channel.path).length >= 3 ? true : null));
    const other = await stage.queue(await stage.newConversation(await stage.newChannel("api")));
    await stage.untilStatus(other, "sent");
    expect(stage.provider.at(channel.path)).toHaveLength(3);
    stage.provider.answer(channel.path, status(204));
    world.clock.advance(40_000);
    for (const id of ids) await stage.untilStatus(id, "sent");
  });
});

describe("a failure that stays", () => {
  test("fails the message with the provider's words", async () => {
    const channel = await stage.newChannel("sms");
    const refusal = JSON.stringify({ code: 21211, message: "The 'To' number is not a valid phone number." });
    stage.provider.answer(channel.path, status(400, {}, refusal));
    const id = await stage.queue(await stage.newConversation(channel));
    stage.start();
    const { error } = await stage.untilStatus(id, "failed");
    expect(error).toEqual({ code: "21211", detail: "The 'To' number is not a valid phone number." });
    expect(await stage.sendRow(id)).toBeNull();
  });

  test("of the configuration keeps messages queued and stops the channel until it is repaired", async () => {
    const channel = await stage.newChannel("sms");
    stage.provider.answer(channel.path, status(401, {}, JSON.stringify({ code: 20003, message: "Authenticate" })));
    const conversation = await stage.newConversation(channel);
    const [first, second] = [await stage.queue(conversation), await stage.queue(conversation)];
    stage.start();
    await stage.untilAttempts(first, 1);
    const [stored] = await world.db.sql<Json>("select status, last_error from channels where id = $1", [channel.id]);
    expect(stored).toMatchObject({ status: "error", last_error: { code: "20003" } });
    expect([(await stage.rowOf(first)).status, (await stage.rowOf(second)).status]).toEqual(["queued", "queued"]);
    // The refusal takes nothing of the attempts that the message has.
    expect((await stage.sendRow(first)).attempts).toBe(0);
    stage.provider.answer(channel.path, (response, received, request) =>
      twilio(`SM-${textOf(received)}-${stage.provider.received.length}`)(response, received, request),
    );
    await world.db.sql("update channels set status = 'active' where id = $1", [channel.id]);
    await stage.untilStatus(second, "sent");
    expect(await stage.outcomes(first)).toEqual(["config", "accepted"]);
  });

  test("because the person does not want messages denies consent, and later ones are not even tried", async () => {
    const contact = await world.newContact(stage.partner, { account_id: stage.account_id });
    const channel = await stage.newChannel("sms");
    stage.provider.answer(channel.path, status(400, {}, JSON.stringify({ code: 21610, message: "Unsubscribed recipient" })));
    const conversation = await stage.newConversation(channel, contact.id);
    const [first, second] = [await stage.queue(conversation), await stage.queue(conversation)];
    stage.start();
    expect((await stage.untilStatus(first, "failed")).error).toMatchObject({ code: "21610" });
    expect((await stage.untilStatus(second, "failed")).error).toMatchObject({ code: "recipient_opted_out" });
    expect(stage.provider.at(channel.path)).toHaveLength(1);
    const [row] = await world.db.sql<Json>("select consent from contacts where id = $1", [contact.id]);
    expect(row.consent.sms.status).toBe("denied");
  });
});

test("whoever opted out is sent nothing, by any way", async () => {
  const { key, partner_id } = stage.partner;
  const { account_id } = stage;
  const call = (method: string, path: string, body?: object) => world.call(method, `/v1${path}`, { key, body });
  const [channel, second] = [await stage.newChannel("sms"), await stage.newChannel("sms")];
  for (const { path } of [channel, second]) stage.provider.answer(path, twilio(`SM-${path}`));
  const contact = await world.newContact(stage.partner, { account_id });
  const { body: conversation } = await call("POST", "/conversations", { channel_id: channel.id, contact_id: contact.id });
  const messages = `/conversations/${conversation.id}/messages`;
  const hour = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
  const { body: scheduled } = await call("POST", messages, { text: "Later", scheduled_at: hour });
  const { body: recalled } = await call("POST", messages, { text: "Recalled", scheduled_at: hour });
  await call("DELETE", `/messages/${recalled.id}`);
  const { body: template } = await call("POST", "/message-templates", { account_id, name: "Hello", text: "Hello" });
  const stop = {
    type: "message",
    provider_id: "SM-stop",
    from: contact.phone,
    profile: { phone: contact.phone },
    text: "STOP",
  } as const;
  await receive(world.app.services, channel as never, [{ ...stop, attachments: [], at: world.clock.now() }]);

  const first = { channel_id: second.id, text: "Hi" };
  const ways = async () => [
    await call("POST", messages, { text: "Hi" }),
    await call("POST", messages, { text: "Hi", purpose: "transactional", keep_owner: true }),
    await call("POST", messages, { template_id: template.id }),
    await call("POST", messages, { text: "Hi", scheduled_at: hour }),
    await call("POST", `/messages/${recalled.id}/retry`),
    await call("POST", "/conversations", { ...first, address: contact.phone }),
  ];
  for (const { status, body } of [...(await ways()), await call("POST", "/conversations", { ...first, contact_id: contact.id })])
    expect([status, body.code]).toEqual([409, "recipient_opted_out"]);
  const ctx = createContext(world.app.services, { principal: { type: "system", partner_id } });
  const automatic = ctx.tx(async (tx) =>
    addOutgoing(ctx, tx, await lockConversation(ctx, tx, conversation.id), { text: "I", automatic: true }),
  );
  await expect(automatic).rejects.toMatchObject({ code: "recipient_opted_out" });
  await call("DELETE", `/contacts/${contact.id}`);
  await world.newContact(stage.partner, { account_id, phone: contact.phone });
  for (const { status, body } of await ways()) expect([status, body.code]).toEqual([409, "recipient_opted_out"]);

  world.clock.advance(3_600_000);
  stage.start();
  expect((await stage.untilStatus(scheduled.id, "failed")).error.code).toBe("recipient_opted_out");
  for (const { path } of [channel, second]) expect(stage.provider.at(path)).toEqual([]);
});

describe("what stays parked", () => {
  test("until the channel, the account and the partner are active: the rest is sent meanwhile", async () => {
    const others = await world.newPartner();
    const client = await world.newClient(others);
    const [paused, suspended] = [
      await stage.newChannel("api"),
      await stage.newChannel("api", { partner: others, account_id: client.id }),
    ];
    const ids = await Promise.all([paused, suspended].map(async (channel) => stage.queue(await stage.newConversation(channel))));
    await world.db.sql("update channels set status = 'paused' where id = $1", [paused.id]);
    await world.call("POST", `${BASE}/clients/${client.id}/suspend`, { key: others.key, body: {} });
    stage.start();
    await stage.untilStatus(await stage.queue(await stage.newConversation(await stage.newChannel("api"))), "sent");
    expect(await Promise.all(ids.map(async (id) => (await stage.rowOf(id)).status))).toEqual(["queued", "queued"]);
    await world.db.sql("update channels set status = 'active' where id = $1", [paused.id]);
    const operator = await world.newOperator();
    await world.call("POST", `${ADMIN}/partners/${others.partner_id}/suspend`, { key: operator, body: { reason: "Invoices" } });
    await world.db.sql("update clients set status = 'active', suspended_at = null where id = $1", [client.id]);
    await stage.untilStatus(ids[0] ?? "", "sent");
    expect((await stage.rowOf(ids[1] ?? "")).status).toBe("queued");
    await world.db.sql("update partners set status = 'active' where id = $1", [others.partner_id]);
    await stage.untilStatus(ids[1] ?? "", "sent");
  });

  test("a closed reply window and an archived channel fail the message at its turn", async () => {
    const whatsapp = await stage.newChannel("whatsapp");
    const archived = await stage.newChannel("api");
    const ids = await Promise.all([whatsapp, archived].map(async (channel) => stage.queue(await stage.newConversation(channel))));
    await world.db.sql("update channels set status = 'paused', archived_at = now() where id = $1", [archived.id]);
    world.clock.advance(25 * 3_600_000);
    stage.start();
    expect((await stage.untilStatus(ids[0] ?? "", "failed")).error.code).toBe("reply_window_closed");
    expect((await stage.untilStatus(ids[1] ?? "", "failed")).error.code).toBe("channel_archived");
  });

  test("what is over the rate of its channel, whichever process sends it", async () => {
    const channel = await stage.newChannel("api", { per_minute: 1 });
    const ids = [
      await stage.queue(await stage.newConversation(channel)),
      await stage.queue(await stage.newConversation(channel)),
    ];
    stage.start();
    stage.start();
    const statuses = () => Promise.all(ids.map(async (id) => (await stage.rowOf(id)).status));
    await eventually("one to be sent", async () => ((await statuses()).includes("sent") ? true : null));
    await stage.untilStatus(await stage.queue(await stage.newConversation(await stage.newChannel("api"))), "sent");
    expect([(await statuses()).toSorted(), stage.provider.at(channel.path).length]).toEqual([["queued", "sent"], 1]);
  });
});

test("the backlog of a partner does not hold back another's message", async () => {
  const channel = await stage.newChannel("api");
  stage.provider.answer(channel.path, (response) => void setTimeout(() => response.writeHead(204).end(), 50));
  const ids: string[] = [];
  for (let index = 0; index < 40; index += 1) ids.push(await stage.queue(await stage.newConversation(channel)));
  const others = await world.newPartner();
  const other = await stage.newChannel("api", { partner: others, account_id: (await world.newClient(others)).id });
  const id = await stage.queue(await stage.newConversation(other));
  stage.start({ slots: 2 });
  await stage.untilStatus(id, "sent");
  expect(stage.provider.at(channel.path).length).toBeLessThan(30);
  for (const one of ids) await stage.untilStatus(one, "sent");
});

test("a stop waits for the calls under way, and claims nothing more", async () => {
  const channel = await stage.newChannel("api");
  const answers: (() => void)[] = [];
  stage.provider.answer(channel.path, (response) => void answers.push(() => response.writeHead(204).end()));
  const conversation = await stage.newConversation(channel);
  const [first, second] = [await stage.queue(conversation), await stage.queue(conversation)];
  const engine = stage.start();
  await eventually("the call", () => (answers.length === 1 ? true : null));
  const stopped = engine.stop();
  answers[0]?.();
  await stopped;
  expect([(await stage.rowOf(first)).status, (await stage.rowOf(second)).status]).toEqual(["sent", "queued"]);
});
