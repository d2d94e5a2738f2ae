import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../../test/harness/refusal.ts";
import type { ContactRow } from "../../contacts/index.ts";
import type { DealCreate } from "../../deals/index.ts";
import type { Lead } from "../model.ts";
import { additionTo, contactFrom, contactIdentity, dealFrom, UNDO_MS } from "./model.ts";

const lead = (fields: Partial<Lead> = {}) =>
  ({
    name: "Ada",
    phone: "+14155552671",
    email: "ada@b.example",
    company: "Harbour",
    notes: "Called.",
    owner_id: "usr_1",
    tags: ["vip"],
    ...fields,
  }) as Lead;
const found = (fields: Partial<ContactRow> = {}) =>
  ({ id: "con_1", name: "Ada", email: null, company: null, notes: null, owner_id: null, tags: ["old"], ...fields }) as ContactRow;

describe("the contact of a lead", () => {
  test("is matched by the request first, then by the lead", () => {
    expect(contactIdentity(lead(), {})).toEqual({ phone: "+14155552671", email: "ada@b.example", external_id: null });
    expect(contactIdentity(lead(), { phone: "+8860223456789", email: "o@b.example", external_id: "x" })).toEqual({
      phone: "+886223456789",
      email: "o@b.example",
      external_id: "x",
    });
    expect(contactIdentity(lead(), { email: null }).email).toBeNull();
  });

  test("is created with the lead's fields under those of the request, and the tags of both", () => {
    expect(contactFrom(lead(), { company: "Pier", tags: ["vip", "new"] })).toEqual({
      name: "Ada",
      phone: "+14155552671",
      email: "ada@b.example",
      company: "Pier",
      notes: "Called.",
      owner_id: "usr_1",
      tags: ["vip", "new"],
    });
    expect(contactFrom(lead(), {}).tags).toEqual(["vip"]);
  });

  test("needs a phone number", () => {
    expect(refusalOf(() => contactFrom(lead({ phone: null }), {}))?.code).toBe("phone_required");
    expect(contactFrom(lead({ phone: null }), { phone: "+14155552671" }).phone).toBe("+14155552671");
  });

  test.each<[Partial<Lead>, string]>([
    [{}, "Ada"],
    [{ name: null }, "Harbour"],
    [{ name: null, company: null }, "ada@b.example"],
    [{ name: null, company: null, email: null }, "+14155552671"],
  ])("of %j is named %s", (fields, name) => {
    expect(contactFrom(lead(fields), {}).name).toBe(name);
  });
});

describe("an existing contact", () => {
  test("gets what it lacks, the tags, and the fields of the request", () => {
    expect(additionTo(found(), lead({ notes: null }), {})).toEqual({
      email: "ada@b.example",
      company: "Harbour",
      owner_id: "usr_1",
      tags: ["old", "vip"],
    });
    expect(additionTo(found(), lead(), { company: "Pier", tags: ["new"] })).toMatchObject({
      company: "Pier",
      tags: ["old", "vip", "new"],
    });
  });

  test("keeps what it has", () => {
    const full = found({ email: "own@b.example", company: "Own", notes: "Own.", owner_id: "usr_9" });
    expect(additionTo(full, lead(), {})).toEqual({ tags: ["old", "vip"] });
  });
});

test("the deal of a lead is named after the company or the person, and belongs to the contact", () => {
  const wanted = (fields: object) => fields as DealCreate;
  expect(dealFrom(lead(), found(), wanted({}))).toEqual({
    name: "Harbour",
    company: "Harbour",
    owner_id: "usr_1",
    contact_id: "con_1",
  });
  expect(dealFrom(lead({ company: null }), found(), wanted({})).name).toBe("Ada");
  expect(dealFrom(lead(), found(), wanted({ name: "Seats", contact_id: "con_9" }))).toMatchObject({
    name: "Seats",
    contact_id: "con_1",
  });
});

test("a conversion can be undone for a day", () => {
  expect(UNDO_MS).toBe(24 * 60 * 60 * 1000);
});
