import { beforeAll, describe, expect, test } from "vitest";
import type { Scope } from "../../src/kernel/scopes.ts";
import { ROW_LOCKS, TABLE_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { sendFile, untilOver } from "../harness/imports.ts";
import { auditLog, changes, walk } from "../harness/lists.ts";
import { newUser } from "../harness/people.ts";
import { BASE, type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const hold = useHolds(() => world.db.connect());
let partner: TestPartner;

beforeAll(async () => {
  partner = await world.newPartner();
});

const call = (method: string, path: string, body?: unknown, headers = {}) =>
  world.call(method, `/v1${path}`, { key: partner.key, body, headers });
const convert = (id: string, body?: object) => call("POST", `/leads/${id}/convert`, body);
const unconvert = (id: string) => call("POST", `/leads/${id}/unconvert`);

describe("a conversion", () => {
  test("makes a contact of what the lead has, and tells lead, log and followers of it", async () => {
    const lead = await world.newLead(partner, {
      name: "Ada Okafor",
      phone: nextPhone(),
      email: "ada@convert.example",
      company: "Harbour Dental",
      tags: ["a"],
      notes: "Asked for prices.",
    });
    const { status, body } = await convert(lead.id, { contact: { company: "Harbour Group", tags: ["b"], external_id: "crm-1" } });
    expect([status, body.deal]).toEqual([200, null]);
    expect(body.contact).toMatchObject({
      account_id: lead.account_id,
      name: "Ada Okafor",
      phone: lead.phone,
      email: "ada@convert.example",
      company: "Harbour Group",
      tags: ["a", "b"],
      notes: "Asked for prices.",
      external_id: "crm-1",
    });
    expect(body.lead).toMatchObject({
      status: "converted",
      converted: { at: world.clock.now().toISOString(), contact_id: body.contact.id, deal_id: null },
      version: 2,
      score: lead.score,
    });
    const [told] = await world.db.sql("select change, detail from change_feed where subject = $1 and subject_version = 2", [
      lead.id,
    ]);
    expect(told).toEqual({
      change: "converted",
      detail: { from_status: "new", to_status: "converted", contact_id: body.contact.id, deal_id: null },
    });
    const [entry] = await auditLog(world, partner.key, { action: "leads.convert" });
    expect(entry).toMatchObject({ target: lead.id, changes: { contact_id: { from: null, to: body.contact.id } } });
  });

  test("is found by the contact, also after that contact was merged into another", async () => {
    const lead = await world.newLead(partner, { phone: nextPhone() });
    const { contact } = (await convert(lead.id)).body;
    const of = async (id: string) => (await call("GET", `/leads?contact_id=${id}`)).body.data.map((found: Json) => found.id);
    expect(await of(contact.id)).toEqual([lead.id]);
    const other = (await call("POST", "/contacts", { name: "Other", phone: nextPhone() })).body;
    expect(await of(other.id)).toEqual([]);
    await call("POST", `/contacts/${other.id}/merge`, { from_id: contact.id });
    expect(await of(other.id)).toEqual([lead.id]);
  });

  test("of a lead without a name calls the contact by what is known", async () => {
    const lead = await world.newLead(partner, { name: null, phone: nextPhone(), email: "nameless@convert.example" });
    expect((await convert(lead.id)).body.contact.name).toBe("nameless@convert.example");
  });

  test("needs a phone from somewhere", async () => {
    const lead = await world.newLead(partner, { email: "phoneless@convert.example" });
    const refused = await convert(lead.id);
    expect([refused.status, refused.body.code]).toEqual([422, "phone_required"]);
    expect((await call("GET", `/leads/${lead.id}`)).body).toEqual(lead);
    const phone = nextPhone();
    expect((await convert(lead.id, { contact: { phone } })).body.contact.phone).toBe(phone);
    await world.newContact(partner, { email: "known@convert.example" });
    const known = await world.newLead(partner, { email: "KNOWN@convert.example" });
    expect((await convert(known.id)).status).toBe(200);
  });

  test("points to what is wrong within the contact or the deal", async () => {
    const lead = await world.newLead(partner, { email: "pointed@convert.example" });
    const pointerOf = async (body: object) => (await convert(lead.id, body)).body.errors[0].pointer;
    expect(await pointerOf({ contact: { phone: "+1 415 555 2671" } })).toBe("#/contact/phone");
    const phone = nextPhone();
    const user = "usr_01jd3k5y5cf7m8n9p0q1r2s3t4";
    expect(await pointerOf({ contact: { phone, owner_id: user } })).toBe("#/contact/owner_id");
    expect(await pointerOf({ contact: { phone, custom: { size: 1 } } })).toBe("#/contact/custom/size");
    expect(await pointerOf({ contact: { phone }, deal: { owner_id: user } })).toBe("#/deal/owner_id");
    expect(await pointerOf({ contact: { phone }, deal: { custom: { size: 1 } } })).toBe("#/deal/custom/size");
    expect((await call("GET", `/leads/${lead.id}`)).body).toEqual(lead);
  });

  test("finds the contact that is there, and adds only what it lacks, the tags and what is given", async () => {
    const there = await world.newContact(partner, { name: "Ada O.", company: "Acme", tags: ["old"] });
    const lead = await world.newLead(partner, {
      phone: there.phone,
      email: "found@convert.example",
      company: "Other",
      notes: "New notes",
      tags: ["new"],
    });
    const { body } = await convert(lead.id, { contact: { name: "Ada Okafor" } });
    expect(body.contact).toMatchObject({
      id: there.id,
      name: "Ada Okafor",
      company: "Acme",
      email: "found@convert.example",
      notes: "New notes",
      tags: ["old", "new"],
      version: 2,
    });
  });

  test("passes on an owner who is still there, and no other; one that the request names is checked", async () => {
    const [stays, leaves] = [await newUser(world, partner), await newUser(world, partner, { role: "member" })];
    const owned = (owner_id: string, phone = nextPhone()) => world.newLead(partner, { phone, owner_id });
    const kept = await owned(stays.id);
    const there = await world.newContact(partner);
    const [fresh, found] = [await owned(leaves.id), await owned(leaves.id, there.phone)];
    expect((await world.call("DELETE", `${BASE}/users/${leaves.id}`, { key: partner.key })).status).toBe(204);
    const ownersOf = ({ body }: Json) => [body.lead, body.contact, body.deal].map(({ owner_id }) => owner_id);
    expect(ownersOf(await convert(kept.id, { deal: {} }))).toEqual([stays.id, stays.id, stays.id]);
    const named = await convert(fresh.id, { contact: { owner_id: leaves.id } });
    expect(named.body.errors).toMatchObject([{ pointer: "#/contact/owner_id", code: "unknown_user" }]);
    expect(ownersOf(await convert(fresh.id, { deal: {} }))).toEqual([leaves.id, null, null]);
    expect(ownersOf(await convert(found.id, { deal: { owner_id: stays.id } }))).toEqual([leaves.id, null, stays.id]);
  });

  test("that means two contacts changes nothing and names both", async () => {
    const one = await world.newContact(partner);
    const two = await world.newContact(partner, { email: "two@convert.example" });
    const lead = await world.newLead(partner, { phone: one.phone, email: two.email });
    const { status, body } = await convert(lead.id);
    expect([status, body.code, body.candidates.map(({ id }: Json) => id)]).toEqual([409, "ambiguous_match", [one.id, two.id]]);
    expect((await call("GET", `/leads/${lead.id}`)).body.version).toBe(1);
  });

  test("asked for again answers what came of the first, whatever is asked for now", async () => {
    const lead = await world.newLead(partner, { phone: nextPhone() });
    const first = await convert(lead.id);
    expect((await convert(lead.id, { contact: { name: "Another" } })).body).toEqual(first.body);
    await call("DELETE", `/contacts/${first.body.contact.id}`);
    expect((await convert(lead.id)).body).toEqual({ ...first.body, contact: null });
  });

  test("asked for many times at once makes one contact and one deal", async () => {
    const crowd = await world.newPartner();
    const { id: account_id } = await world.newClient(crowd);
    const lead = await world.newLead(crowd, { account_id, phone: nextPhone() });
    const twin = await world.newLead(crowd, { account_id, email: "twin@convert.example" });
    const again = { key: crowd.key, body: { contact: { phone: lead.phone }, deal: {} } };
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        world.call("POST", `/v1/leads/${index % 2 === 0 ? lead.id : twin.id}/convert`, again),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(new Set(replies.map(({ body }) => body.contact.id)).size).toBe(1);
    expect(await walk(world, crowd.key, "/v1/contacts")).toHaveLength(1);
    expect(await walk(world, crowd.key, "/v1/deals")).toHaveLength(2);
    const converted = (await changes(world, crowd.key)).filter(({ change }) => change === "converted");
    expect(converted).toHaveLength(2);
  });

  test("is not for a lead that is disqualified", async () => {
    const lead = await world.newLead(partner, { phone: nextPhone(), status: "disqualified" });
    const { status, body } = await convert(lead.id);
    expect([status, body.code, body.allowed]).toEqual([409, "invalid_state_transition", ["working"]]);
  });

  test("opens a deal with the contact when one is wanted, named after the company, or nothing at all", async () => {
    const client = await world.newClient(partner);
    const lead = await world.newLead(partner, { phone: nextPhone(), company: "Harbour Dental", account_id: client.id });
    const wrong = await convert(lead.id, { deal: { stage: "No such stage" } });
    expect([wrong.status, wrong.body.code]).toEqual([422, "stage_not_in_pipeline"]);
    expect((await call("GET", `/leads/${lead.id}`)).body).toEqual(lead);
    expect(await walk(world, partner.key, "/v1/contacts", { account_id: client.id })).toEqual([]);
    const { body } = await convert(lead.id, { deal: { amount_cents: 120_000, stage: "qualified" } });
    expect(body.deal).toMatchObject({
      name: "Harbour Dental",
      amount_cents: 120_000,
      stage: "Qualified",
      contact_id: body.contact.id,
      lead_id: lead.id,
      account_id: client.id,
    });
    expect(body.lead.converted.deal_id).toBe(body.deal.id);
    expect((await convert(lead.id)).body.deal.id).toBe(body.deal.id);
  });

  test("is not a way for a key that has leads alone to get at contacts or deals", async () => {
    const there = await world.newContact(partner, { name: "Private" });
    const lead = await world.newLead(partner, { phone: there.phone });
    const ask = async (scopes: Scope[], method: string, body?: object) =>
      world.call("POST", `/v1/leads/${lead.id}/${method}`, { key: await world.newKey(partner, { scopes }), body });
    for (const [scopes, body, required_scope] of [
      [["leads:write", "leads:read"], undefined, "contacts:write"],
      [["leads:write", "contacts:write"], { deal: {} }, "deals:write"],
    ] as const) {
      const { status, body: refusal } = await ask([...scopes], "convert", body);
      expect([status, refusal.code, refusal.required_scope]).toEqual([403, "insufficient_scope", required_scope]);
    }
    expect((await call("GET", `/contacts/${there.id}`)).body).toEqual(there);
    await convert(lead.id, { deal: { name: lead.id } });
    expect((await ask(["leads:write", "contacts:write"], "convert")).body).toMatchObject({
      contact: { id: there.id },
      deal: null,
    });
    expect((await ask(["leads:write"], "unconvert")).body.required_scope).toBe("contacts:write");
    expect((await ask(["leads:write", "contacts:write"], "unconvert")).body.required_scope).toBe("deals:write");
  });

  test("shows the notes and the timeline of the lead beside the contact", async () => {
    const lead = await world.newLead(partner, { phone: nextPhone() });
    const note = await call("POST", `/leads/${lead.id}/notes`, { body: "First call" });
    const { contact } = (await convert(lead.id)).body;
    const notes = await walk(world, partner.key, `/v1/contacts/${contact.id}/notes`);
    expect(notes.map(({ id, record_id }) => [id, record_id])).toEqual([[note.body.id, lead.id]]);
    const mended = await call("PATCH", `/contacts/${contact.id}/notes/${note.body.id}`, { body: "First call, mended" });
    expect(mended.status).toBe(200);
    const actions = (await walk(world, partner.key, `/v1/contacts/${contact.id}/timeline`)).map(({ action }) => action);
    expect(actions.toSorted()).toEqual([
      "contacts.create",
      "contacts.update_note",
      "leads.convert",
      "leads.create",
      "leads.create_note",
    ]);
  });
});

describe("a conversion taken back", () => {
  test("leaves the lead where it was and no contact, and can be made again", async () => {
    const lead = await world.newLead(partner, { phone: nextPhone(), status: "working" });
    const { contact, deal } = (await convert(lead.id, { deal: { name: "Ten seats" } })).body;
    const { etag = "" } = (await call("GET", `/leads/${lead.id}`)).headers;
    const { status, body } = await call("POST", `/leads/${lead.id}/unconvert`, undefined, { "if-match": etag });
    expect([status, { ...body, version: 1 }]).toEqual([200, lead]);
    expect((await call("GET", `/contacts/${contact.id}`)).status).toBe(404);
    expect((await call("GET", `/deals/${deal.id}`)).status).toBe(404);
    const told = (await changes(world, partner.key)).filter(({ id }) => id === lead.id).map(({ change }) => change);
    expect(told).toEqual(["created", "converted", "restored"]);
    expect((await convert(lead.id)).body.contact.id).not.toBe(contact.id);
  });

  test("gives a contact that was filled its own values back", async () => {
    const there = await world.newContact(partner, { tags: ["old"] });
    const lead = await world.newLead(partner, { phone: there.phone, company: "Acme", tags: ["new"] });
    await convert(lead.id, { contact: { name: "Another" } });
    expect((await unconvert(lead.id)).status).toBe(200);
    expect((await call("GET", `/contacts/${there.id}`)).body).toEqual({ ...there, version: 3 });
  });

  const contactOf = async (lead: Json) => (await convert(lead.id)).body.contact.id;
  const OBSTACLES: Record<string, (lead: Json) => Promise<unknown>> = {
    not_converted: async () => undefined,
    contact_changed: async (lead) => call("PATCH", `/contacts/${await contactOf(lead)}`, { name: "Changed" }),
    contact_gone: async (lead) => call("DELETE", `/contacts/${await contactOf(lead)}`),
    contact_in_use: async (lead) => call("POST", "/deals", { name: "Seats", contact_id: await contactOf(lead) }),
    identity_taken: async (lead) => {
      await contactOf(lead);
      await world.newLead(partner, { phone: lead.phone });
    },
    deal_changed: async (lead) => {
      const { deal } = (await convert(lead.id, { deal: { name: lead.id } })).body;
      await call("PATCH", `/deals/${deal.id}`, { amount_cents: 7 });
    },
    deal_gone: async (lead) => call("DELETE", `/deals/${(await convert(lead.id, { deal: { name: lead.id } })).body.deal.id}`),
    too_old: async (lead) => {
      await contactOf(lead);
      world.clock.advance(86_400_001);
    },
  };

  test.each(Object.keys(OBSTACLES))("is refused with the reason %s, and nothing changes", async (reason) => {
    const lead = await world.newLead(partner, { phone: nextPhone() });
    await OBSTACLES[reason]?.(lead);
    const before = (await call("GET", `/leads/${lead.id}`)).body;
    const { status, body } = await unconvert(lead.id);
    expect([status, body.code, body.reason]).toEqual([409, "conversion_not_undoable", reason]);
    expect((await call("GET", `/leads/${lead.id}`)).body).toEqual(before);
  });

  test("is refused when a deal of the contact was made while it waited", async () => {
    const lead = await world.newLead(partner, { phone: nextPhone() });
    const contact_id = await contactOf(lead);
    const held = await hold("select from contacts where partner_id = $1 and id = $2 for share", [partner.partner_id, contact_id]);
    const undone = unconvert(lead.id);
    await untilWaiting(world.db.sql, ROW_LOCKS, 1);
    expect((await call("POST", "/deals", { name: "Seats", contact_id })).status).toBe(201);
    await held.release();
    expect((await undone).body.reason).toBe("contact_in_use");
  });

  test("is refused when an import of deals with the contact was under way", async () => {
    const { id: account_id } = await world.newClient(partner);
    const lead = await world.newLead(partner, { account_id, phone: nextPhone() });
    const contact_id = await contactOf(lead);
    const held = await hold("lock table deals in share mode");
    const csv = `name,contact_id\nSeats,${contact_id}\nDesks,${contact_id}\n`;
    const { body: begun } = await sendFile(world, partner, csv, { resource: "deal", account_id });
    await untilWaiting(world.db.sql, TABLE_LOCKS, 1);
    const undone = unconvert(lead.id);
    await Promise.race([undone, untilWaiting(world.db.sql, ROW_LOCKS, 1)]);
    await held.release();
    expect(await untilOver(world, partner, begun.id)).toMatchObject({ status: "completed", created: 2 });
    expect((await undone).body.reason).toBe("contact_in_use");
  });

  test("is refused when somebody has written a note beside the contact that was made", async () => {
    const lead = await world.newLead(partner, { phone: nextPhone() });
    await call("POST", `/contacts/${await contactOf(lead)}/notes`, { body: "Called." });
    expect((await unconvert(lead.id)).body.reason).toBe("contact_changed");
  });

  test("leaves a contact alone that it had added nothing to, whatever became of it", async () => {
    const there = await world.newContact(partner);
    const lead = await world.newLead(partner, { phone: there.phone });
    await convert(lead.id);
    await call("PATCH", `/contacts/${there.id}`, { name: "Changed" });
    expect((await unconvert(lead.id)).status).toBe(200);
    expect((await call("GET", `/contacts/${there.id}`)).body).toMatchObject({ name: "Changed", version: 2 });
  });

  test("by two at once is done once", async () => {
    const lead = await world.newLead(partner, { phone: nextPhone() });
    await convert(lead.id);
    const replies = await Promise.all([unconvert(lead.id), unconvert(lead.id)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});
