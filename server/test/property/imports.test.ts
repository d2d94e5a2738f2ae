import fc from "fast-check";
import { expect, test } from "vitest";
import { contactsOf, errorsOf, importFile } from "../harness/imports.ts";
import { sized } from "../harness/size.ts";
import { GENERAL, nextPhone, useWorld } from "../harness/world.ts";

const world = useWorld();

/** What breaks tables of text: delimiters, quotes, ends of lines, formulas, our own mark against them, blanks, signs beyond the first plane. */
const PIECES = [
  ",",
  ";",
  "\t",
  '"',
  '""',
  "\n",
  "\r\n",
  "\r",
  "=",
  "+",
  "-",
  "@",
  "'",
  "'=",
  " ",
  "\ufeff",
  "0",
  "1.5",
  "a",
  "Ä",
  "😀",
  "[",
  "]",
  "{}",
  "\\",
  "\u2028",
];
const text = (maxLength: number) =>
  fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: "grapheme", maxLength: 3 })), { minLength: 1, maxLength: 12 })
    .map((parts) => parts.join("").replaceAll("\0", "").toWellFormed().slice(0, maxLength).toWellFormed());
const visible = (maxLength: number) => text(maxLength).filter((value) => /\S/.test(value));
const tag = text(50)
  .map((value) => value.replaceAll(/[\n\r\u2028\u2029]/g, "").trim())
  .filter((value) => value !== "");

const contact = fc.record({
  name: visible(200),
  company: fc.option(visible(200)),
  notes: fc.option(text(1_000)),
  external_id: fc.option(text(200)),
  tags: fc.uniqueArray(tag, { maxLength: 4 }),
});

const CELLS = ["name", "phone", "email", "company", "tags", "notes", "external_id"] as const;

test("whatever the cells, what we export and import again has the same cells", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(contact, { minLength: 1, maxLength: 20 }), async (contacts) => {
      const here = await world.newPartner();
      const there = await world.newPartner();
      const given = contacts.map((one, index) => ({
        ...one,
        phone: nextPhone(),
        email: `P${index}@x.example`,
        external_id: one.external_id === null ? null : `${one.external_id.slice(0, 190)}${index}`,
      }));
      const body = { action: "create", contacts: given };
      const made = await world.call("POST", `${GENERAL}/contacts/bulk`, { key: here.key, body });
      expect(made.body.failed, made.text).toBe(0);
      const { text: csv } = await world.call("GET", `${GENERAL}/contacts?format=csv&sort=created_at`, { key: here.key });
      const done = await importFile(world, there, csv);
      expect(done.failed, JSON.stringify(await errorsOf(world, there, done.id))).toBe(0);
      expect(done).toMatchObject({ status: "completed", created: given.length });
      const cellsOf = (rows: Record<string, unknown>[]) => rows.map((row) => CELLS.map((name) => row[name] ?? ""));
      expect(cellsOf(await contactsOf(world, there))).toEqual(cellsOf(await contactsOf(world, here)));
    }),
    { numRuns: sized(10, 50) },
  );
});
