import { beforeAll, describe, expect, test } from "vitest";
import { auditLog, changes, walk } from "../harness/lists.ts";
import { type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;

beforeAll(async () => {
  partner = await world.newPartner();
});

const call = (method: string, path: string, body?: object) =>
  world.call(method, `/v1/contacts${path}`, { key: partner.key, body });
const merge = (into: Json, from: Json, more: object = {}) => call("POST", `/${into.id}/merge`, { from_id: from.id, ...more });
const undo = (id: string) => call("POST", `/merges/${id}/undo`);
const get = (id: string) => call("GET", `/${id}`);

describe("a merge", () => {
  test("keeps the contact's own fields, takes the other's where it has none, and adds the tags", async () => {
    const into = await world.newContact(partner, { name: "Ada", tags: ["a", "b"], company: "Acme" });
    const from = await world.newContact(partner, {
      name: "A. Okafor",
      tags: ["b", "c"],
      company: "Other",
      email: "ada@merge.example",
    });
    const { status, body } = await merge(into, from);
    expect(status).toBe(200);
    expect(body.contact).toEqual({ ...into, email: "ada@merge.example", tags: ["a", "b", "c"], version: 2 });
    expect((await get(from.id)).status).toBe(404);
  });

  test("takes what is chosen from the other, its phone too", async () => {
    const [into, from] = [await world.newContact(partner, { name: "Old" }), await world.newContact(partner, { name: "New" })];
    const { body } = await merge(into, from, { take: ["name", "phone"] });
    expect(body.contact).toMatchObject({ name: "New", phone: from.phone });
    expect((await call("POST", "", { name: "Free", phone: into.phone })).status).toBe(201);
  });

  test("keeps the contact's own custom values where both have one", async () => {
    const merging = await world.newPartner();
    for (const key of ["size", "colour", "pet"])
      await world.call("POST", "/v1/custom-fields", {
        key: merging.key,
        body: { resource: "contact", key, type: "text", label: key },
      });
    const into = await world.newContact(merging, { custom: { size: "own", colour: "own" } });
    const from = await world.newContact(merging, { custom: { size: "other", pet: "other" } });
    const { body } = await world.call("POST", `/v1/contacts/${into.id}/merge`, { key: merging.key, body: { from_id: from.id } });
    expect(body.contact.custom).toEqual({ size: "own", colour: "own", pet: "other" });
    const undone = await world.call("POST", `/v1/contacts/merges/${body.id}/undo`, { key: merging.key });
    expect(undone.status).toBe(200);
    const kept = await walk(world, merging.key, "/v1/contacts");
    expect(kept.map(({ custom }) => custom)).toEqual([from.custom, into.custom]);
  });

  test("leaves a channel denied that either of the two has denied", async () => {
    const [into, from] = [await world.newContact(partner), await world.newContact(partner)];
    await call("PUT", `/${into.id}/consent`, { sms: { status: "granted" }, calls: { status: "denied" } });
    await call("PUT", `/${from.id}/consent`, {
      sms: { status: "denied" },
      calls: { status: "granted" },
      email: { status: "granted" },
    });
    expect((await merge(into, from)).body.contact.consent).toEqual({
      sms: "denied",
      email: "granted",
      whatsapp: "unknown",
      calls: "denied",
    });
  });

  test("shows the other's consents in its history, until it is undone", async () => {
    const [into, from] = [await world.newContact(partner), await world.newContact(partner)];
    await call("PUT", `/${into.id}/consent`, { sms: { status: "granted", source: "Own form" } });
    await call("PUT", `/${from.id}/consent`, { email: { status: "granted", source: "Other form" } });
    const sources = async ({ id }: Json) => (await call("GET", `/${id}/consent`)).body.history.map(({ source }: Json) => source);
    const { body } = await merge(into, from);
    expect(await sources(into)).toEqual(["Other form", "Own form"]);
    await undo(body.id);
    expect([await sources(into), await sources(from)]).toEqual([["Own form"], ["Other form"]]);
  });

  test("shows the other's notes with its own", async () => {
    const [into, from, last] = [
      await world.newContact(partner),
      await world.newContact(partner),
      await world.newContact(partner),
    ];
    for (const [index, contact] of [into, from, last].entries())
      await call("POST", `/${contact.id}/notes`, { body: `Note ${index}` });
    await merge(into, from);
    const { body } = await merge(last, into);
    const notes = async (id: string) => (await walk(world, partner.key, `/v1/contacts/${id}/notes`)).map(({ body }) => body);
    expect(await notes(last.id)).toEqual(["Note 2", "Note 1", "Note 0"]);
    await undo(body.id);
    expect([await notes(last.id), await notes(into.id)]).toEqual([["Note 2"], ["Note 1", "Note 0"]]);
  });

  test("with itself, with nobody, or across accounts is refused", async () => {
    const into = await world.newContact(partner);
    const elsewhere = await world.newContact(partner, { account_id: (await world.newClient(partner)).id });
    const stranger = await world.newContact(await world.newPartner());
    const codes = [];
    for (const from of [into, stranger, elsewhere]) codes.push((await merge(into, from)).body.errors[0].code);
    expect(codes).toEqual(["same_contact", "unknown_contact", "other_account"]);
    expect((await get(into.id)).body).toEqual(into);
  });

  test("is told in the change feed and the audit log, of both contacts, and so is its undo", async () => {
    const told = await world.newPartner();
    const [into, from] = [await world.newContact(told), await world.newContact(told, { email: "from@merge.example" })];
    const merged = await world.call("POST", `/v1/contacts/${into.id}/merge`, { key: told.key, body: { from_id: from.id } });
    await world.call("POST", `/v1/contacts/merges/${merged.body.id}/undo`, { key: told.key });
    const seen = (await changes(world, told.key)).slice(2).map(({ id, change, version }) => [id, change, version]);
    expect(seen).toEqual([
      [into.id, "merged", 2],
      [from.id, "deleted", 2],
      [into.id, "restored", 3],
      [from.id, "restored", 3],
    ]);
    const entries = (await auditLog(world, told.key)).filter(({ action }) => action.endsWith("merge"));
    expect(entries.map(({ action, target, changes }) => [action, target, changes])).toEqual([
      ["contacts.merge", into.id, { email: "redacted", merged: { from: from.id, to: merged.body.id } }],
      ["contacts.merge", from.id, { merged_into: { from: null, to: into.id } }],
      ["contacts.unmerge", into.id, { email: "redacted", unmerged: { from: merged.body.id, to: from.id } }],
      ["contacts.unmerge", from.id, { merged_into: { from: into.id, to: null } }],
    ]);
  });
});

describe("an undo", () => {
  const reasonOf = async (id: string) => {
    const { status, body } = await undo(id);
    return [status, body.code, body.reason];
  };
  const refused = (reason: string) => [409, "merge_not_undoable", reason];
  const merged = async () => {
    const [into, from] = [
      await world.newContact(partner),
      await world.newContact(partner, { email: `${nextPhone()}@undo.example` }),
    ];
    return { into, from, merge_id: (await merge(into, from)).body.id };
  };

  test("is refused the second time", async () => {
    const { merge_id } = await merged();
    expect((await undo(merge_id)).status).toBe(200);
    expect(await reasonOf(merge_id)).toEqual(refused("already_undone"));
  });

  test("is refused once the contact was changed, deleted or merged on", async () => {
    const changed = await merged();
    await call("PATCH", `/${changed.into.id}`, { name: "Changed" });
    expect(await reasonOf(changed.merge_id)).toEqual(refused("contact_changed"));
    const deleted = await merged();
    await call("DELETE", `/${deleted.into.id}`);
    expect(await reasonOf(deleted.merge_id)).toEqual(refused("contact_gone"));
    const further = await merged();
    await merge(await world.newContact(partner), further.into);
    expect(await reasonOf(further.merge_id)).toEqual(refused("contact_gone"));
  });

  test("is refused when somebody else has the phone by now, and changes nothing", async () => {
    const { into, from, merge_id } = await merged();
    const before = (await get(into.id)).body;
    await call("POST", "", { name: "Taker", phone: from.phone });
    expect(await reasonOf(merge_id)).toEqual(refused("identity_taken"));
    expect((await get(into.id)).body).toEqual(before);
  });

  test("is refused after an erasure, and after 30 days", async () => {
    const erased = await merged();
    await call("POST", `/${erased.from.id}/erase`);
    expect(await reasonOf(erased.merge_id)).toEqual(refused("erased"));
    const { merge_id } = await merged();
    world.clock.advance(30 * 86_400_000 + 1);
    expect(await reasonOf(merge_id)).toEqual(refused("too_old"));
  });

  test("of many at once, one is done", async () => {
    const { merge_id } = await merged();
    const replies = await Promise.all(Array.from({ length: 6 }, () => undo(merge_id)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
  });
});
