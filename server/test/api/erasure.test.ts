import { beforeAll, describe, expect, test } from "vitest";
import type { OpenChannel } from "../../src/features/inbox/channels/index.ts";
import { FEATURES } from "../../src/surfaces/features.ts";
import { conversationsOf, newChannel } from "../harness/conversations.ts";
import { moveDeal, newDeal } from "../harness/deals.ts";
import { ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { auditLog, changes } from "../harness/lists.ts";
import { placesOf, rowsWith } from "../harness/marks.ts";
import { BASE, GENERAL, type Json, keptDaysAgo, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const hold = useHolds(() => world.db.connect());
/** Runs every scheduled job of the records once. */
async function runJobs(): Promise<void> {
  const { clock, app } = world;
  const { services } = app;
  for (const { name, jobs } of FEATURES)
    if (name.startsWith("crm/"))
      for (const job of jobs?.(services, "03:00") ?? []) await job.run({ db: services.db, owner: services.db, clock });
}

type Marks = { mark: string; first: string; phones: [string, string]; company: string };
const QUUX: Marks = { mark: "quux", first: "Zebulon", phones: ["+14155559701", "+14155559702"], company: "Harbour 4711 Dental" };
const WIBBLE: Marks = { mark: "wibble", first: "Wilma", phones: ["+14155559801", "+14155559802"], company: "Cedar 4712 Pools" };

const FLURB: Marks = { mark: "flurb", first: "Fiona", phones: ["+14155559601", "+14155559602"], company: "Acorn 4713 Tools" };

/** A person with a word in every text about them. */
async function markedPerson(partner: TestPartner, { mark, first, phones, company }: Marks) {
  const post = async (path: string, body: object = {}): Promise<Json> => {
    const reply = await world.call("POST", `${GENERAL}${path}`, { key: partner.key, body });
    if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
    return reply.body;
  };
  const marked = { notes: `${mark} notes`, tags: [mark], custom: { nick: mark } };
  const person = { name: `${first} ${mark}`, phone: phones[0], email: `${first}@${mark}.example` };
  const lead = await post("/leads", { ...person, ...marked, company: `${mark}works`, title: mark, external_id: `${mark}-lead` });
  await post(`/leads/${lead.id}/notes`, { body: `${mark} called` });
  const named = { notes: `of ${mark}`, custom: { nick: mark }, contact: person };
  const { contact, deal } = await post(`/leads/${lead.id}/convert`, { contact: marked, deal: named });
  await post(`/contacts/${contact.id}/notes`, { body: `${mark} came by` });
  await post(`/deals/${deal.id}/notes`, { body: `${mark} wrote` });
  await moveDeal(world, partner, deal.id, { stage: "Lost", lost_reason: `${mark} left`, note: `Told by ${mark}` });
  const other = await post("/contacts", { name: `Z. ${mark}`, phone: phones[1] });
  const sale = await post("/deals", { company, plan: "Growth", name: `For ${mark}`, contact: person, contact_id: other.id });
  await post(`/contacts/${other.id}/notes`, { body: `${mark} once more` });
  const merge = await post(`/contacts/${contact.id}/merge`, { from_id: other.id });
  await world.call("PUT", `${GENERAL}/contacts/${contact.id}/consent`, {
    key: partner.key,
    body: { sms: { status: "granted", source: `${mark} form` } },
  });
  return { contact, other, merge, deal, sale };
}

test("an erased contact leaves no trace in its leads, its deals, their notes, history and claims, once the night's jobs ran; others lose nothing", async () => {
  const partner = await world.newPartner();
  for (const resource of ["contact", "lead", "deal"]) {
    const body = { resource, key: "nick", type: "text", label: "Nickname" };
    await world.call("POST", `${GENERAL}/custom-fields`, { key: partner.key, body });
  }
  await markedPerson(partner, WIBBLE);
  const { contact, deal, sale } = await markedPerson(partner, QUUX);
  const places = ["contacts", "leads", "deals", "deal_stages", "record_notes", "contact_merges", "registration_claims"];
  expect(await placesOf(world, QUUX.mark)).toEqual(expect.arrayContaining([...places, "contact_consents"]));
  const another = await rowsWith(world, WIBBLE.mark);
  const erased = await world.call("POST", `${GENERAL}/contacts/${contact.id}/erase`, { key: partner.key });
  expect(erased.status).toBe(204);
  await runJobs();
  for (const text of [QUUX.mark, "zebulon", "1415555970"]) expect([text, await placesOf(world, text)]).toEqual([text, []]);
  expect(await rowsWith(world, WIBBLE.mark)).toEqual(another);
  const get = async (id: string) => (await world.call("GET", `${GENERAL}/deals/${id}`, { key: partner.key })).body;
  expect(await get(deal.id)).toMatchObject({ name: "Erased", company: null, contact: null, status: "lost", lost_reason: null });
  const { company } = QUUX;
  expect(await get(sale.id)).toMatchObject({ name: company, company, contact: null, registration: { status: "approved" } });
  const told = (await changes(world, partner.key)).filter(({ id }) => id === sale.id);
  expect(told.map(({ change }) => change)).toEqual(["created", "updated"]);
  expect(await auditLog(world, partner.key, { action: "deals.erase" })).toHaveLength(2);
  await runJobs();
  expect(await auditLog(world, partner.key, { action: "deals.erase" })).toHaveLength(2);
  const rival = await world.newPartner();
  const free = { company: "Quuxworks", company_domain: "quux.example", plan: "Growth" };
  expect((await world.call("POST", `${BASE}/deals`, { key: rival.key, body: free })).status).toBe(201);
});

test("why a registration was withdrawn goes with the person, and is in no audit entry", async () => {
  const partner = await world.newPartner();
  const contact = await world.newContact(partner, { name: "Ada Okafor" });
  const named = { company: "Grommet 4714 Rings", plan: "Growth", contact_id: contact.id };
  const { body: sale } = await world.call("POST", `${GENERAL}/deals`, { key: partner.key, body: named });
  const withdrawn = await world.call("POST", `${BASE}/deals/${sale.id}/withdraw`, {
    key: partner.key,
    body: { reason: "Grault has left" },
  });
  expect(withdrawn.status, withdrawn.text).toBe(200);
  expect(await placesOf(world, "grault")).toEqual(["registrations"]);
  await world.call("POST", `${GENERAL}/contacts/${contact.id}/erase`, { key: partner.key });
  await runJobs();
  expect(await placesOf(world, "grault")).toEqual([]);
  const { body: kept } = await world.call("GET", `${GENERAL}/deals/${sale.id}`, { key: partner.key });
  expect(kept.registration).toMatchObject({ status: "withdrawn", reason: null });
});

test("a deal of a lead alone is emptied with the lead, and one that has a contact by now is not", async () => {
  const partner = await world.newPartner();
  const { key } = partner;
  const { body: lead } = await world.call("POST", `${GENERAL}/leads`, {
    key,
    body: { name: "Corge Hill", email: "corge@elm.example" },
  });
  const contact = await world.newContact(partner, { name: "Ada Okafor" });
  const newDeal = async (fields: object) => {
    const { body } = await world.call("POST", `${GENERAL}/deals`, { key, body: { name: "Corge's roof", ...fields } });
    // As an agent creates it in a conversation with the lead.
    await world.db.sql("update deals set lead_id = $2 where id = $1", [body.id, lead.id]);
    return async () => (await world.call("GET", `${GENERAL}/deals/${body.id}`, { key })).body.name;
  };
  const [nameOfOwn, nameOfOther] = [await newDeal({}), await newDeal({ contact_id: contact.id })];
  expect((await world.call("POST", `${GENERAL}/leads/${lead.id}/erase`, { key })).status).toBe(204);
  await runJobs();
  expect([await nameOfOwn(), await nameOfOther()]).toEqual(["Erased", "Corge's roof"]);
});

test("what was merged stays with the contact it was merged into, and goes with it", async () => {
  const partner = await world.newPartner();
  for (const resource of ["contact", "lead", "deal"]) {
    const body = { resource, key: "nick", type: "text", label: "Nickname" };
    await world.call("POST", `${GENERAL}/custom-fields`, { key: partner.key, body });
  }
  const { contact, other, merge } = await markedPerson(partner, FLURB);
  const kept = async () => (await rowsWith(world, FLURB.mark)).filter(({ table }) => table !== "contact_merges");
  const monthAgo = (table: string, column: string, id: string) =>
    world.db.sql(`update ${table} set ${column} = $2 where id = $1`, [id, keptDaysAgo(world, 31)]);
  await monthAgo("contacts", "deleted_at", other.id);
  await monthAgo("contact_merges", "created_at", merge.id);
  const before = await kept();
  expect(before.map(({ table }) => table)).toEqual(expect.arrayContaining(["contacts", "deals", "record_notes"]));
  await runJobs();
  expect(await kept()).toEqual(before);
  expect(await world.db.sql("select into_before, from_before from contact_merges where id = $1", [merge.id])).toEqual([
    { into_before: null, from_before: null },
  ]);
  const undone = await world.call("POST", `${GENERAL}/contacts/merges/${merge.id}/undo`, { key: partner.key });
  expect(undone.body.reason).toBe("too_old");
  await world.call("DELETE", `${GENERAL}/contacts/${contact.id}`, { key: partner.key });
  await monthAgo("contacts", "deleted_at", contact.id);
  await runJobs();
  for (const text of [FLURB.mark, "fiona", "1415555960"]) expect([text, await placesOf(world, text)]).toEqual([text, []]);
});

test("a deal is emptied 30 days after it was deleted, and not before", async () => {
  const partner = await world.newPartner();
  const fields = { company: "Xanthippe Ltd", external_id: "xanthippe-1", tags: ["xanthippe"] };
  const [old, young] = [
    await newDeal(world, partner, { name: "Xanthippe", ...fields }),
    await newDeal(world, partner, { name: "Xerxes" }),
  ];
  for (const { id } of [old, young]) await world.call("DELETE", `${GENERAL}/deals/${id}`, { key: partner.key });
  // The job asks the database's clock too, so the deletions are moved and not the time.
  const deleted = "update deals set deleted_at = $2 where id = $1";
  await world.db.sql(deleted, [old.id, keptDaysAgo(world, 31)]);
  await world.db.sql(deleted, [young.id, keptDaysAgo(world, 29)]);
  await runJobs();
  expect([await placesOf(world, "xanthippe"), await placesOf(world, "xerxes")]).toEqual([[], ["deals"]]);
  expect((await changes(world, partner.key)).at(-1)).toMatchObject({ id: old.id, change: "erased" });
});

test.each([
  ["contacts", "con"],
  ["leads", "lead"],
])("the %s that were erased long ago keep no later one waiting", async (path, prefix) => {
  const partner = await world.newPartner();
  const make = path === "contacts" ? world.newContact : world.newLead;
  const [gone, late] = [await make(partner, { name: "Gone" }), await make(partner, { name: `Yolanda of ${path}` })];
  for (const [id, days] of [
    [gone.id, 40],
    [late.id, 31],
  ]) {
    await world.call("DELETE", `${GENERAL}/${path}/${id}`, { key: partner.key });
    await world.db.sql(`update ${path} set deleted_at = $2, erased_at = $3 where id = $1`, [
      id,
      keptDaysAgo(world, days),
      id === gone.id ? keptDaysAgo(world, 9) : null,
    ]);
  }
  // As many as a run takes at once.
  await world.db.sql(
    `insert into ${path} select (jsonb_populate_record(t, jsonb_build_object('id', '${prefix}_' || lpad(n::text, 26, '0')))).*
     from ${path} t, generate_series(1, 1000) n where t.id = $1`,
    [gone.id],
  );
  await runJobs();
  expect(await placesOf(world, `Yolanda of ${path}`)).toEqual([]);
});

describe("an erasure and what is written", () => {
  let partner: TestPartner;
  let account_id: string;
  let channel: OpenChannel;
  const { call, write, begun, send, thread } = conversationsOf(world, () => partner);

  beforeAll(async () => {
    partner = await world.newPartner();
    account_id = (await world.newClient(partner)).id;
    channel = await newChannel(world, partner, account_id);
  });

  test("reaches what is being written to the person meanwhile", async () => {
    const from = nextPhone();
    const { id, contact_id } = await begun(channel, from);
    const held = await hold("select from clients where partner_id = $1 and id = $2 for update", [partner.partner_id, account_id]);
    const answer = send(id, { text: "Your secret" });
    await untilWaiting(world.db.sql, ROW_LOCKS, 1);
    const erased = call("POST", `/contacts/${contact_id}/erase`);
    await untilWaiting(world.db.sql, ROW_LOCKS, 2);
    await held.release();
    expect([(await answer).status, (await erased).status]).toEqual([201, 204]);
    expect((await thread(id)).map(({ text }) => text)).toEqual(["", ""]);
    expect(await world.db.sql("select from message_sends where conversation_id = $1", [id])).toEqual([]);
  });

  test("leaves nobody to begin with: who begins a conversation meanwhile waits for it", async () => {
    const phone = nextPhone();
    const { id, contact_id } = await begun(channel, phone);
    const other = await newChannel(world, partner, account_id);
    const begin = (to: object) => call("POST", "/conversations", { channel_id: other.id, ...to });
    const held = await hold("select from conversations where partner_id = $1 and id = $2 for update", [partner.partner_id, id]);
    const erased = call("POST", `/contacts/${contact_id}/erase`);
    await untilWaiting(world.db.sql, ROW_LOCKS, 1);
    const named = begin({ contact_id });
    await untilWaiting(world.db.sql, ROW_LOCKS, 2);
    const addressed = begin({ address: phone });
    await untilWaiting(world.db.sql, ROW_LOCKS, 3);
    const third = await newChannel(world, partner, account_id);
    const written = write(third, phone, "Hello again");
    await untilWaiting(world.db.sql, ROW_LOCKS, 4);
    await held.release();
    expect([(await erased).status, (await named).body.errors]).toMatchObject([204, [{ code: "unknown_person" }]]);
    expect((await addressed).body).toMatchObject({ address: phone, contact_id: null });
    await written;
    const [{ contact_id: anew }] = (await call("GET", `/conversations?channel_id=${third.id}`)).body.data;
    expect([null, contact_id]).not.toContain(anew);
  });

  test("of a lead is waited for by whoever begins a conversation with it", async () => {
    const { id: lead_id } = await world.newLead(partner, { account_id, phone: nextPhone() });
    const { body } = await call("POST", "/conversations", { channel_id: channel.id, lead_id });
    const other = await newChannel(world, partner, account_id);
    const held = await hold("select from conversations where partner_id = $1 and id = $2 for update", [
      partner.partner_id,
      body.id,
    ]);
    const erased = call("POST", `/leads/${lead_id}/erase`);
    await untilWaiting(world.db.sql, ROW_LOCKS, 1);
    const named = call("POST", "/conversations", { channel_id: other.id, lead_id });
    await untilWaiting(world.db.sql, ROW_LOCKS, 2);
    await held.release();
    expect([(await erased).status, (await named).body.errors]).toMatchObject([204, [{ code: "unknown_person" }]]);
  });
});
