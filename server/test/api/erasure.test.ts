import { expect, test } from "vitest";
import { FEATURES } from "../../src/surfaces/features.ts";
import { moveDeal, newDeal } from "../harness/deals.ts";
import { auditLog, changes } from "../harness/lists.ts";
import { placesOf } from "../harness/marks.ts";
import { BASE, GENERAL, type Json, keptDaysAgo, useWorld } from "../harness/world.ts";

const world = useWorld();
const MARK = "quux";

/** Runs every scheduled job of the records once. */
async function runJobs(): Promise<void> {
  const { clock, app } = world;
  const { services } = app;
  for (const { name, jobs } of FEATURES)
    if (name.startsWith("crm/"))
      for (const job of jobs?.(services, "03:00") ?? []) await job.run({ db: services.db, owner: services.db, clock });
}

async function markedPerson() {
  const partner = await world.newPartner();
  const post = async (path: string, body: object = {}): Promise<Json> => {
    const reply = await world.call("POST", `${GENERAL}${path}`, { key: partner.key, body });
    if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
    return reply.body;
  };
  for (const resource of ["contact", "lead", "deal"])
    await post("/custom-fields", { resource, key: "nick", type: "text", label: "Nickname" });
  const marked = { notes: "quux notes", tags: [MARK], custom: { nick: "Quuxy" } };
  const person = { name: "Zebulon Quux", phone: "+14155559701", email: "zebulon@quux.example" };
  const lead = await post("/leads", { ...person, ...marked, company: "Quuxworks", title: "Quuxer", external_id: "quux-lead" });
  await post(`/leads/${lead.id}/notes`, { body: "Quux called" });
  const named = { notes: "of quux", custom: { nick: "Quuxy" }, contact: person };
  const { contact, deal } = await post(`/leads/${lead.id}/convert`, { contact: marked, deal: named });
  await post(`/deals/${deal.id}/notes`, { body: "Quux wrote" });
  await moveDeal(world, partner, deal.id, { stage: "Lost", lost_reason: "Quux left", note: "Told by Quux" });
  const other = await post("/contacts", { name: "Z. Quux", phone: "+14155559702" });
  const sale = await post("/deals", {
    company: "Harbour 4711 Dental",
    plan: "Growth",
    name: "For Quux",
    contact: person,
    contact_id: other.id,
  });
  await post(`/contacts/${contact.id}/merge`, { from_id: other.id });
  await world.call("PUT", `${GENERAL}/contacts/${contact.id}/consent`, {
    key: partner.key,
    body: { sms: { status: "granted", source: "quux form" } },
  });
  return { partner, contact, deal, sale };
}

test("an erased contact leaves no trace in its leads, its deals, their notes, history and claims, once the night's jobs ran", async () => {
  const { partner, contact, deal, sale } = await markedPerson();
  const places = ["contacts", "leads", "deals", "deal_stages", "record_notes", "contact_merges", "registration_claims"];
  expect(await placesOf(world, MARK)).toEqual(expect.arrayContaining(places));
  const erased = await world.call("POST", `${GENERAL}/contacts/${contact.id}/erase`, { key: partner.key });
  expect(erased.status).toBe(204);
  await runJobs();
  for (const text of [MARK, "zebulon", "1415555970"]) expect([text, await placesOf(world, text)]).toEqual([text, []]);
  const get = async (id: string) => (await world.call("GET", `${GENERAL}/deals/${id}`, { key: partner.key })).body;
  expect(await get(deal.id)).toMatchObject({ name: "Erased", company: null, contact: null, status: "lost", lost_reason: null });
  const company = "Harbour 4711 Dental";
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
