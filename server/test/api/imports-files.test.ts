import { beforeAll, describe, expect, test } from "vitest";
import { contactsOf, errorsOf, importFile, sendFile } from "../harness/imports.ts";
import { GENERAL, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;

beforeAll(async () => {
  partner = await world.newPartner();
});

describe("a file is read", () => {
  test.each([
    ["with a byte order mark", "\ufeffname,phone\nAda,+14155552671\n"],
    ["with lines that end as on Windows", "name,phone\r\nAda,+14155552671\r\n"],
    ["with lines that end as on old Macs", "name,phone\rAda,+14155552671\r"],
    ["with lines that end in several ways", "name,phone\r\nAda,+14155552671\n\n\r\n,\n"],
    ["with semicolons", "name;phone;notes\nAda;+14155552671;one, two\n"],
    ["with tabs", "name\tphone\nAda\t+14155552671"],
    ["with a delimiter in a quoted name", '"name","phone","a;b;c;d"\nAda,+14155552671,x\n'],
    ["without an end of its last line", "name,phone\nAda,+14155552671"],
  ])("%s", async (_, csv) => {
    const here = await world.newPartner();
    expect(await importFile(world, here, csv)).toMatchObject({ status: "completed", total: 1, created: 1, failed: 0 });
    expect(await contactsOf(world, here)).toMatchObject([{ name: "Ada", phone: "+14155552671" }]);
  });

  test("with more blank rows than a step reads, which are passed over", async () => {
    const here = await world.newPartner();
    const blank = `${",".repeat(99)}\n`.repeat(22_000);
    const done = await importFile(world, here, `name,phone\nAda,+14155552671\n${blank}Bo,12\n`);
    expect(done).toMatchObject({ status: "completed", total: 2, created: 1, failed: 1 });
    expect(await errorsOf(world, here, done.id)).toMatchObject([{ row: 22_003 }]);
  });

  test("with new lines, quotes and delimiters within quotes, exactly as they are", async () => {
    const here = await world.newPartner();
    await importFile(world, here, 'name,phone,notes\n"Ada ""Bo"" Ek",+14155552671," two\r\nlines, and a tab\t "\n');
    expect(await contactsOf(world, here)).toMatchObject([{ name: 'Ada "Bo" Ek', notes: " two\r\nlines, and a tab\t " }]);
  });
});

describe("a file is refused, with what is wrong and where", () => {
  test.each([
    ["that is empty", "", "The file is empty."],
    ["without names of columns", "\n\n", "The first line must name the columns."],
    ["with a quote that is never closed", 'name,phone\nAda,+14155552671\n"Bo,+14155552672\n', "Row 3: a quote is never closed"],
    ["with text after a quote", 'name,phone\n"Ada"x,+14155552671\n', "Row 2: a closing quote is followed by more text"],
    ["with a quote in the middle", 'name,phone\nA"da,+14155552671\n', "Row 2: a quote is in the middle"],
    ["with a character that no text has", "name,phone\nA\0da,+14155552671\n", "Line 2 contains the character U+0000"],
    ["that lacks a column which every row needs", "name,email\nAda,a@x.example\n", "No column is mapped to phone"],
    ["with more rows than it may have, though all are blank", `name,phone\n${"\n".repeat(1_000_001)}`, "at most 1000000 rows"],
    ["with a row of too many cells", `name,phone\nAda,+14155552671${",".repeat(200)}\n`, "Row 2: a file may have at most 200"],
    ["with too many columns", `name,phone${",x".repeat(199)}\n`, "at most 200 columns"],
    ["with a name of a column that is too long", `name,phone,${"x".repeat(201)}\n`, "at most 200 characters"],
  ])("%s", async (_, csv, said) => {
    const { status, body } = await sendFile(world, partner, csv);
    expect([status, body.code]).toEqual([422, "invalid_csv"]);
    expect(body.detail).toContain(said);
  });

  test("that is not UTF-8, with the line", async () => {
    const { status, body } = await sendFile(
      world,
      partner,
      Buffer.from("name,phone\nAda,+14155552671\nZo\xeb,+14155552672\n", "latin1"),
    );
    expect([status, body.code, body.line]).toEqual([422, "invalid_csv", 3]);
    const utf16 = await sendFile(world, partner, Buffer.from("\ufeffname,phone\n", "utf16le"));
    expect([utf16.status, utf16.body.line]).toEqual([422, 1]);
  });

  test("that is compressed, of another charset, or JSON", async () => {
    const send = (headers: Record<string, string>, body: string) =>
      world.call("POST", `${GENERAL}/imports`, { key: partner.key, body, headers });
    const csv = "name,phone\nAda,+14155552671\n";
    for (const headers of [
      { "content-type": "text/csv", "content-encoding": "gzip" },
      { "content-type": "text/csv; charset=iso-8859-1" },
      { "content-type": "application/json" },
    ]) {
      const { status, body } = await send(
        headers as unknown as Record<string, string>,
        headers["content-type"] === "application/json" ? "{}" : csv,
      );
      expect([status, body.code]).toEqual([415, "unsupported_media_type"]);
    }
    expect((await send({ "content-type": 'text/csv; charset="UTF-8"; header=present' }, csv)).status).toBe(202);
  });

  test("that is larger than it may be, before it is stored", async () => {
    const { status, body } = await world.call("POST", `${GENERAL}/imports`, {
      key: partner.key,
      headers: { "content-type": "text/csv", "content-length": String(200 * 1024 * 1024) },
      body: "name,phone\n",
    });
    expect([status, body.code, body.limit_bytes]).toEqual([413, "payload_too_large", 100 * 1024 * 1024]);
  });

  test("and leaves nothing of itself behind", async () => {
    expect(
      await world.db.sql("select 1 from import_chunks c where not exists (select from imports i where i.id = c.import_id)"),
    ).toEqual([]);
  });
});

describe("columns", () => {
  test("are known by many names, and those that are not are told", async () => {
    const here = await world.newPartner();
    const csv =
      "First Name,Last_Name,Phone Number,E-Mail Address,Organisation,Shoe\nAda,Okafor,+14155552671,a@x.example,Harbour,41\n";
    const done = await importFile(world, here, csv);
    expect(done).toMatchObject({ created: 1, unmapped_columns: ["Shoe"] });
    expect(await contactsOf(world, here)).toMatchObject([{ name: "Ada Okafor", email: "a@x.example", company: "Harbour" }]);
  });

  test("are for what mapping says, in the place of what they are called", async () => {
    const here = await world.newPartner();
    const mapping = JSON.stringify({ Wer: "name", Mobil: "phone", phone: null, email: "notes" });
    const done = await importFile(world, here, "Wer,Mobil,phone,email\nAda,+14155552671,12,hello\n", { mapping });
    expect(done.mapping).toEqual({ Wer: "name", Mobil: "phone", phone: null, email: "notes" });
    expect(await contactsOf(world, here)).toMatchObject([{ name: "Ada", phone: "+14155552671", notes: "hello", email: null }]);
  });

  test.each([
    ['{"Nobody": "name"}', "unknown_column"],
    ['{"name": "shoe"}', "unknown_field"],
    ['{"name": "custom.nothing"}', "unknown_field"],
    ['{"name": "name", "phone": "name"}', "mapped_twice"],
    ['{"name": 1}', "not_a_mapping"],
    ["{", "not_a_mapping_or_short"],
  ])("are refused for the mapping %s", async (mapping, code) => {
    const { status, body } = await sendFile(world, partner, "name,phone\nAda,+14155552671\n", { mapping });
    expect([status, body.code]).toEqual([400, "invalid_parameter"]);
    if (code !== "not_a_mapping_or_short") expect(body.errors[0]).toMatchObject({ in: "query", pointer: "#/mapping", code });
  });

  test("of an account's own fields are read by their types, and faults told by the column", async () => {
    const here = await world.newPartner();
    const types = { size: "number", member: "boolean", born: "date", kinds: "multi_select", site: "url" };
    for (const [key, type] of Object.entries(types)) {
      const options = type === "multi_select" ? { options: ["a", "b"] } : {};
      const reply = await world.call("POST", `${GENERAL}/custom-fields`, {
        key: here.key,
        body: { resource: "contact", key, type, ...options },
      });
      expect(reply.status).toBe(201);
    }
    const csv = [
      "name,phone,Size,member,custom.born,Kinds,site",
      "Ada,+14155552671,41.5,yes,2000-01-31,a;b,https://x.example",
      "Bo,+14155552672,large,maybe,2000-02-31,c,x",
    ].join("\n");
    const done = await importFile(world, here, csv);
    expect(done).toMatchObject({ created: 1, failed: 1, unmapped_columns: [] });
    const [ada] = await contactsOf(world, here);
    expect(ada.custom).toEqual({ size: 41.5, member: true, born: "2000-01-31", kinds: ["a", "b"], site: "https://x.example" });
    const errors = await errorsOf(world, here, done.id);
    expect(errors.map(({ column, code }) => [column, code])).toEqual([
      ["Size", "wrong_type"],
      ["member", "wrong_type"],
      ["custom.born", "wrong_type"],
      ["Kinds", "unknown_option"],
      ["site", "wrong_type"],
    ]);
  });
});

describe("phones", () => {
  test("with a country code are read in any punctuation, others only in the country given", async () => {
    const here = await world.newPartner();
    const csv = "name,phone\nAda,+1 (415) 555-2671\nBo,0049 30 1234567\nCy,(415) 555-2672\nDi,12345\n";
    expect(await importFile(world, here, csv)).toMatchObject({ created: 2, failed: 2 });
    expect(await importFile(world, here, csv, { default_country: "US", mode: "upsert" })).toMatchObject({
      created: 1,
      failed: 1,
      unchanged: 2,
    });
    expect((await contactsOf(world, here)).map(({ phone }) => phone)).toEqual(["+14155552671", "+49301234567", "+14155552672"]);
    expect((await sendFile(world, here, csv, { default_country: "XX" })).body.errors[0].code).toBe("unknown_country");
  });
});
