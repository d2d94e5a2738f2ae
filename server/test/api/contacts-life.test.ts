import { beforeAll, describe, expect, test } from "vitest";
import { feature as contacts } from "../../src/features/crm/contacts/index.ts";
import { auditLog, changes, walk } from "../harness/lists.ts";
import { placesOf } from "../harness/marks.ts";
import { BASE, keptDaysAgo, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;

beforeAll(async () => {
  partner = await world.newPartner();
});

const call = (method: string, path: string, body?: unknown, key = partner.key) =>
  world.call(method, `/v1/contacts${path}`, { key, body });

describe("consent", () => {
  test("is unknown until something is said, then has its source, its time and its history", async () => {
    const { id } = await world.newContact(partner);
    const nothing = { status: "unknown", source: null, at: null };
    expect((await call("GET", `/${id}/consent`)).body).toEqual({
      sms: nothing,
      email: nothing,
      whatsapp: nothing,
      calls: nothing,
      history: [],
    });
    await call("PUT", `/${id}/consent`, { sms: { status: "granted", source: "Form", at: "2026-10-01T08:00:00Z" } });
    world.clock.advance(1_000);
    const { body, headers } = await call("PUT", `/${id}/consent`, { sms: { status: "denied", source: "STOP" } });
    expect([body.sms, body.email, headers.etag]).toEqual([
      { status: "denied", source: "STOP", at: world.clock.now().toISOString() },
      nothing,
      '"3"',
    ]);
    expect(body.history.map(({ channel, status, source }: Record<string, string>) => [channel, status, source])).toEqual([
      ["sms", "denied", "STOP"],
      ["sms", "granted", "Form"],
    ]);
    expect((await call("GET", `/${id}`)).body.consent.sms).toBe("denied");
    await call("PUT", `/${id}/consent`, { sms: { status: "denied", source: "STOP" } });
    expect((await call("GET", `/${id}/consent`)).body.history).toHaveLength(2);
  });

  test("cannot have been given in the future", async () => {
    const { id } = await world.newContact(partner);
    const { status, body } = await call("PUT", `/${id}/consent`, { calls: { status: "granted", at: "2099-01-01T00:00:00Z" } });
    expect([status, body.errors[0]]).toMatchObject([422, { pointer: "#/calls/at", code: "in_future" }]);
  });
});

test("notes are written, changed, listed newest first and deleted, each with its version", async () => {
  const { id } = await world.newContact(partner);
  const first = await call("POST", `/${id}/notes`, { body: "First" });
  const second = await call("POST", `/${id}/notes`, { body: "Second" });
  expect([first.status, first.body]).toMatchObject([201, { record_id: id, body: "First", version: 1 }]);
  const changed = await call("PATCH", `/${id}/notes/${first.body.id}`, { body: "Mended" });
  expect(changed.body).toMatchObject({ body: "Mended", version: 2 });
  const notes = async () => (await walk(world, partner.key, `/v1/contacts/${id}/notes`, { limit: 1 })).map(({ body }) => body);
  expect(await notes()).toEqual(["Second", "Mended"]);
  expect((await call("DELETE", `/${id}/notes/${second.body.id}`)).status).toBe(204);
  expect(await notes()).toEqual(["Mended"]);
  const other = await world.newContact(partner);
  expect((await call("PATCH", `/${other.id}/notes/${first.body.id}`, { body: "Stolen" })).status).toBe(404);
});

test("the timeline has what was done to a contact, newest first, with notes as they are now", async () => {
  const { id } = await world.newContact(partner, { tags: ["a"] });
  await call("PATCH", `/${id}`, { tags: ["b"], name: "Private Name" });
  const note = await call("POST", `/${id}/notes`, { body: "First words" });
  await call("PATCH", `/${id}/notes/${note.body.id}`, { body: "Last words" });
  await call("PUT", `/${id}/consent`, { sms: { status: "granted" } });
  const from = await world.newContact(partner);
  await call("POST", `/${id}/merge`, { from_id: from.id });
  const entries = await walk(world, partner.key, `/v1/contacts/${id}/timeline`, { limit: 2 });
  expect(entries.map(({ type, action, record_id }) => [type, action, record_id === id])).toEqual([
    ["merge", "contacts.merge", false],
    ["merge", "contacts.merge", true],
    ["change", "contacts.create", false],
    ["consent", "contacts.set_consent", true],
    ["note", "contacts.update_note", true],
    ["note", "contacts.create_note", true],
    ["change", "contacts.update", true],
    ["change", "contacts.create", true],
  ]);
  expect(entries[3].changes).toEqual({ sms: { from: "unknown", to: "granted" } });
  expect([entries[4].note, entries[5].note]).toEqual(["Last words", "Last words"]);
  expect(entries[6].changes).toEqual({ name: "redacted", tags: "redacted" });
  expect(entries[7].actor.type).toBe("key");
});

test("the client's own activity does not tell what was done in its account", async () => {
  const client = await world.newClient(partner);
  await world.newContact(partner, { account_id: client.id });
  const entries = await walk(world, partner.key, `/clients/${client.id}/activity`);
  expect(entries.filter(({ type }) => type === "audit").map(({ name }) => name)).toEqual(["clients.create"]);
});

describe("an erasure", () => {
  test("leaves nothing of the person in any table, not of one merged into it either, and stays in the log", async () => {
    const erasing = await world.newPartner();
    const marked = {
      name: "Zebulon Quux",
      email: "zebulon@quux.example",
      company: "Quuxworks",
      notes: "quux notes",
      tags: ["quux"],
      external_id: "quux-1",
    };
    const into = await world.newContact(erasing, { ...marked, phone: "+14155559901" });
    const from = await world.newContact(erasing, { name: "Z. Quux", phone: "+14155559902", email: "z@quux.example" });
    await call("POST", `/${from.id}/notes`, { body: "Quux called" }, erasing.key);
    await call("PUT", `/${into.id}/consent`, { sms: { status: "granted", source: "quux form" } }, erasing.key);
    const merged = await call("POST", `/${into.id}/merge`, { from_id: from.id }, erasing.key);
    expect(await placesOf(world, "quux")).toEqual(
      expect.arrayContaining(["contacts", "contact_merges", "contact_consents", "record_notes"]),
    );
    expect((await call("POST", `/${into.id}/erase`, undefined, erasing.key)).status).toBe(204);
    for (const text of ["quux", "zebulon", "1415555990"]) {
      expect([text, await placesOf(world, text)]).toEqual([text, []]);
    }
    expect((await call("GET", `/${into.id}`, undefined, erasing.key)).status).toBe(404);
    expect((await call("POST", `/merges/${merged.body.id}/undo`, undefined, erasing.key)).body.reason).toBe("erased");
    const entries = await auditLog(world, erasing.key, { action: "contacts.erase" });
    expect(entries.map(({ target }) => target).toSorted()).toEqual([into.id, from.id].toSorted());
    expect((await changes(world, erasing.key)).filter(({ change }) => change === "erased")).toHaveLength(2);
    expect((await call("POST", `/${into.id}/erase`, undefined, erasing.key)).status).toBe(204);
    expect(await auditLog(world, erasing.key, { action: "contacts.erase" })).toHaveLength(2);
  });

  test("is done in a suspended client's account too", async () => {
    const client = await world.newClient(partner);
    const { id } = await world.newContact(partner, { account_id: client.id });
    await world.call("POST", `${BASE}/clients/${client.id}/suspend`, { key: partner.key });
    expect((await call("POST", `/${id}/erase`)).status).toBe(204);
  });

  test("comes by itself 30 days after a contact was deleted, and not before", async () => {
    const [old, young] = [
      await world.newContact(partner, { name: "Xanthippe" }),
      await world.newContact(partner, { name: "Xerxes" }),
    ];
    for (const { id } of [old, young]) await call("DELETE", `/${id}`);
    // The job asks the database's clock too, so the deletions are moved and not the time.
    const deleted = "update contacts set deleted_at = $2 where id = $1";
    await world.db.sql(deleted, [old.id, keptDaysAgo(world, 31)]);
    await world.db.sql(deleted, [young.id, keptDaysAgo(world, 29)]);
    const { clock, app } = world;
    const [job] = contacts.jobs?.(app.services, "03:00") ?? [];
    expect(await job?.run({ db: app.services.db, owner: app.services.db, clock })).toBe("1 contacts erased");
    expect([await placesOf(world, "xanthippe"), await placesOf(world, "xerxes")]).toEqual([[], ["contacts"]]);
    expect((await changes(world, partner.key)).at(-1)).toMatchObject({ id: old.id, change: "erased", version: 3 });
    expect(await auditLog(world, partner.key, { action: "contacts.erase", target: old.id })).toHaveLength(1);
  });
});

describe("many at once", () => {
  const bulk = (body: object) => call("POST", "/bulk", body);

  test("are made each as if alone: what is refused says why and undoes nothing else", async () => {
    const taken = await world.newContact(partner);
    const [one, two] = [nextPhone(), nextPhone()];
    const { status, body } = await bulk({
      action: "create",
      contacts: [
        { name: "One", phone: one },
        { name: "Again", phone: one },
        { name: "Taken", phone: taken.phone },
        { phone: two },
        { name: "Near", phone: "+1 415 555 2671" },
        { name: "Two", phone: two },
      ],
    });
    expect([status, body.succeeded, body.failed]).toEqual([200, 2, 4]);
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual(["ok", "error", "error", "error", "error", "ok"]);
    expect(body.data[1].error).toMatchObject({ code: "duplicate_contact", existing_id: body.data[0].id });
    expect(body.data[2].error.existing_id).toBe(taken.id);
    expect(body.data[3].error).toMatchObject({ code: "validation_failed", errors: [{ pointer: "#/name", code: "required" }] });
    expect(body.data[4].error).toMatchObject({ code: "invalid_phone", suggestion: "+14155552671" });
  });

  test("are changed, tagged, untagged and deleted, in the order asked", async () => {
    const contacts = [await world.newContact(partner), await world.newContact(partner), await world.newContact(partner)];
    const [a, b, c] = contacts.map(({ id }) => id);
    const changed = await bulk({
      action: "update",
      contacts: [
        { id: a, name: "A" },
        { id: b, phone: contacts[2].phone },
        { id: c, name: contacts[2].name },
        { name: "nobody" },
        { id: a, company: "A Ltd" },
      ],
    });
    expect(
      changed.body.data.map(({ status, error }: { status: string; error?: { code: string } }) => error?.code ?? status),
    ).toEqual(["ok", "duplicate_contact", "unchanged", "validation_failed", "ok"]);
    expect((await call("GET", `/${a}`)).body).toMatchObject({ name: "A", company: "A Ltd", version: 3 });
    expect((await bulk({ action: "tag", contact_ids: [a, b], tags: ["x"] })).body).toMatchObject({ succeeded: 2 });
    expect((await bulk({ action: "untag", contact_ids: [b, c], tags: ["x"] })).body).toMatchObject({
      succeeded: 1,
      unchanged: 1,
    });
    const gone = await bulk({ action: "delete", contact_ids: [a, "con_01jd3k5y5cf7m8n9p0q1r2s3t4", b] });
    expect(gone.body.data.map(({ status }: { status: string }) => status)).toEqual(["ok", "error", "ok"]);
    expect((await call("GET", `/${a}`)).status).toBe(404);
  });

  test("two calls that want the same contacts in opposite orders both end, and each phone is one contact's", async () => {
    const phones = Array.from({ length: 40 }, nextPhone);
    const contacts = phones.map((phone) => ({ name: "Twin", phone }));
    const replies = await Promise.all([
      bulk({ action: "create", contacts }),
      bulk({ action: "create", contacts: contacts.toReversed() }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies.reduce((sum, { body }) => sum + body.succeeded, 0)).toBe(40);
  });

  test("takes 500 and not one more, and what belongs to another action is refused", async () => {
    const contacts = Array.from({ length: 500 }, () => ({ name: "Many", phone: nextPhone() }));
    expect((await bulk({ action: "create", contacts })).body.succeeded).toBe(500);
    expect((await bulk({ action: "create", contacts: [...contacts, contacts[0]] })).status).toBe(422);
    expect((await bulk({ action: "create" })).body.errors[0].code).toBe("required_by_action");
    expect((await bulk({ action: "delete", contacts })).body.errors[0].code).toBe("not_of_action");
  });
});

test("likely duplicates are pairs of one account with much the same name, each pair once, over all pages", async () => {
  const finding = await world.newPartner();
  const client = await world.newClient(finding);
  const make = (name: string, more = {}) => world.newContact(finding, { name, ...more });
  const ada = await make("Ada Okafor", { company: "Harbour Dental" });
  await make("Peter Stone");
  const twin = await make("Ada Okafor", { company: "harbour dental" });
  await make("Ada Okafor", { account_id: client.id });
  for (let index = 0; index < 5; index += 1) await make(`${"Person".repeat(index + 1)} ${index}${index}${index}`);
  for (const limit of [1, 3, 100]) {
    const pairs = await walk(world, finding.key, "/v1/contacts/duplicates", { limit });
    expect(pairs.map(({ contacts, same_company }) => [...contacts.map(({ id }: { id: string }) => id), same_company])).toEqual([
      [twin.id, ada.id, true],
    ]);
    expect(pairs[0].score).toBeGreaterThan(0.6);
  }
});
