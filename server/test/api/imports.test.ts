import { describe, expect, test } from "vitest";
import { contactsOf, errorsOf, importFile, sendFile, untilOver } from "../harness/imports.ts";
import { BASE, GENERAL, useWorld } from "../harness/world.ts";

const world = useWorld();
describe("a file of contacts", () => {
  test("is accepted with its columns and its size, and makes a contact of every row", async () => {
    const here = await world.newPartner();
    const csv =
      "Name,Phone number,E-mail,Company,Tags\r\nAda Okafor,+14155552671,ada@x.example,Harbour,vip;emea\r\nBo Ek,+14155552672,,,\r\n";
    const { status, body, headers } = await sendFile(world, here, csv);
    expect([status, headers.location]).toEqual([202, `${GENERAL}/imports/${body.id}`]);
    expect(body).toMatchObject({ total: 2, bytes: csv.length, mode: "create", resource: "contact", dry_run: false });
    const done = await untilOver(world, here, body.id);
    expect(done).toMatchObject({
      status: "completed",
      processed: 2,
      created: 2,
      updated: 0,
      unchanged: 0,
      failed: 0,
      progress: 1,
    });
    expect(done.mapping).toEqual({ Name: "name", "Phone number": "phone", "E-mail": "email", Company: "company", Tags: "tags" });
    const [ada, bo] = await contactsOf(world, here);
    expect(ada).toMatchObject({
      name: "Ada Okafor",
      phone: "+14155552671",
      email: "ada@x.example",
      company: "Harbour",
      tags: ["vip", "emea"],
    });
    expect(bo).toMatchObject({ name: "Bo Ek", phone: "+14155552672", email: null, tags: [], version: 1 });
  });

  test("tells every record in the feed of changes, and itself in the audit log, once at its start and once at its end", async () => {
    const here = await world.newPartner();
    const done = await importFile(world, here, "name,phone\nAda,+14155552671\nBo,+14155552672\n");
    const { body } = await world.call("GET", `${GENERAL}/changes`, { key: here.key });
    const people = await contactsOf(world, here);
    expect(
      body.data.map(({ id, change, version }: { id: string; change: string; version: number }) => [id, change, version]),
    ).toEqual(people.map(({ id }) => [id, "created", 1]));
    const log = await world.call("GET", `${BASE}/audit-log?limit=100`, { key: here.key });
    const about = log.body.data.filter(({ target }: { target: string }) => target === done.id);
    expect(about.map(({ action, actor }: { action: string; actor: { type: string } }) => [action, actor.type])).toEqual([
      ["imports.complete", "system"],
      ["imports.create", "key"],
    ]);
    expect(log.body.data.some(({ action }: { action: string }) => action === "contacts.create")).toBe(false);
  });

  test("names what was wrong by row and column, and takes the other rows in", async () => {
    const here = await world.newPartner();
    const csv = [
      "Full name,Mobile,E-mail",
      "Ada,+14155552671,ada@x.example",
      "Bo,12,not an address",
      ",+14155552673,",
      "Cy,+14155552671,cy@x.example",
      "Di,+14155552675,di@x.example,too,many",
      "Ed,+14155552676,ADA@x.example",
      "",
      "Fy,4155552677,",
    ].join("\n");
    const done = await importFile(world, here, csv);
    expect(done).toMatchObject({ status: "completed", total: 7, processed: 7, created: 1, failed: 6 });
    const errors = await errorsOf(world, here, done.id);
    expect(errors.map(({ row, column, code, value }) => [row, column, code, value])).toEqual([
      [3, "E-mail", "format", "not an address"],
      [3, "Mobile", "invalid_phone", "12"],
      [4, "Full name", "required", null],
      [5, "Mobile", "duplicate_contact", "+14155552671"],
      [6, null, "wrong_cell_count", null],
      [7, "E-mail", "duplicate_contact", "ADA@x.example"],
      [9, "Mobile", "invalid_phone", "4155552677"],
    ]);
    const file = await world.call("GET", `${GENERAL}/imports/${done.id}/failed-rows`, { key: here.key });
    expect(file.headers["content-type"]).toMatch(/^text\/csv/);
    expect(file.text.split("\r\n").slice(0, 2)).toEqual([
      "Full name,Mobile,E-mail,error",
      'Bo,12,not an address,"E-mail: email must be an e-mail address such as ada@example.com. Mobile: phone must be in E.164, such as +14155552671."',
    ]);
  });
});
