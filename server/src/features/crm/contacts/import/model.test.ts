import { describe, expect, test } from "vitest";
import { EMPTY } from "../model.ts";
import {
  CONTACT_IMPORT_FIELDS,
  contactOf,
  createContactIndex,
  imageOf,
  lookupKeys,
  REQUIRED,
  rowMatchKeys,
  uniqueKeys,
} from "./model.ts";
import type { ImportedContact } from "./queries.ts";

const contact = (id: string, fields: Partial<ImportedContact> = {}): ImportedContact => ({
  ...EMPTY,
  consent: {},
  id,
  version: 1,
  ...fields,
});

describe("the columns of a file", () => {
  test("have names and synonyms that mean one field each, in lower case letters and digits", () => {
    const names = CONTACT_IMPORT_FIELDS.flatMap(({ name, synonyms = [] }) => [name.replaceAll(/[_.]/g, ""), ...synonyms]);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+$/);
    expect(names).toEqual(expect.arrayContaining(["fullname", "surname", "givenname", "mobile", "mail", "labels", "comment"]));
    expect(names).toEqual(expect.arrayContaining(["recordid", "organisation", "ownerid", "externalid"]));
  });

  test("must identify a contact, and for a new one name it", () => {
    expect(REQUIRED.create).toEqual([["name", "first_name", "last_name"], ["phone"]]);
    expect(REQUIRED.upsert).toEqual(REQUIRED.create);
    expect(REQUIRED.update).toEqual([["id", "phone", "email", "external_id"]]);
  });
});

describe("the keys of a contact", () => {
  test("are what it has, its e-mail address without case", () => {
    const keys = { id: "con_1", phone: "+1", email: "Ada@B.example", external_id: "X" };
    expect(lookupKeys(keys)).toEqual(["id con_1", "phone +1", "email ada@b.example", "external_id X"]);
    expect(lookupKeys({ phone: null, email: null, external_id: null })).toEqual([]);
    expect(lookupKeys({})).toEqual([]);
  });

  test("match a row by its phone alone where phones are shared and nothing else is known", () => {
    const keys = { phone: "+1", email: "a@b.example" };
    expect(rowMatchKeys({ shared_phones: false }, keys)).toEqual(keys);
    expect(rowMatchKeys({ shared_phones: true }, keys)).toEqual({ email: "a@b.example" });
    expect(rowMatchKeys({ shared_phones: true }, { phone: "+1" })).toEqual({ phone: "+1" });
  });

  test("are unique in an account, but for a shared phone", () => {
    const keys = { phone: "+1", email: "a@b.example" };
    expect(uniqueKeys({ shared_phones: false }, keys)).toEqual(keys);
    expect(uniqueKeys({ shared_phones: true }, keys)).toEqual({ email: "a@b.example" });
  });
});

describe("the index of contacts", () => {
  const ada = contact("con_1", { phone: "+1", email: "ada@b.example" });
  const ben = contact("con_2", { phone: "+2" });

  test("finds each contact once, by any of its keys", () => {
    const index = createContactIndex([ada, ben]);
    expect(index.matches({ phone: "+1", email: "ADA@b.example" })).toEqual([ada]);
    expect(index.matches({ phone: "+1", id: "con_2" })).toEqual([ben, ada]);
    expect(index.matches({ phone: "+3" })).toEqual([]);
  });

  test("finds a changed contact by its new keys and no longer by its old ones", () => {
    const index = createContactIndex([ada, ben]);
    const moved = { ...ada, phone: "+9" };
    index.save(moved, ada);
    expect(index.matches({ phone: "+1" })).toEqual([]);
    expect(index.matches({ phone: "+9" })).toEqual([moved]);
    expect(index.matches({ email: "ada@b.example" })).toEqual([moved]);
    expect(index.original("con_1")).toBe(ada);
  });

  test("tells what rows add from what they change, in their order and with the last state", () => {
    const index = createContactIndex([ada, ben]);
    const cleo = contact("con_3", { phone: "+3" });
    index.save(cleo);
    index.save({ ...ben, name: "Ben" }, ben);
    index.save({ ...cleo, name: "Cleo" }, cleo);
    expect(index.toAdd()).toEqual([{ ...cleo, name: "Cleo" }]);
    expect(index.toChange()).toEqual([{ ...ben, name: "Ben" }]);
    expect(index.original("con_3")).toBeNull();
    expect(index.matches({ phone: "+3" })).toEqual([{ ...cleo, name: "Cleo" }]);
  });
});

test("an image has the state before a change and the version after it, and restores the contact", () => {
  const { id, version: _, ...before } = contact("con_1", { name: "Ada", tags: ["vip"] });
  const image = imageOf({ ...before, id, version: 4 });
  expect(image).toEqual({ record_id: "con_1", version: 5, before });
  expect(contactOf(image)).toEqual({ ...before, id: "con_1", version: 5 });
});
