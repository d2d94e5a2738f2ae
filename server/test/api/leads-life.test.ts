import { beforeAll, describe, expect, test } from "vitest";
import { feature as contacts } from "../../src/features/crm/contacts/index.ts";
import { feature as leads } from "../../src/features/crm/leads/index.ts";
import { auditLog, changes, walk } from "../harness/lists.ts";
import { placesOf } from "../harness/marks.ts";
import { type Json, keptDaysAgo, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;

beforeAll(async () => {
  partner = await world.newPartner();
});

const call = (method: string, path: string, body?: unknown, key = partner.key) => world.call(method, `/v1${path}`, { key, body });

const runAll = async () => {
  const { db } = world.app.services;
  const ctx = { db, owner: db, clock: world.clock };
  for (const job of contacts.jobs?.(world.app.services, "03:00") ?? []) await job.run(ctx);
  return (leads.jobs?.(world.app.services, "03:00") ?? [])[0]?.run(ctx);
};

const marked = {
  name: "Zebulon Quux",
  email: "zebulon@quux.example",
  company: "Quuxworks",
  title: "Quuxer",
  notes: "quux notes",
  tags: ["quux"],
  external_id: "quux-1",
  status: "disqualified",
  reason: "quux said no",
  source: { kind: "form", url: "https://quux.example/", click_id: "quux-click", utm: { term: "quux" } },
};

describe("an erasure", () => {
  test("leaves nothing of the person in any table, and stays in the log", async () => {
    const erasing = await world.newPartner();
    const lead = await world.newLead(erasing, { ...marked, phone: "+14155559801" });
    await call("POST", `/leads/${lead.id}/notes`, { body: "Quux called" }, erasing.key);
    expect(await placesOf(world, "quux")).toEqual(expect.arrayContaining(["leads", "record_notes"]));
    expect((await call("POST", `/leads/${lead.id}/erase`, undefined, erasing.key)).status).toBe(204);
    for (const text of ["quux", "zebulon", "14155559801"]) expect([text, await placesOf(world, text)]).toEqual([text, []]);
    expect((await call("GET", `/leads/${lead.id}`, undefined, erasing.key)).status).toBe(404);
    expect(await auditLog(world, erasing.key, { action: "leads.erase" })).toHaveLength(1);
    expect((await changes(world, erasing.key)).at(-1)).toMatchObject({ id: lead.id, change: "erased" });
    expect((await call("POST", `/leads/${lead.id}/erase`, undefined, erasing.key)).status).toBe(204);
    expect(await auditLog(world, erasing.key, { action: "leads.erase" })).toHaveLength(1);
  });

  test("of a contact takes what it was before a lead added to it, at once, and the lead with the night", async () => {
    const erasing = await world.newPartner();
    const there = await world.newContact(erasing, { name: "Zeb Quux", phone: "+14155559802" });
    const { status: _, reason: __, ...fields } = marked;
    const lead = await world.newLead(erasing, { ...fields, phone: there.phone });
    await call("POST", `/leads/${lead.id}/notes`, { body: "Quux called" }, erasing.key);
    await call("POST", `/leads/${lead.id}/convert`, { contact: { name: "Zebulon" } }, erasing.key);
    expect(await placesOf(world, "quux")).toEqual(expect.arrayContaining(["contacts", "record_images", "leads", "record_notes"]));
    await call("POST", `/contacts/${there.id}/erase`, undefined, erasing.key);
    expect(await placesOf(world, "quux")).toEqual(["leads"]);
    expect((await call("POST", `/leads/${lead.id}/unconvert`, undefined, erasing.key)).body.reason).toBe("contact_gone");
    expect(await runAll()).toBe("1 leads erased, 0 deals of leads");
    for (const text of ["quux", "zebulon", "14155559802"]) expect([text, await placesOf(world, text)]).toEqual([text, []]);
    await runAll();
    const told = (await changes(world, erasing.key)).filter(({ id, change }) => id === lead.id && change === "erased");
    expect(told).toMatchObject([{ resource: "lead", account_id: lead.account_id, version: 4 }]);
    expect(await auditLog(world, erasing.key, { action: "leads.erase" })).toMatchObject([{ target: lead.id }]);
  });

  test("comes by itself 30 days after a lead was deleted, and not before", async () => {
    const [old, young] = [await world.newLead(partner, { name: "Xanthippe" }), await world.newLead(partner, { name: "Xerxes" })];
    for (const { id } of [old, young]) await call("DELETE", `/leads/${id}`);
    // The job asks the database's clock too, so the deletions are moved and not the time.
    const deleted = "update leads set deleted_at = $2 where id = $1";
    await world.db.sql(deleted, [old.id, keptDaysAgo(world, 31)]);
    await world.db.sql(deleted, [young.id, keptDaysAgo(world, 29)]);
    expect(await runAll()).toBe("1 leads erased, 0 deals of leads");
    expect([await placesOf(world, "xanthippe"), await placesOf(world, "xerxes")]).toEqual([[], ["leads"]]);
    expect((await changes(world, partner.key)).at(-1)).toMatchObject({ id: old.id, change: "erased", version: 3 });
  });
});

describe("many at once", () => {
  const bulk = (body: object) => call("POST", "/leads/bulk", body);

  test("are made each as if alone: what is refused says why and undoes nothing else", async () => {
    const phone = nextPhone();
    const { status, body } = await bulk({
      action: "create",
      leads: [
        { phone },
        { phone },
        {},
        { name: "Near", phone: "+1 415 555 2671" },
        { name: "Two", status: "converted" },
        { name: "One" },
      ],
    });
    expect([status, body.succeeded, body.failed]).toEqual([200, 2, 4]);
    expect(body.data[1].error).toMatchObject({ code: "duplicate_lead", existing_id: body.data[0].id });
    expect(body.data.map(({ error }: Json) => error?.errors?.[0]?.code ?? error?.code ?? null)).toEqual([
      null,
      "duplicate_lead",
      "identity_required",
      "invalid_phone",
      "enum",
      null,
    ]);
  });

  test("are changed, tagged, untagged and deleted", async () => {
    const [a, b] = [(await world.newLead(partner)).id, (await world.newLead(partner)).id];
    const changed = await bulk({
      action: "update",
      leads: [
        { id: a, status: "working" },
        { id: b, status: "qualified" },
        { id: a, status: "qualified" },
      ],
    });
    expect(changed.body.data.map(({ status, error }: Json) => error?.code ?? status)).toEqual([
      "ok",
      "invalid_state_transition",
      "ok",
    ]);
    expect((await bulk({ action: "tag", lead_ids: [a, b], tags: ["x"] })).body.succeeded).toBe(2);
    expect((await bulk({ action: "untag", lead_ids: [a, b], tags: ["y"] })).body.unchanged).toBe(2);
    expect((await bulk({ action: "delete", lead_ids: [a] })).body.succeeded).toBe(1);
    expect((await walk(world, partner.key, "/v1/leads", { tag: "x" })).map(({ id }) => id)).toEqual([b]);
  });
});
