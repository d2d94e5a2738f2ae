import { beforeAll, describe, expect, test } from "vitest";
import type { OpenChannel } from "../../src/features/inbox/channels/index.ts";
import { conversationsOf, newChannel } from "../harness/conversations.ts";
import { auditLog, walk } from "../harness/lists.ts";
import { GENERAL, type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({ egress: "development" }, "api");
let partner: TestPartner;
let account_id: string;
let channel: OpenChannel;
const { call, write, begun, get, send, thread } = conversationsOf(world, () => partner);

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
  channel = await newChannel(world, partner, account_id);
});

const codeOf = ({ status, body }: Json) => [status, body.code];
const faultsOf = ({ body }: Json) => body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`);
const start = (fields: object) => call("POST", "/conversations", { channel_id: channel.id, ...fields });

describe("a conversation", () => {
  test("starts with a contact, a lead or an address, once at a time", async () => {
    const contact = await world.newContact(partner, { account_id });
    const { status, body, headers } = await start({ contact_id: contact.id, text: "Hello Ada", tags: ["vip"] });
    expect([status, headers.location]).toEqual([201, `/v1/conversations/${body.id}`]);
    expect(body).toMatchObject({
      account_id,
      channel_kind: "sms",
      address: contact.phone,
      contact_id: contact.id,
      lead_id: null,
    });
    expect(body).toMatchObject({ status: "open", owner_kind: "human", owner_token: 2, tags: ["vip"], unread: 0 });
    expect(body.last_message).toMatchObject({ direction: "out", text: "Hello Ada", status: "queued" });
    const again = await start({ address: contact.phone });
    expect([...codeOf(again), again.body.existing_id]).toEqual([409, "duplicate_conversation", body.id]);
    const lead = await world.newLead(partner, { account_id, phone: nextPhone() });
    expect((await start({ lead_id: lead.id })).body).toMatchObject({ lead_id: lead.id, contact_id: null, owner_kind: "none" });
    const other = await world.newContact(partner, { account_id });
    expect((await start({ address: other.phone })).body.contact_id).toBe(other.id);
    const named = async ({ phone }: Json) => {
      const { contact_id, lead_id } = (await start({ address: phone })).body;
      return { contact_id, lead_id };
    };
    const [known, gone] = [await world.newLead(partner, { account_id, phone: nextPhone() }), nextPhone()];
    expect(await named(known)).toEqual({ contact_id: null, lead_id: known.id });
    const { id: contact_id } = await world.newContact(partner, { account_id, phone: gone });
    await call("DELETE", `/contacts/${contact_id}`);
    const { id: lead_id } = await world.newLead(partner, { account_id, phone: gone });
    await call("DELETE", `/leads/${lead_id}`);
    expect(await named({ phone: gone })).toEqual({ contact_id: null, lead_id: null });
  });

  test("needs one recipient of its account who can be reached", async () => {
    const lead = await world.newLead(partner, { account_id, email: "no-phone@test.example" });
    const stranger = await world.newContact(partner, {});
    expect(faultsOf(await start({}))).toEqual(["#/contact_id one_recipient"]);
    expect(faultsOf(await start({ lead_id: lead.id }))).toEqual(["#/lead_id unreachable"]);
    expect(faultsOf(await start({ contact_id: stranger.id }))).toEqual(["#/contact_id unknown_person"]);
    expect(faultsOf(await start({ address: "nobody" }))).toEqual(["#/address unreachable"]);
  });

  test("is changed, closed, reopened, snoozed, read and archived", async () => {
    const { id } = await begun(channel);
    expect(await get(id)).toMatchObject({ unread: 1, status: "open", version: 1 });
    const patched = await call("PATCH", `/conversations/${id}`, { subject: "Bill", priority: "high", tags: ["money"] });
    expect(patched.body).toMatchObject({ subject: "Bill", priority: "high", tags: ["money"], version: 2 });
    expect((await call("POST", `/conversations/${id}/read`)).body).toMatchObject({ unread: 0, version: 2 });
    const until = "2027-01-01T00:00:00.000Z";
    expect((await call("POST", `/conversations/${id}/snooze`, { until })).body).toMatchObject({
      status: "snoozed",
      snoozed_until: until,
    });
    expect(faultsOf(await call("POST", `/conversations/${id}/snooze`, { until: "2020-01-01T00:00:00Z" }))).toEqual([
      "#/until not_in_future",
    ]);
    expect((await call("POST", `/conversations/${id}/close`)).body).toMatchObject({ status: "closed", snoozed_until: null });
    expect(codeOf(await call("POST", `/conversations/${id}/snooze`, { until }))).toEqual([409, "invalid_state_transition"]);
    expect((await call("POST", `/conversations/${id}/reopen`)).body).toMatchObject({ status: "open", closed_at: null });
    expect((await call("DELETE", `/conversations/${id}`)).status).toBe(204);
    expect(codeOf(await call("POST", `/conversations/${id}/reopen`))).toEqual([409, "invalid_state_transition"]);
    expect(codeOf(await send(id, { text: "Too late" }))).toEqual([409, "invalid_state_transition"]);
    const events = (await thread(id)).filter(({ kind }) => kind === "event").map(({ event }) => event.type);
    expect(events).toEqual(["snoozed", "closed", "reopened"]);
    const entries = await auditLog(world, partner.key, { target: id });
    expect(entries.map(({ action }: Json) => action)).toEqual([
      "conversations.update",
      "conversations.snooze",
      "conversations.close",
      "conversations.reopen",
      "conversations.archive",
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/Bill|money/);
  });

  test("is read again by whoever has it once its person writes, although its version stays", async () => {
    const { id, address, version } = await begun(channel);
    const first = await call("GET", `/conversations/${id}`);
    const known = { "if-none-match": String(first.headers.etag) };
    const again = () => call("GET", `/conversations/${id}`, undefined, partner.key, known);
    expect((await again()).status).toBe(304);
    await write(channel, address, "Are you there?");
    expect(await again()).toMatchObject({ status: 200, body: { version, unread: 2, last_message: { text: "Are you there?" } } });
    const matched = { "if-match": String((await call("GET", `/conversations/${id}`)).headers.etag) };
    expect((await call("PATCH", `/conversations/${id}`, { tags: ["a"] }, partner.key, matched)).status).toBe(200);
  });

  test("is listed by its newest message, with every filter, a page at a time", async () => {
    const { id: account } = await world.newClient(partner);
    const [one, two] = [await newChannel(world, partner, account), await newChannel(world, partner, account, "whatsapp")];
    const phone = nextPhone();
    const contact = await world.newContact(partner, { account_id: account, phone });
    const first = await begun(one, phone, "About the invoice");
    world.clock.advance(1000);
    const second = await begun(two);
    world.clock.advance(1000);
    const third = await begun(one);
    await call("PATCH", `/conversations/${second.id}`, { tags: ["vip"] });
    world.clock.advance(1000);
    await send(first.id, { text: "Which one?" });
    await call("POST", `/conversations/${third.id}/close`);
    const list = async (filter: object) =>
      (await walk(world, partner.key, `${GENERAL}/conversations`, { account_id: account, limit: "1", ...filter })).map(
        ({ id }: Json) => id,
      );
    expect(await list({})).toEqual([first.id, third.id, second.id]);
    expect(await list({ status: "closed" })).toEqual([third.id]);
    expect(await list({ channel_id: two.id })).toEqual([second.id]);
    expect(await list({ channel_kind: "whatsapp" })).toEqual([second.id]);
    expect(await list({ contact_id: contact.id })).toEqual([first.id]);
    expect(await list({ owner_kind: "human" })).toEqual([first.id]);
    expect(await list({ owner_id: (await get(first.id)).owner_id })).toEqual([first.id]);
    expect(await list({ tag: "vip" })).toEqual([second.id]);
    expect(await list({ unread: "true" })).toEqual([second.id]);
    expect((await call("GET", `/conversations/waiting?account_id=${account}`)).body).toEqual({ waiting: 1 });
    expect([await list({ waiting: "true" }), await list({ waiting: "false" })]).toEqual([[second.id], [first.id, third.id]]);
    expect(await list({ q: "INVOICE" })).toEqual([first.id]);
    expect(await list({ q: "wh" })).toEqual([first.id]);
    await call("DELETE", `/conversations/${third.id}`);
    expect(await list({ archived: "true" })).toEqual([third.id]);
    const bound = await world.newKey(partner, { clients: [account_id] });
    const seen = (path: string) => call("GET", `/conversations${path}?account_id=${account}`, undefined, bound);
    expect([(await seen("")).body.data, (await seen("/waiting")).body]).toEqual([[], { waiting: 0 }]);
    expect(codeOf(await call("GET", `/conversations/${first.id}`, undefined, bound))).toEqual([404, "not_found"]);
    expect(codeOf(await send(first.id, { text: "Hi" }, bound))).toEqual([404, "not_found"]);
  });

  test("follows its person through conversion, merge and their undos", async () => {
    const lead = await world.newLead(partner, { account_id, phone: nextPhone() });
    const { body: conversation } = await start({ lead_id: lead.id });
    expect(conversation.person_name).toBe(lead.name);
    const { body: converted } = await call("POST", `/leads/${lead.id}/convert`);
    const contact_id = converted.contact.id;
    expect(await get(conversation.id)).toMatchObject({ lead_id: lead.id, contact_id, version: 1 });
    const into = await world.newContact(partner, { account_id });
    const { body: merge } = await call("POST", `/contacts/${into.id}/merge`, { from_id: contact_id });
    expect(await get(conversation.id)).toMatchObject({ contact_id: into.id, person_name: into.name });
    await send(conversation.id, { text: "Hello" });
    const { body: messages } = await call("GET", `/contacts/${into.id}/messages`);
    expect(messages.data.map(({ text }: Json) => text)).toEqual(["Hello"]);
    expect((await call("GET", `/conversations?contact_id=${into.id}`)).body.data[0].id).toBe(conversation.id);
    await call("POST", `/contacts/merges/${merge.id}/undo`);
    expect((await get(conversation.id)).contact_id).toBe(contact_id);
  });
});

test("the timeline of a person has what was written among what was done, for whoever may read messages", async () => {
  const lead = await world.newLead(partner, { account_id, phone: nextPhone() });
  const { body: conversation } = await start({ lead_id: lead.id, text: "Are you well?" });
  await call("POST", `/leads/${lead.id}/notes`, { body: "Called" });
  await write(channel, lead.phone, "Very well.");
  await call("POST", `/conversations/${conversation.id}/notes`, { text: "For the team alone" });
  const { body: converted } = await call("POST", `/leads/${lead.id}/convert`);
  const timeline = async (path: string, key = partner.key) =>
    (await walk(world, key, `/v1${path}/timeline`, { limit: 1 })).map(({ action, message }) => message?.text ?? action);
  const ofLead = ["Very well.", "leads.create_note", "Are you well?", "leads.create"];
  expect(await timeline(`/leads/${lead.id}`)).toEqual(["leads.convert", ...ofLead]);
  expect(await timeline(`/contacts/${converted.contact.id}`)).toEqual(expect.arrayContaining(ofLead));
  const key = await world.newKey(partner, { scopes: ["leads:read"] });
  expect(await timeline(`/leads/${lead.id}`, key)).toEqual(["leads.convert", "leads.create_note", "leads.create"]);
  const [entry] = (await call("GET", `/leads/${lead.id}/timeline?limit=2`)).body.data.slice(1);
  expect(entry).toMatchObject({
    type: "message",
    action: "conversations.receive",
    record_id: lead.id,
    message: { conversation_id: conversation.id, channel_kind: "sms", direction: "in", status: "received" },
  });
});

describe("a message", () => {
  test("is queued once for each client_message_id, at ordinals without gaps", async () => {
    const { id } = await begun(channel);
    const bodies = Array.from({ length: 12 }, (_, index) => ({ text: `No. ${index % 6}`, client_message_id: `c-${index % 6}` }));
    const replies = await Promise.all(bodies.map((body) => send(id, body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(6).fill(200), ...Array(6).fill(201)]);
    const messages = await thread(id);
    expect(messages.map(({ ordinal }) => ordinal)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const other = await send(id, { text: "Something else", client_message_id: "c-1" });
    const first = messages.find(({ client_message_id }) => client_message_id === "c-1");
    expect([...codeOf(other), other.body.existing_id]).toEqual([409, "duplicate_message", first.id]);
    expect((await call("GET", `/messages/${first.id}`)).body).toEqual(first);
    const sends = await world.db.sql("select message_id from message_sends where conversation_id = $1", [id]);
    expect(sends).toHaveLength(6);
  });

  test("goes to the channel of its conversation, as the channel allows", async () => {
    const { id } = await begun(channel);
    expect(codeOf(await send(id, { text: "Hi", channel: "email" }))).toEqual([422, "unsupported_channel"]);
    const { body: sent } = await send(id, { text: 'Said "yes" äöü 🙂\n</script>', channel: "sms" });
    expect((await call("GET", `/messages/${sent.id}`)).body).toEqual(sent);
    expect(faultsOf(await send(id, { text: "x".repeat(1601) }))).toEqual(["#/text too_long"]);
    expect(faultsOf(await send(id, { text: "x", html: "<p>x</p>" }))).toEqual(["#/html not_of_channel"]);
    expect(faultsOf(await send(id, {}))).toEqual(["#/text content_required"]);
    await world.db.sql("update clients set status = 'suspended' where id = $1", [account_id]);
    expect(codeOf(await send(id, { text: "Hi" }))).toEqual([409, "client_inactive"]);
    await world.db.sql("update clients set status = 'active' where id = $1", [account_id]);
  });

  test("is scheduled, cancelled and sent again", async () => {
    const { id } = await begun(channel);
    const scheduled_at = "2026-12-24T09:30:00.000Z";
    const { body: message } = await send(id, { text: "Merry Christmas", scheduled_at });
    expect(message).toMatchObject({ status: "scheduled", scheduled_at });
    expect(codeOf(await call("POST", `/messages/${message.id}/retry`))).toEqual([409, "invalid_state_transition"]);
    expect((await call("DELETE", `/messages/${message.id}`)).status).toBe(204);
    expect((await call("GET", `/messages/${message.id}`)).body).toMatchObject({ status: "cancelled", version: 2 });
    expect((await call("DELETE", `/messages/${message.id}`)).status).toBe(204);
    const { body: again } = await call("POST", `/messages/${message.id}/retry`);
    expect(again).toMatchObject({ text: "Merry Christmas", retry_of: message.id, status: "queued", ordinal: 3 });
    const received = (await thread(id))[0];
    expect(codeOf(await call("DELETE", `/messages/${received.id}`))).toEqual([409, "invalid_state_transition"]);
    const past = { text: "x", scheduled_at: "2020-01-01T00:00:00Z" };
    expect(faultsOf(await send(id, past))).toEqual(["#/scheduled_at not_in_future"]);
  });

  test("is not sent to whoever opted out, nor as marketing without consent", async () => {
    const phone = nextPhone();
    const contact = await world.newContact(partner, { account_id, phone });
    const { id } = await begun(channel, phone);
    const consent = (status: string) => call("PUT", `/contacts/${contact.id}/consent`, { sms: { status } });
    expect(codeOf(await send(id, { text: "Sale!", purpose: "marketing" }))).toEqual([409, "consent_required"]);
    await consent("granted");
    expect((await send(id, { text: "Sale!", purpose: "marketing" })).status).toBe(201);
    await consent("denied");
    for (const purpose of ["conversational", "transactional", "marketing"])
      expect(codeOf(await send(id, { text: "Hi", purpose }))).toEqual([409, "recipient_opted_out"]);
    await write(channel, phone, "Please answer");
    expect(codeOf(await send(id, { text: "Hi" }))).toEqual([409, "recipient_opted_out"]);
    await consent("unknown");
    expect((await send(id, { text: "Hi" })).status).toBe(201);
  });

  test("is a template outside the reply window", async () => {
    const whatsapp = await newChannel(world, partner, account_id, "whatsapp");
    const { id } = await begun(whatsapp);
    expect((await get(id)).reply_window_until).toBe(new Date(world.clock.now().getTime() + 86_400_000).toISOString());
    expect((await send(id, { text: "Hi" })).status).toBe(201);
    world.clock.advance(86_400_000);
    expect(codeOf(await send(id, { text: "Hi" }))).toEqual([409, "reply_window_closed"]);
    const template = {
      account_id,
      name: "Reminder",
      channel: "whatsapp",
      text: "Hi {{contact.first_name}}, see you {{vars.day}}.",
    };
    const { body: unapproved } = await call("POST", "/message-templates", template);
    const vars = { day: "Friday" };
    expect(codeOf(await send(id, { template_id: unapproved.id, vars }))).toEqual([409, "reply_window_closed"]);
    await call("PATCH", `/message-templates/${unapproved.id}`, { provider_template: { name: "reminder", language: "en" } });
    const sent = await send(id, { template_id: unapproved.id, vars });
    expect(sent.body).toMatchObject({ text: "Hi Ada, see you Friday.", template_id: unapproved.id });
    const [row] = await world.db.sql("select detail from messages where id = $1", [sent.body.id]);
    expect(row).toEqual({ detail: { template: { name: "reminder", language: "en", values: ["Ada", "Friday"] } } });
  });

  test("of a template has every value, or says which are missing", async () => {
    const { id } = await begun(channel);
    const text = "Hi {{contact.first_name|there}} of {{contact.company|your company}}, {{vars.what}} by {{account.name}}";
    const { body: template } = await call("POST", "/message-templates", { account_id, name: "Offer", text });
    const refused = await send(id, { template_id: template.id });
    expect([...codeOf(refused), refused.body.missing]).toEqual([422, "template_variable_missing", ["vars.what"]]);
    const preview = (body?: object) => call("POST", `/message-templates/${template.id}/preview`, body);
    expect((await preview()).body).toEqual({
      subject: null,
      text: "Hi there of your company, {{vars.what}} by Harbour Dental",
      missing: ["vars.what"],
    });
    const { contact_id } = await get(id);
    const said = "Hi Ada of your company, an offer by Harbour Dental";
    expect((await preview({ contact_id, vars: { what: "an offer" } })).body).toEqual({ subject: null, text: said, missing: [] });
    expect((await send(id, { template_id: template.id, vars: { what: "an offer" } })).body.text).toBe(said);
    const about = "{{deal.name}}, {{deal.stage}}, {{deal.amount|open}}, {{link.url|no link}}";
    const { body: dealing } = await call("POST", "/message-templates", { account_id, name: "Deal", text: about });
    const without = await send(id, { template_id: dealing.id });
    expect(without.body.missing).toEqual(["deal.name", "deal.stage"]);
    for (const [name, amount_cents] of [["First"], ["Fence", 120_050]])
      await call("POST", "/deals", { account_id, name, contact_id, ...(amount_cents === undefined ? {} : { amount_cents }) });
    expect((await send(id, { template_id: dealing.id })).body.text).toMatch(/^Fence, .+, .1,200\.50, no link$/);
    const { body: foreign } = await call("POST", "/message-templates", { name: "Of the house", text: "Hi" });
    expect(faultsOf(await send(id, { template_id: foreign.id }))).toEqual(["#/template_id unknown_template"]);
  });

  test("says nothing in the audit log, and notes are for the team", async () => {
    const { id } = await begun(channel);
    await send(id, { text: "A secret" });
    const { status, body: note } = await call("POST", `/conversations/${id}/notes`, { text: "Another secret" });
    expect([status, note.kind, note.status, note.ordinal]).toEqual([201, "note", null, 3]);
    expect((await get(id)).last_message.text).toBe("A secret");
    const { body: notes } = await call("GET", `/conversations/${id}/messages?kind=note`);
    expect(notes.data).toEqual([note]);
    const told = await world.db.sql("select 1 from audit_entries where convert_from(body, 'UTF8') like '%secret%'");
    expect(told).toEqual([]);
  });
});

describe("the owner", () => {
  const owner = ({ body }: Json) => [body.owner_kind, body.owner_id, body.owner_token];

  test("changes by assignment, hand-off, take-over and return, each under a new token", async () => {
    const { id } = await begun(channel);
    const { body: user } = await world.call("POST", "/v1/partners/users", {
      key: partner.key,
      body: { name: "Nora", email: "nora@test.example", role: "member", accounts: "all" },
    });
    const act = (action: string, body?: object) => call("POST", `/conversations/${id}/${action}`, body);
    expect(owner(await act("assign", { owner_id: user.id }))).toEqual(["human", user.id, 2]);
    expect(owner(await act("assign", { owner_id: user.id, owner_token: 2 }))).toEqual(["human", user.id, 2]);
    expect(owner(await act("handoff", { to: "human", reason: "Wants a refund" }))).toEqual(["human", null, 3]);
    const stale = await act("takeover", { owner_token: 2 });
    expect([...codeOf(stale), stale.body.owner_token]).toEqual([409, "owner_changed", 3]);
    const taken = await act("takeover");
    expect(owner(taken).slice(2)).toEqual([4]);
    expect(taken.body.owner_id).toMatch(/^key_/);
    expect(faultsOf(await act("handoff", { to: "agent" }))).toEqual(["#/to no_agent"]);
    await world.db.sql("update channels set agent_id = 'agt_1' where id = $1", [channel.id]);
    expect(owner(await act("return"))).toEqual(["agent", "agt_1", 5]);
    const returned = await act("handoff", { to: "human", return_after_minutes: 30 });
    expect(returned.body.return_at).toBe(new Date(world.clock.now().getTime() + 1_800_000).toISOString());
    await world.db.sql("update channels set agent_id = null where id = $1", [channel.id]);
    expect(owner(await act("return"))).toEqual(["none", null, 7]);
    const events = (await thread(id)).filter(({ kind }) => kind === "event");
    expect(events.map(({ event }) => event.type)).toEqual([
      "assigned",
      "handed_off",
      "taken_over",
      "returned",
      "handed_off",
      "returned",
    ]);
    expect(events[1].text).toBe("Wants a refund");
    expect(faultsOf(await act("assign", { owner_id: "usr_01jd3k5y5cf7m8n9p0q1r2s3t4" }))).toEqual(["#/owner_id unknown_user"]);
  });

  test("is whoever answers first, unless the answer leaves it", async () => {
    const { id } = await begun(channel);
    await send(id, { text: "Hi", keep_owner: true });
    expect((await get(id)).owner_kind).toBe("none");
    await send(id, { text: "Hi" });
    const { owner_id, owner_token } = await get(id);
    expect(owner_token).toBe(2);
    const other = await world.newKey(partner);
    expect((await send(id, { text: "Me too" }, other)).status).toBe(201);
    expect(await get(id)).toMatchObject({ owner_id, owner_token });
    expect(codeOf(await send(id, { text: "Late", owner_token: 1 }, other))).toEqual([409, "owner_changed"]);
  });
});
