import { describe, expect, test } from "vitest";
import { contactsOf, errorsOf, importFile, sendFile, untilOver } from "../harness/imports.ts";
import { GENERAL, useWorld } from "../harness/world.ts";

const world = useWorld();
const ADA = { name: "Ada Okafor", phone: "+14155552671" };

const changesOf = async (key: string) => (await world.call("GET", `${GENERAL}/changes?limit=100`, { key })).body.data;

describe("modes", () => {
  test("create refuses what is there, and says whose it is", async () => {
    const here = await world.newPartner();
    const ada = await world.newContact(here, ADA);
    const done = await importFile(world, here, "name,phone\nOther,+14155552671\nBo,+14155552672\n");
    expect(done).toMatchObject({ created: 1, failed: 1 });
    expect(await errorsOf(world, here, done.id)).toMatchObject([{ row: 2, column: "phone", code: "duplicate_contact" }]);
    expect((await contactsOf(world, here))[0]).toEqual(ada);
  });

  test("upsert changes what is there, leaves what cells are empty, adds tags, and creates the rest", async () => {
    const here = await world.newPartner();
    await world.newContact(here, { ...ADA, email: "ada@x.example", notes: "Stays.", tags: ["vip"] });
    const csv =
      "name,phone,email,notes,tags\nAda Berg,+14155552671,,,emea\nBo,+14155552672,,,\nBo Ek,+14155552672,bo@x.example,,\nAda Berg,+14155552671,,,vip\n";
    const done = await importFile(world, here, csv, { mode: "upsert" });
    expect(done).toMatchObject({ created: 1, updated: 2, unchanged: 1, failed: 0 });
    expect(await contactsOf(world, here)).toMatchObject([
      { name: "Ada Berg", email: "ada@x.example", notes: "Stays.", tags: ["vip", "emea"], version: 2 },
      { name: "Bo Ek", email: "bo@x.example", version: 1 },
    ]);
  });

  test("a row that is about two contacts is refused with both, and changes neither", async () => {
    const here = await world.newPartner();
    await world.newContact(here, { ...ADA, email: "ada@x.example" });
    await world.newContact(here, { name: "Bo", phone: "+14155552672" });
    const done = await importFile(world, here, "name,phone,email\nWho,+14155552672,ada@x.example\n", { mode: "upsert" });
    const [error] = await errorsOf(world, here, done.id);
    expect([done.failed, error.code]).toEqual([1, "ambiguous_match"]);
    expect((await contactsOf(world, here)).map(({ version }) => version)).toEqual([1, 1]);
  });

  test("update finds by id, phone, e-mail or external id, creates nothing, and takes a name that another row gave up", async () => {
    const here = await world.newPartner();
    const ada = await world.newContact(here, { ...ADA, external_id: "a" });
    const bo = await world.newContact(here, { name: "Bo", phone: "+14155552672", external_id: "b" });
    const csv = `id,external_id,phone,company\n${ada.id},,+14155552673,Harbour\n,b,+14155552671,Berg\n,nobody,,X\n`;
    const done = await importFile(world, here, csv, { mode: "update" });
    expect(done).toMatchObject({ created: 0, updated: 2, failed: 1 });
    expect(await errorsOf(world, here, done.id)).toMatchObject([{ row: 4, code: "not_found" }]);
    expect(await contactsOf(world, here)).toMatchObject([
      { id: ada.id, phone: "+14155552673", company: "Harbour" },
      { id: bo.id, phone: "+14155552671", company: "Berg" },
    ]);
  });
});

describe("a dry run", () => {
  test("tells what would be, and changes nothing: no record, no change in the feed, no entry for a row", async () => {
    const here = await world.newPartner();
    await world.newContact(here, ADA);
    const before = [await contactsOf(world, here), await changesOf(here.key)];
    const rows = Array.from({ length: 1_500 }, (_, index) => `Person ${index},+1415${2_000_000 + index},\n`);
    const csv = `name,phone,email\nAda Berg,+14155552671,\nBad,12,\n${rows.join("")}Person again,+14152000000,again@x.example\n`;
    const tried = await importFile(world, here, csv, { mode: "upsert", dry_run: "true" });
    expect(tried).toMatchObject({ status: "completed", dry_run: true, created: 1_500, updated: 2, failed: 1 });
    expect([await contactsOf(world, here), await changesOf(here.key)]).toEqual(before);
    expect(await world.db.sql("select 1 from import_identities")).toEqual([]);
    const done = await importFile(world, here, csv, { mode: "upsert" });
    for (const count of ["created", "updated", "unchanged", "failed"])
      expect([count, done[count]]).toEqual([count, tried[count]]);
    const refused = await world.call("POST", `${GENERAL}/imports/${tried.id}/revert`, { key: here.key });
    expect([refused.status, refused.body.code, refused.body.reason]).toEqual([409, "import_not_revertible", "dry_run"]);
  });
});

describe("a revert", () => {
  test("deletes what was made and gives back what was changed, and leaves alone and counts what was touched since", async () => {
    const here = await world.newPartner();
    const ada = await world.newContact(here, { ...ADA, notes: "Before.", tags: ["vip"] });
    const bo = await world.newContact(here, { name: "Bo", phone: "+14155552672" });
    const csv = "name,phone,tags\nAda Berg,+14155552671,emea\nBo Ek,+14155552672,emea\nCy,+14155552673,\nDi,+14155552674,\n";
    const done = await importFile(world, here, csv, { mode: "upsert" });
    const [, , cy] = await contactsOf(world, here);
    const touch = (id: string, body: object) => world.call("PATCH", `${GENERAL}/contacts/${id}`, { key: here.key, body });
    await touch(bo.id, { company: "Ek" });
    await touch(cy.id, { company: "Cy" });
    const asked = await world.call("POST", `${GENERAL}/imports/${done.id}/revert`, { key: here.key });
    expect([asked.status, asked.body.status]).toEqual([202, "reverting"]);
    const over = await untilOver(world, here, done.id);
    expect(over).toMatchObject({ status: "reverted", progress: 1, revert: { removed: 1, restored: 1, kept: 2 } });
    const [first, second, third, ...others] = await contactsOf(world, here);
    expect(first).toEqual({ ...ada, version: 3, updated_at: first.updated_at });
    expect([second, third, others]).toMatchObject([{ name: "Bo Ek", company: "Ek" }, { name: "Cy", company: "Cy" }, []]);
    expect((await world.call("POST", `${GENERAL}/imports/${done.id}/revert`, { key: here.key })).body.status).toBe("reverted");
    const told = (await changesOf(here.key)).slice(-2).map(({ change }: { change: string }) => change);
    expect(told.sort()).toEqual(["deleted", "updated"]);
  });

  test("is no longer possible after 30 days", async () => {
    const here = await world.newPartner();
    const done = await importFile(world, here, "name,phone\nAda,+14155552671\n");
    world.clock.advance(31 * 86_400_000);
    const { status, body } = await world.call("POST", `${GENERAL}/imports/${done.id}/revert`, { key: here.key });
    expect([status, body.code, body.reason]).toEqual([409, "import_not_revertible", "too_old"]);
  });

  test("has nothing left of a contact that was erased", async () => {
    const here = await world.newPartner();
    const ada = await world.newContact(here, ADA);
    const done = await importFile(world, here, "name,phone\nAda Berg,+14155552671\n", { mode: "upsert" });
    expect((await world.call("POST", `${GENERAL}/contacts/${ada.id}/erase`, { key: here.key })).status).toBe(204);
    expect(await world.db.sql("select 1 from record_images where source_id = $1", [done.id])).toEqual([]);
  });
});

describe("what stands in the way", () => {
  test("a key for one client imports into that client, one for several must say which, and neither sees others' imports", async () => {
    const here = await world.newPartner();
    const [one, two] = [await world.newClient(here), await world.newClient(here)];
    const bound = { key: await world.newKey(here, { clients: [one.id] }) };
    const several = { key: await world.newKey(here, { clients: [one.id, two.id] }) };
    const csv = "name,phone\nAda,+14155552671\n";
    expect(await importFile(world, bound, csv)).toMatchObject({ account_id: one.id, created: 1 });
    expect((await sendFile(world, several, csv)).body.code).toBe("account_required");
    const others = await importFile(world, several, csv, { account_id: two.id });
    expect((await world.call("GET", `${GENERAL}/imports/${others.id}`, bound)).status).toBe(404);
    expect((await sendFile(world, bound, csv, { account_id: two.id })).body.errors[0].code).toBe("unknown_account");
    const listed = await world.call("GET", `${GENERAL}/imports`, bound);
    expect(listed.body.data.map(({ account_id }: { account_id: string }) => account_id)).toEqual([one.id]);
  });

  test("a file that is sent twice with one Idempotency-Key is imported once; another file or option is refused", async () => {
    const here = await world.newPartner();
    const send = (csv: string, query = "") =>
      world.call("POST", `${GENERAL}/imports${query}`, {
        key: here.key,
        body: csv,
        headers: { "content-type": "text/csv", "idempotency-key": "once" },
      });
    const csv = "name,phone\nAda,+14155552671\n";
    const first = await send(csv);
    const second = await send(csv);
    expect([second.status, second.body.id, second.headers["idempotent-replayed"]]).toEqual([202, first.body.id, "true"]);
    expect((await send("name,phone\nBo,+14155552672\n")).body.code).toBe("idempotency_key_reused");
    expect((await send(csv, "?mode=upsert")).body.code).toBe("idempotency_key_reused");
    await untilOver(world, here, first.body.id);
    expect(await world.db.sql("select 1 from import_chunks where partner_id = $1", [here.partner_id])).toEqual([]);
  });
});

describe("following an import", () => {
  test("tells its progress as it goes and ends with it", async () => {
    const here = await world.newPartner();
    const rows = Array.from({ length: 3_000 }, (_, index) => `Person ${index},+1415${3_000_000 + index}\n`);
    const { body } = await sendFile(world, here, `name,phone\n${rows.join("")}`);
    const { text, headers } = await world.call("GET", `${GENERAL}/imports/${body.id}/events`, {
      key: here.key,
      headers: { accept: "text/event-stream" },
    });
    expect(headers["content-type"]).toBe("text/event-stream");
    const messages = text.split("\n\n").filter((message) => message.startsWith("event: "));
    const told = messages.map((message) => {
      const [event = "", data = ""] = message.split("\n");
      return { event: event.slice(7), ...JSON.parse(data.slice(6)) };
    });
    expect(told.at(-1)).toMatchObject({ event: "ended", status: "completed", created: 3_000, progress: 1 });
    expect(told.slice(0, -1).every(({ event }) => event === "progress")).toBe(true);
    expect(told.map(({ progress }) => progress)).toEqual(told.map(({ progress }) => progress).sort((a, b) => a - b));
  });

  test("cancelled, it ends where it is, and its file is gone", async () => {
    const here = await world.newPartner();
    const rows = Array.from({ length: 20_000 }, (_, index) => `Person ${index},+1415${4_000_000 + index}\n`);
    const { body } = await sendFile(world, here, `name,phone\n${rows.join("")}`);
    const cancelled = await world.call("POST", `${GENERAL}/imports/${body.id}/cancel`, { key: here.key });
    expect([cancelled.status, cancelled.body.status]).toEqual([200, "cancelled"]);
    expect(cancelled.body.processed).toBeLessThan(20_000);
    expect(await world.db.sql("select 1 from import_chunks where import_id = $1", [body.id])).toEqual([]);
    const [count] = await world.db.sql<{ n: number }>("select count(*)::int as n from contacts where partner_id = $1", [
      here.partner_id,
    ]);
    expect(count?.n).toBe((await untilOver(world, here, body.id)).created);
  });
});
