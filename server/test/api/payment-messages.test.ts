import { beforeAll, describe, expect, test } from "vitest";
import { sendReminders } from "../../src/features/billing/payment-links/sending/reminders.commands.ts";
import { billingOf } from "../harness/billing.ts";
import { conversationsOf, newChannel } from "../harness/conversations.ts";
import { ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { BASE, GENERAL, type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const hold = useHolds(() => world.db.connect());
const DAY_MS = 86_400_000;
const LINKS = `${GENERAL}/billing/payment-links`;
let partner: TestPartner;
let account_id: string;
const billing = () => billingOf(world);
const { call, thread, write, get } = conversationsOf(world, () => partner);
const linkNow = (link: Json) => billing().get(partner, `/payment-links/${link.id}`);
const refusal = ({ status, body }: Json) => [status, body.errors?.[0]?.code ?? body.code];

let sms: Awaited<ReturnType<typeof newChannel>>;

beforeAll(async () => {
  partner = await world.newPartner({ company: "Harbour Dental" });
  await billing().newProvider(partner);
  account_id = (await billing().newLink(partner)).account_id;
  sms = await newChannel(world, partner, account_id, "sms");
});

/** A link for a new person with a phone. */
const newLink = (fields: object = {}) =>
  billing().newLink(partner, { customer: { name: "Ada Okafor", phone: nextPhone() }, ...fields });
const sent = (fields: object = {}) => newLink({ send: { channels: ["sms"] }, ...fields });
const send = (link: Json, body: object) => call("POST", `/billing/payment-links/${link.id}/send`, body);
const remind = (link: Json, body?: object) => call("POST", `/billing/payment-links/${link.id}/remind`, body);

describe("sending a payment link", () => {
  test("is a transactional message in the conversation with the customer, made together with the link", async () => {
    const link = await sent({ description: "Invoice 1", due_on: "2026-11-20" });
    expect(link).toMatchObject({ version: 1, deliveries: [{ channel: "sms", reminder: false, status: "queued" }] });
    const [{ message_id, conversation_id }] = link.deliveries;
    const [message, ...others] = await thread(conversation_id);
    expect(others).toEqual([]);
    expect(message).toMatchObject({ id: message_id, purpose: "transactional", direction: "out" });
    expect(message.text).toBe(`Harbour Dental asks you to pay $100.00 by November 20, 2026.\nInvoice 1\nPay here: ${link.url}`);
    expect(await get(conversation_id)).toMatchObject({ contact_id: link.contact_id, owner_kind: "none" });
  });

  test("again goes on in the same conversation, and says what is still to be paid, in the link's language", async () => {
    const link = await sent({ partial: {}, language: "de", due_on: "2026-12-01" });
    await billing().pay(link, { amount: "40" });
    const { status, body } = await send(link, { channels: ["sms"] });
    expect(status).toBe(200);
    const [first, second] = body.deliveries;
    expect(second.conversation_id).toBe(first.conversation_id);
    const words = (await thread(first.conversation_id)).map(({ text }) => text.replaceAll("\u00a0", " "));
    expect(words).toEqual([
      `Harbour Dental bittet Sie um die Zahlung von 100,00 $ bis zum 1. Dezember 2026.\nHier zahlen: ${link.url}`,
      `Harbour Dental bittet Sie um die Zahlung von 60,00 $ bis zum 1. Dezember 2026.\nHier zahlen: ${link.url}`,
    ]);
  });

  test("uses the conversation that the link is about, and leaves it to its owner", async () => {
    const from = nextPhone();
    await write(sms, from, "Can I pay by phone?");
    const { body } = await call("GET", `/conversations?channel_id=${sms.id}&limit=100`);
    const { id: conversation_id, contact_id } = body.data.find(({ address }: Json) => address === from);
    const link = await sent({ customer: contact_id, conversation_id });
    expect(link.deliveries[0].conversation_id).toBe(conversation_id);
    expect(await get(conversation_id)).toMatchObject({ owner_kind: "none" });
  });

  test("by template fills in the address, the amount and the day", async () => {
    const text = "Dear {{contact.first_name}}, {{link.amount}} until {{link.due_on|soon}}: {{link.url}}";
    const template = await call("POST", "/message-templates", { account_id, name: "Pay", channel: "any", text });
    expect(template.status, template.text).toBe(201);
    const link = await sent({ send: { channels: ["sms"], template_id: template.body.id } });
    const [message] = await thread(link.deliveries[0].conversation_id);
    expect(message.text).toBe(`Dear Ada, $100.00 until soon: ${link.url}`);
    const other = await sent({ due_on: "2026-12-01" });
    await remind(other, { template_id: template.body.id });
    const reminder = (await thread(other.deliveries[0].conversation_id)).at(-1);
    expect(reminder?.text).toBe(`Dear Ada, $100.00 until December 1, 2026: ${other.url}`);
  });

  test("by e-mail begins a thread with a subject, in which what follows stays", async () => {
    const client = await world.newClient(partner);
    await newChannel(world, partner, client.id, "email");
    const customer = { name: "Ada", email: "ada@test.example" };
    const link = await newLink({ account_id: client.id, customer, send: { channels: ["email"] } });
    await send(link, { channels: ["email"] });
    const subjects = (await thread(link.deliveries[0].conversation_id)).map(({ subject }) => subject);
    expect(subjects).toEqual([`${client.company}: payment of $100.00`, `${client.company}: payment of $100.00`]);
  });

  test("is refused without a channel or an address, and then nothing is made", async () => {
    const count = async () => (await call("GET", "/billing/payment-links?limit=100")).body.data.length;
    const before = await count();
    const create = (body: object) => call("POST", "/billing/payment-link", { amount_cents: 1, ...body });
    const email = { customer: { email: "a@test.example" }, send: { channels: ["email"] } };
    expect(refusal(await create(email))).toEqual([422, "channel_required"]);
    const { id } = await world.newClient(partner);
    const paused = await newChannel(world, partner, id, "email");
    await call("PATCH", `/channels/${paused.id}`, { status: "paused" });
    expect(refusal(await create({ ...email, account_id: id }))).toEqual([422, "channel_required"]);
    const nobody = await create({ customer: { name: "Ada" }, send: { channels: ["sms"] } });
    expect([...refusal(nobody), nobody.body.errors[0].pointer]).toEqual([422, "unreachable", "#/send/channels"]);
    expect(await count()).toBe(before);
  });

  test("is refused to whoever opted out, for an ended link, and more than 20 times", async () => {
    const link = await newLink();
    await call("PUT", `/contacts/${link.contact_id}/consent`, { sms: { status: "denied" } });
    expect(refusal(await send(link, { channels: ["sms"] }))).toEqual([409, "recipient_opted_out"]);
    const ended = await sent();
    await billing().post(partner, `/payment-links/${ended.id}/cancel`);
    expect(refusal(await send(ended, { channels: ["sms"] }))).toEqual([409, "invalid_state_transition"]);
    const often = await sent();
    for (let index = 1; index < 20; index++) await send(often, { channels: ["sms"] });
    expect(refusal(await send(often, { channels: ["sms"] }))).toEqual([409, "send_limit_reached"]);
  });
});

describe("a reminder", () => {
  const run = () => sendReminders(world.app.services);
  /** Moves the clock on to a time. */
  const at = (time: string) => world.clock.advance(Date.parse(time) - world.clock.now().getTime());

  test("is planned for ten in the morning, three days before and one after, and can be planned otherwise", async () => {
    const link = await sent({ due_on: "2027-03-28", timezone: "Europe/Berlin", expires_at: "2027-04-20T00:00:00Z" });
    const times = ({ reminders }: Json) => reminders.map(({ at, state }: Json) => [at, state]);
    // The clocks go forward on the day when it is due.
    expect(times(link)).toEqual([
      ["2027-03-25T09:00:00.000Z", "planned"],
      ["2027-03-29T08:00:00.000Z", "planned"],
    ]);
    const patch = async (body: object) => (await call("PATCH", `/billing/payment-links/${link.id}`, body)).body;
    await patch({ remind: { days: [0] } });
    expect(times(await linkNow(link))).toEqual([["2027-03-28T08:00:00.000Z", "planned"]]);
    expect(await patch({ due_on: null })).toMatchObject({ remind: null });
    expect(times(await linkNow(link))).toEqual([]);
    const refused = await call("PATCH", `/billing/payment-links/${link.id}`, { remind: { days: [0] } });
    expect(refusal(refused)).toEqual([422, "due_on_required"]);
  });

  test("is planned as for a new link when an older one gets a day to pay by, unless the caller says otherwise", async () => {
    const planned = async (fields: object, body: object) => {
      const { id } = await newLink({ expires_at: "2027-04-20T00:00:00Z", ...fields });
      const { remind: reminding, reminders } = (await call("PATCH", `/billing/payment-links/${id}`, body)).body;
      return [reminding?.days ?? null, reminders.length];
    };
    const due_on = "2027-03-28";
    expect(await planned({}, { due_on })).toEqual([[-3, 1], 2]);
    expect(await planned({}, { due_on, remind: { days: [0] } })).toEqual([[0], 1]);
    expect(await planned({}, { due_on, remind: null })).toEqual([null, 0]);
    expect(await planned({ due_on: "2027-03-01", remind: null }, { due_on })).toEqual([null, 0]);
    expect(await planned({ usage: "multi" }, { due_on })).toEqual([null, 0]);
  });

  test("is sent once, on the channel that the link was sent on, however many processes do it", async () => {
    const due_on = "2026-12-10";
    const link = await sent({ due_on, expires_at: "2027-01-20T00:00:00Z" });
    const never = await newLink({ due_on, expires_at: "2027-01-20T00:00:00Z" });
    at("2026-12-07T09:59:59.000Z");
    await run();
    expect((await linkNow(link)).deliveries).toHaveLength(1);
    at("2026-12-07T10:00:00.000Z");
    await Promise.all([run(), run(), run(), run()]);
    const reminded = await linkNow(link);
    expect(reminded).toMatchObject({
      version: 2,
      reminders: [{ state: "sent", reason: null }, { state: "planned" }],
      deliveries: [{ reminder: false }, { reminder: true, channel: "sms" }],
    });
    const [, message] = await thread(link.deliveries[0].conversation_id);
    expect(message?.text).toContain("Reminder: $100.00 to Harbour Dental is due on December 10, 2026.");
    expect((await linkNow(never)).reminders[0]).toMatchObject({ state: "skipped", reason: "not_sent" });
    at("2026-12-11T10:00:30.000Z");
    await run();
    const [, , overdue] = await thread(link.deliveries[0].conversation_id);
    expect(overdue?.text).toContain("was due on December 10, 2026.");
  });

  test("is sent by the template that the link names for it", async () => {
    const text = "Still open: {{link.amount}}, {{link.url}}";
    const template = await call("POST", "/message-templates", { account_id, name: "Remind", channel: "any", text });
    const day = new Date(world.clock.now().getTime() + 2 * DAY_MS).toISOString().slice(0, 10);
    const expires_at = new Date(Date.parse(day) + 2 * DAY_MS).toISOString();
    const link = await sent({ due_on: day, expires_at, remind: { days: [0], template_id: template.body.id } });
    at(`${day}T10:00:00.000Z`);
    await run();
    const words = (await thread(link.deliveries[0].conversation_id)).map((message) => message.text);
    expect(words.at(-1)).toBe(`Still open: $100.00, ${link.url}`);
  });

  test.each<[string, (link: Json) => Promise<unknown>]>([
    ["paid", (link) => billing().pay(link)],
    ["cancelled", (link) => billing().post(partner, `/payment-links/${link.id}/cancel`)],
    ["disabled", (link) => billing().post(partner, `/payment-links/${link.id}/disable`)],
    ["being_paid", (link) => billing().begin(link)],
    ["expired", async () => world.clock.advance(2 * DAY_MS)],
    ["missed", async () => world.clock.advance(DAY_MS)],
    ["recipient_opted_out", (link) => call("PUT", `/contacts/${link.contact_id}/consent`, { sms: { status: "denied" } })],
  ])("is not sent where it would be wrong: %s", async (reason, happens) => {
    const day = new Date(world.clock.now().getTime() + 2 * DAY_MS).toISOString().slice(0, 10);
    const expires_at = new Date(Date.parse(day) + 2 * DAY_MS).toISOString();
    const link = await sent({ due_on: day, remind: { days: [0] }, expires_at });
    const time = `${day}T10:00:00.000Z`;
    at(time);
    await happens(link);
    await run();
    const after = await linkNow(link);
    expect(after.reminders).toEqual([{ at: time, state: "skipped", reason }]);
    expect(after.deliveries).toHaveLength(1);
  });

  test("can be sent at once, once in 24 hours", async () => {
    const link = await sent();
    expect((await remind(link)).body.deliveries).toMatchObject([{ reminder: false }, { reminder: true }]);
    const refused = await remind(link);
    expect(refusal(refused)).toEqual([409, "send_limit_reached"]);
    at(refused.body.next_at);
    expect((await remind(link, { channels: ["sms"] })).body.deliveries).toHaveLength(3);
    expect(refusal(await remind(await newLink()))).toEqual([422, "channel_required"]);
  });

  test("is sent once, and a link at most 20 times, when requests wait for each other", async () => {
    /** The statuses of two requests that both began before either had its turn. */
    const together = async (link: Json, request: () => Promise<Json>) => {
      const held = await hold("select from payment_links where partner_id = $1 and id = $2 for update", [
        partner.partner_id,
        link.id,
      ]);
      const replies = [request(), request()];
      await untilWaiting(world.db.sql, ROW_LOCKS, 2);
      await held.release();
      return (await Promise.all(replies)).map(({ status }) => status).sort();
    };
    const link = await sent();
    expect(await together(link, () => remind(link))).toEqual([200, 409]);
    expect((await linkNow(link)).deliveries).toHaveLength(2);
    const often = await sent();
    for (let index = 2; index < 20; index++) await send(often, { channels: ["sms"] });
    expect(await together(often, () => send(often, { channels: ["sms"] }))).toEqual([200, 409]);
    expect((await linkNow(often)).deliveries).toHaveLength(20);
  });

  test("of a link that was changed is told in the feed and in the audit log", async () => {
    const link = await sent();
    await remind(link);
    const audit = await world.call("GET", `${BASE}/audit-log?target=${link.id}&limit=10`, { key: partner.key });
    const actions = audit.body.data?.map(({ action }: Json) => action);
    expect(actions).toEqual(["payment_links.remind", "payment_links.create"]);
    expect((await world.call("GET", `${LINKS}/${link.id}`, { key: partner.key })).headers.etag).toMatch(/^"2-\d+"$/);
  });
});
