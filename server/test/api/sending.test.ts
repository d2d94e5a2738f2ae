import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { netOf } from "../../src/features/inbox/channels/index.ts";
import {
  cancelSend,
  createSendingEngine,
  type SendingEngine,
  type SendingOptions,
  sendingJobs,
  settleStatus,
} from "../../src/features/inbox/conversations/sending/index.ts";
import { withIndexOrder } from "../../src/platform/db/connection.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { createLimiter } from "../../src/platform/limits/limiter.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { type Received, type Receiver, startReceiver, status } from "../harness/receiver.ts";
import {
  configOf,
  insertChannel,
  insertConversation,
  messageRow,
  outcomesOf,
  queueMessage,
  type TestChannel,
  type TestConversation,
} from "../harness/sending.ts";
import { ADMIN, BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const world = useWorld({ egress: "development" }, "api");

let provider: Receiver;
let partner: TestPartner;
let account_id: string;
const engines: SendingEngine[] = [];

beforeAll(async () => {
  provider = await startReceiver();
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.stop()));
});
afterAll(() => provider.close());

/** An engine with connections of its own, as a worker has them. */
function start(options: Partial<SendingOptions> = {}): SendingEngine {
  const { services } = world.app;
  const db = openDatabase(withIndexOrder(world.db.service), 4);
  const rules = {
    limiter: createLimiter(services.db),
    net: () => netOf(services),
    delayed: (error: unknown) => void faults.push(error),
    options: { poll_ms: 20, ...options },
  };
  const engine = createSendingEngine({ ...services, db }, rules);
  const stop = () => engine.stop().then(() => db.close());
  engines.push({ ...engine, stop });
  engine.start();
  return engine;
}
const faults: unknown[] = [];
afterEach(() => expect(faults).toEqual([]));

let paths = 0;
type Fields = { partner?: TestPartner; account_id?: string; per_minute?: number };

/** A channel whose provider is a path of the receiver's; `path` is where its messages arrive. */
async function newChannel(kind: "api" | "sms" | "whatsapp", fields: Fields = {}): Promise<TestChannel & { path: string }> {
  paths += 1;
  const { path, config, secrets } = configOf(kind, `${provider.origin}/${paths}`);
  const owner = { partner_id: (fields.partner ?? partner).partner_id, account_id: fields.account_id ?? account_id };
  const { per_minute = 100_000 } = fields;
  const channel = await insertChannel(world.db.sql, world.app.services.sealer, { ...owner, kind, config, secrets, per_minute });
  return { ...channel, path };
}

const newConversation = (channel: TestChannel, person_id: string | null = null) =>
  insertConversation(world.db.sql, channel, { person_id, now: world.clock.now() });
const queue = (conversation: TestConversation, fields: object = {}) =>
  queueMessage(world.db.sql, conversation, { now: world.clock.now(), ...fields });
const rowOf = (id: string) => messageRow(world.db.sql, id);
const untilStatus = (id: string, wanted: string): Promise<Json> =>
  eventually(`the message to be ${wanted}`, async () => {
    const row = await rowOf(id);
    return row.status === wanted ? row : null;
  });
const sendRow = async (id: string): Promise<Json> =>
  (await world.db.sql("select * from message_sends where message_id = $1", [id]))[0] ?? null;
const untilAttempts = (id: string, count: number) =>
  eventually(`${count} attempts`, async () => {
    const outcomes = await outcomesOf(world.db.sql, id);
    const row = await sendRow(id);
    return outcomes.length === count && (row === null || row.claimed_by === null) ? outcomes : null;
  });
const textOf = ({ body }: Received): string =>
  body.toString().startsWith("{") ? JSON.parse(body.toString()).text : (new URLSearchParams(body.toString()).get("Body") ?? "");

/** Answers like Twilio, with ids in the order of arrival. */
const twilio = (sid: string) => status(201, { "content-type": "application/json" }, JSON.stringify({ sid }));
const report = (channel: TestChannel, fields: object) =>
  settleStatus(world.app.services, channel as never, { type: "status", at: world.clock.now(), ...fields } as never);

describe("a message", () => {
  test("is marked before the provider sees it, and sent with the provider's id", async () => {
    const channel = await newChannel("sms");
    const id = await queue(await newConversation(channel));
    let seen: Json = null;
    provider.answer(channel.path, async (response) => {
      seen = { ...(await rowOf(id)), ...(await sendRow(id)) };
      twilio("SM1")(response, undefined as never, undefined as never);
    });
    start();
    const row = await untilStatus(id, "sent");
    expect(seen).toMatchObject({ status: "sending", attempts: 1, claimed_by: expect.any(String), version: 2 });
    expect(row).toMatchObject({ provider_id: "SM1", error: null, version: 4 });
    expect([await outcomesOf(world.db.sql, id), await sendRow(id)]).toEqual([["accepted"], null]);
    const changes = await world.db.sql("select change, subject_version from change_feed where subject = $1 order by 2", [id]);
    expect(changes).toEqual([2, 4].map((subject_version) => ({ change: "updated", subject_version })));
  });

  test("waits for those before it in its conversation, and overtakes what waits for over a minute", async () => {
    const channel = await newChannel("api");
    const conversation = await newConversation(channel);
    const texts = ["one", "two", "three", "four"];
    for (const text of texts) await queue(conversation, { text });
    start({ retry_delays_ms: [10_000, 300_000] });
    await eventually("all to arrive", () => (provider.at(channel.path).length === 4 ? true : null));
    expect(provider.at(channel.path).map(textOf)).toEqual(texts);

    provider.answer(channel.path, (response, received, request) =>
      status(textOf(received) === "five" ? 503 : 204)(response, received, request),
    );
    const five = await queue(conversation, { text: "five" });
    await untilAttempts(five, 1);
    const six = await queue(conversation, { text: "six" });
    const other = await queue(await newConversation(channel), { text: "other" });
    await untilStatus(other, "sent");
    expect((await rowOf(six)).status).toBe("queued");
    world.clock.advance(15_000);
    await untilStatus(six, "sent");
    expect(await untilAttempts(five, 2)).toEqual(["passing", "passing"]);
  });

  test("is sent once by two engines", async () => {
    const channel = await newChannel("api");
    const conversations = await Promise.all(Array.from({ length: 12 }, () => newConversation(channel)));
    const ids: string[] = [];
    for (const conversation of [...conversations, ...conversations]) ids.push(await queue(conversation));
    start();
    start();
    for (const id of ids) await untilStatus(id, "sent");
    const arrived = provider.at(channel.path).map(({ headers }) => headers["webhook-id"]);
    expect(arrived.toSorted()).toEqual(ids.toSorted());
  });

  test("that is scheduled is sent at its time, and can be cancelled until then", async () => {
    const channel = await newChannel("api");
    const at = new Date(world.clock.now().getTime() + 3_600_000);
    const conversation = await newConversation(channel);
    const [kept, cancelled, behind] = [
      await queue(conversation, { at }),
      await queue(conversation, { at }),
      await queue(conversation),
    ];
    start();
    await untilStatus(behind, "sent");
    const ctx = createContext(world.app.services, { principal: { type: "system", partner_id: partner.partner_id } });
    const cancel = (id: string) => ctx.tx((tx) => cancelSend(tx, { partner_id: partner.partner_id, id }));
    expect(await cancel(cancelled)).toEqual({ id: cancelled, account_id, version: 2 });
    world.clock.advance(3_600_000);
    await untilStatus(kept, "sent");
    expect([await cancel(kept), (await rowOf(cancelled)).status, await sendRow(cancelled)]).toEqual([null, "cancelled", null]);
    expect(provider.at(channel.path)).toHaveLength(2);
  });
});

describe("a failure that passes", () => {
  test("is retried after its delays, later where the provider asks for it, and given up in the end", async () => {
    const channel = await newChannel("api");
    provider.answer(channel.path, status(429, { "retry-after": "120" }));
    const id = await queue(await newConversation(channel));
    start({ circuit: { window_ms: 1, attempts_min: 99, failed_share: 1, probe_first_ms: 1, probe_max_ms: 1 } });
    await untilAttempts(id, 1);
    const wait_ms = (await sendRow(id)).next_at.getTime() - world.clock.now().getTime();
    expect(wait_ms).toBe(120_000);
    expect((await rowOf(id)).status).toBe("sending");
    for (let attempts = 1; attempts < 6; attempts += 1) {
      await untilAttempts(id, attempts);
      world.clock.advance(3 * 3_600_000);
    }
    const row = await untilStatus(id, "failed");
    expect(row.error).toMatchObject({ code: "http_429" });
    expect([(await outcomesOf(world.db.sql, id)).length, await sendRow(id)]).toEqual([6, null]);
  });

  test("of most messages opens the circuit of the channel: only probes are sent until one succeeds", async () => {
    const channel = await newChannel("api");
    provider.answer(channel.path, status(503));
    const ids: string[] = [];
    for (let index = 0; index < 8; index += 1) ids.push(await queue(await newConversation(channel)));
    const circuit = { window_ms: 300_000, attempts_min: 3, failed_share: 0.7, probe_first_ms: 30_000, probe_max_ms: 30_000 };
    start({ circuit, flow: { start: 1, slow_ms: 3_000, samples: 40 } });
    await eventually("the circuit to open", () => (provider.at(channel.path).length >= 3 ? true : null));
    const other = await queue(await newConversation(await newChannel("api")));
    await untilStatus(other, "sent");
    expect(provider.at(channel.path)).toHaveLength(3);
    provider.answer(channel.path, status(204));
    world.clock.advance(40_000);
    for (const id of ids) await untilStatus(id, "sent");
  });
});

describe("a failure that stays", () => {
  test("fails the message with the provider's words", async () => {
    const channel = await newChannel("sms");
    const refusal = JSON.stringify({ code: 21211, message: "The 'To' number is not a valid phone number." });
    provider.answer(channel.path, status(400, {}, refusal));
    const id = await queue(await newConversation(channel));
    start();
    const { error } = await untilStatus(id, "failed");
    expect(error).toEqual({ code: "21211", detail: "The 'To' number is not a valid phone number." });
    expect(await sendRow(id)).toBeNull();
  });

  test("of the configuration keeps messages queued and stops the channel until it is repaired", async () => {
    const channel = await newChannel("sms");
    provider.answer(channel.path, status(401, {}, JSON.stringify({ code: 20003, message: "Authenticate" })));
    const conversation = await newConversation(channel);
    const [first, second] = [await queue(conversation), await queue(conversation)];
    start();
    await untilAttempts(first, 1);
    const [stored] = await world.db.sql<Json>("select status, last_error from channels where id = $1", [channel.id]);
    expect(stored).toMatchObject({ status: "error", last_error: { code: "20003" } });
    expect([(await rowOf(first)).status, (await rowOf(second)).status]).toEqual(["queued", "queued"]);
    provider.answer(channel.path, (response, received, request) =>
      twilio(`SM-${textOf(received)}-${provider.received.length}`)(response, received, request),
    );
    await world.db.sql("update channels set status = 'active' where id = $1", [channel.id]);
    await untilStatus(second, "sent");
    expect(await outcomesOf(world.db.sql, first)).toEqual(["config", "accepted"]);
  });

  test("because the person does not want messages denies consent, and later ones are not even tried", async () => {
    const contact = await world.newContact(partner, { account_id });
    const channel = await newChannel("sms");
    provider.answer(channel.path, status(400, {}, JSON.stringify({ code: 21610, message: "Unsubscribed recipient" })));
    const conversation = await newConversation(channel, contact.id);
    const [first, second] = [await queue(conversation), await queue(conversation)];
    start();
    expect((await untilStatus(first, "failed")).error).toMatchObject({ code: "21610" });
    expect((await untilStatus(second, "failed")).error).toMatchObject({ code: "recipient_opted_out" });
    expect(provider.at(channel.path)).toHaveLength(1);
    const [row] = await world.db.sql<Json>("select consent from contacts where id = $1", [contact.id]);
    expect(row.consent.sms.status).toBe("denied");
  });
});

describe("what stays parked", () => {
  test("until the channel, the account and the partner are active: the rest is sent meanwhile", async () => {
    const others = await world.newPartner();
    const client = await world.newClient(others);
    const [paused, suspended] = [await newChannel("api"), await newChannel("api", { partner: others, account_id: client.id })];
    const ids = await Promise.all([paused, suspended].map(async (channel) => queue(await newConversation(channel))));
    await world.db.sql("update channels set status = 'paused' where id = $1", [paused.id]);
    await world.call("POST", `${BASE}/clients/${client.id}/suspend`, { key: others.key, body: {} });
    start();
    await untilStatus(await queue(await newConversation(await newChannel("api"))), "sent");
    expect(await Promise.all(ids.map(async (id) => (await rowOf(id)).status))).toEqual(["queued", "queued"]);
    await world.db.sql("update channels set status = 'active' where id = $1", [paused.id]);
    const operator = await world.newOperator();
    await world.call("POST", `${ADMIN}/partners/${others.partner_id}/suspend`, { key: operator, body: { reason: "Invoices" } });
    await world.db.sql("update clients set status = 'active', suspended_at = null where id = $1", [client.id]);
    await untilStatus(ids[0] ?? "", "sent");
    expect((await rowOf(ids[1] ?? "")).status).toBe("queued");
    await world.db.sql("update partners set status = 'active' where id = $1", [others.partner_id]);
    await untilStatus(ids[1] ?? "", "sent");
  });

  test("a closed reply window and an archived channel fail the message at its turn", async () => {
    const whatsapp = await newChannel("whatsapp");
    const archived = await newChannel("api");
    const ids = await Promise.all([whatsapp, archived].map(async (channel) => queue(await newConversation(channel))));
    await world.db.sql("update channels set status = 'paused', archived_at = now() where id = $1", [archived.id]);
    world.clock.advance(25 * 3_600_000);
    start();
    expect((await untilStatus(ids[0] ?? "", "failed")).error.code).toBe("reply_window_closed");
    expect((await untilStatus(ids[1] ?? "", "failed")).error.code).toBe("channel_archived");
  });

  test("what is over the rate of its channel, whichever process sends it", async () => {
    const channel = await newChannel("api", { per_minute: 1 });
    const ids = [await queue(await newConversation(channel)), await queue(await newConversation(channel))];
    start();
    start();
    const statuses = () => Promise.all(ids.map(async (id) => (await rowOf(id)).status));
    await eventually("one to be sent", async () => ((await statuses()).includes("sent") ? true : null));
    await untilStatus(await queue(await newConversation(await newChannel("api"))), "sent");
    expect([(await statuses()).toSorted(), provider.at(channel.path).length]).toEqual([["queued", "sent"], 1]);
  });
});

test("the backlog of a partner does not hold back another's message", async () => {
  const channel = await newChannel("api");
  provider.answer(channel.path, (response) => void setTimeout(() => response.writeHead(204).end(), 50));
  const ids: string[] = [];
  for (let index = 0; index < 40; index += 1) ids.push(await queue(await newConversation(channel)));
  const others = await world.newPartner();
  const other = await newChannel("api", { partner: others, account_id: (await world.newClient(others)).id });
  const id = await queue(await newConversation(other));
  start({ slots: 2 });
  await untilStatus(id, "sent");
  expect(provider.at(channel.path).length).toBeLessThan(30);
  for (const one of ids) await untilStatus(one, "sent");
});

describe("a claim that ran out", () => {
  /** As a process leaves a message that was killed during the call. */
  async function lose(id: string): Promise<void> {
    const now = world.clock.now();
    await world.db.sql("update messages set status = 'sending', version = 2 where id = $1", [id]);
    await world.db.sql(
      "update message_sends set attempts = 1, claimed_by = 'dead.1', claimed_until = $2, next_at = $2 where message_id = $1",
      [id, now],
    );
  }

  test("asks the provider: what it has is sent, what it has not is sent again", async () => {
    const channel = await newChannel("sms");
    const there = await queue(await newConversation(channel), { text: "There" });
    const absent = await queue(await newConversation(channel), { text: "Absent" });
    const messages = [{ body: "There", direction: "outbound-api", date_created: new Date(world.clock.now()).toUTCString() }];
    const to = (id: string) =>
      world.db.sql<Json>("select c.address from conversations c join messages m on m.conversation_id = c.id where m.id = $1", [
        id,
      ]);
    for (const id of [there, absent]) {
      const [{ address }] = (await to(id)) as [Json];
      provider.answer(
        `${channel.path}?${new URLSearchParams({ To: address, PageSize: "50" })}`,
        status(200, {}, JSON.stringify({ messages })),
      );
      await lose(id);
    }
    provider.answer(channel.path, twilio("SM2"));
    start();
    await untilStatus(there, "sent");
    expect((await untilStatus(absent, "sent")).provider_id).toBe("SM2");
    expect(provider.at(channel.path).map(textOf)).toEqual(["Absent"]);
    expect(await outcomesOf(world.db.sql, there)).toEqual(["lost", "confirmed"]);
    expect(await outcomesOf(world.db.sql, absent)).toEqual(["lost", "accepted"]);
  });

  test("is sent again at once with the same key where the provider knows keys", async () => {
    const channel = await newChannel("api");
    const id = await queue(await newConversation(channel));
    await lose(id);
    start();
    await untilStatus(id, "sent");
    expect(provider.at(channel.path).map(({ headers }) => headers["webhook-id"])).toEqual([id]);
  });

  test("waits two minutes for a report where nobody can be asked", async () => {
    const channel = await newChannel("whatsapp");
    const answer = JSON.stringify({ messages: [{ id: "wamid.2" }] });
    provider.answer(channel.path, status(200, { "content-type": "application/json" }, answer));
    const [reported, silent] = [await queue(await newConversation(channel)), await queue(await newConversation(channel))];
    for (const id of [reported, silent]) await lose(id);
    start();
    for (const id of [reported, silent]) expect(await untilAttempts(id, 1)).toEqual(["lost"]);
    await report(channel, { provider_id: "wamid.1", message_id: reported, status: "delivered" });
    expect(provider.at(channel.path)).toEqual([]);
    world.clock.advance(130_000);
    await untilStatus(silent, "sent");
    expect(await rowOf(reported)).toMatchObject({ status: "delivered", provider_id: "wamid.1" });
    expect(provider.at(channel.path)).toHaveLength(1);
  });
});

test("a call without an answer is asked for before it is repeated", async () => {
  const channel = await newChannel("sms");
  const conversation = await newConversation(channel);
  provider.answer(channel.path, (_response, _received, request) => void request.socket.destroy());
  const id = await queue(conversation, { text: "Twice?" });
  start();
  expect(await untilAttempts(id, 1)).toEqual(["passing"]);
  const [row] = await world.db.sql<Json>("select address from conversations where id = $1", [conversation.id]);
  const messages = [{ body: "Twice?", direction: "outbound-api", date_created: world.clock.now().toUTCString() }];
  const listing = new URLSearchParams({ To: row.address, PageSize: "50" });
  provider.answer(`${channel.path}?${listing}`, status(200, {}, JSON.stringify({ messages })));
  world.clock.advance(15_000);
  await untilStatus(id, "sent");
  expect(await outcomesOf(world.db.sql, id)).toEqual(["passing", "confirmed"]);
  expect(provider.at(channel.path)).toHaveLength(1);
});

describe("reports of a provider", () => {
  test("that come before the answer to the call are kept for it", async () => {
    const channel = await newChannel("sms");
    provider.answer(channel.path, async (response, received, request) => {
      await report(channel, { provider_id: "SM7", status: "delivered" });
      await report(channel, { provider_id: "SM7", status: "sent" });
      twilio("SM7")(response, received, request);
    });
    const id = await queue(await newConversation(channel));
    start();
    expect(await untilStatus(id, "delivered")).toMatchObject({ provider_id: "SM7" });
    expect(await world.db.sql("select 1 from parked_statuses where provider_id = 'SM7'")).toEqual([]);
  });

  test("bring a message forward only, in any order and however often", async () => {
    const channel = await newChannel("sms");
    provider.answer(channel.path, twilio("SM8"));
    const id = await queue(await newConversation(channel));
    start();
    await untilStatus(id, "sent");
    for (const status of ["read", "delivered", "failed", "sent", "read"]) await report(channel, { provider_id: "SM8", status });
    expect((await rowOf(id)).status).toBe("read");
    const changes = await world.db.sql("select 1 from change_feed where subject = $1", [id]);
    expect(changes).toHaveLength(3);
  });

  test("of an opt-out deny consent, also when they come first", async () => {
    const contact = await world.newContact(partner, { account_id });
    const channel = await newChannel("whatsapp");
    provider.answer(channel.path, status(200, {}, JSON.stringify({ messages: [{ id: "wamid.9" }] })));
    await report(channel, { provider_id: "wamid.9", status: "failed", code: "131050", detail: "Stopped", opted_out: true });
    const id = await queue(await newConversation(channel, contact.id));
    start();
    expect((await untilStatus(id, "failed")).error).toEqual({ code: "131050", detail: "Stopped" });
    const [row] = await world.db.sql<Json>("select consent from contacts where id = $1", [contact.id]);
    expect(row.consent.whatsapp.status).toBe("denied");
  });

  test("about nobody's message are dropped after three days", async () => {
    const channel = await newChannel("sms");
    await report(channel, { provider_id: "SM-unknown", message_id: "msg_unknown", status: "sent" });
    const [job] = sendingJobs(world.app.services, "03:00");
    const run = () => job?.run({ db: world.app.services.db, owner: world.app.services.db, clock: world.clock });
    expect(await run()).toBe("0 parked statuses deleted");
    world.clock.advance(3 * 86_400_000 + 1);
    expect(await run()).toMatch(/^[1-9]\d* parked statuses deleted$/);
  });
});

test("a stop waits for the calls under way, and claims nothing more", async () => {
  const channel = await newChannel("api");
  const answers: (() => void)[] = [];
  provider.answer(channel.path, (response) => void answers.push(() => response.writeHead(204).end()));
  const conversation = await newConversation(channel);
  const [first, second] = [await queue(conversation), await queue(conversation)];
  const engine = start();
  await eventually("the call", () => (answers.length === 1 ? true : null));
  const stopped = engine.stop();
  answers[0]?.();
  await stopped;
  expect([(await rowOf(first)).status, (await rowOf(second)).status]).toEqual(["sent", "queued"]);
});
