import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHANNELS, type Consent, type Contact, EMPTY } from "../model.ts";
import { CHOICES, mergedConsent, mergedFields } from "./model.ts";

const contact = (fields: Partial<Contact>): Contact => ({
  ...EMPTY,
  consent: {},
  id: "con_1",
  account_id: "cli_1",
  phone_shared: false,
  merged_into: null,
  deleted_at: null,
  erased_at: null,
  version: 1,
  created_at: new Date(0),
  updated_at: new Date(0),
  json: "",
  ...fields,
});
const consent = (status: Consent["status"], source: string): Consent => ({ status, source, at: "2026-11-02T09:30:00.000Z" });

describe("a merged contact", () => {
  const into = contact({ name: "Ada", phone: "+1", email: null, company: "Harbour", custom: { a: 1, b: 1 } });
  const from = contact({ name: "Ada O.", phone: "+2", email: "ada@b.example", company: null, custom: { b: 2, c: 2 } });

  test("has its own fields, and the other's where it has none", () => {
    expect(mergedFields(into, from, [], ["x", "y"])).toEqual({
      ...EMPTY,
      name: "Ada",
      phone: "+1",
      email: "ada@b.example",
      company: "Harbour",
      tags: ["x", "y"],
      custom: { a: 1, b: 1, c: 2 },
      consent: {},
    });
  });

  test("has the other's fields where they are chosen, unless the other has none", () => {
    const merged = mergedFields(into, from, ["name", "company"], []);
    expect([merged.name, merged.company, merged.phone]).toEqual(["Ada O.", "Harbour", "+1"]);
  });

  test("has a choice for every field but tags and custom fields, which are united", () => {
    expect([...CHOICES].sort()).toEqual(
      Object.keys(EMPTY)
        .filter((name) => name !== "tags" && name !== "custom")
        .sort(),
    );
  });
});

describe("merged consent", () => {
  test("is the denial before the grant, the grant before the unknown, and of equals the contact's own", () => {
    const denied = consent("denied", "a");
    const granted = consent("granted", "b");
    const unknown = consent("unknown", "c");
    expect(mergedConsent({ sms: granted }, { sms: denied })).toEqual({ sms: denied });
    expect(mergedConsent({ sms: unknown }, { sms: granted })).toEqual({ sms: granted });
    expect(mergedConsent({ sms: granted }, { sms: consent("granted", "other") })).toEqual({ sms: granted });
    expect(mergedConsent({ calls: unknown }, { email: unknown })).toEqual({ calls: unknown, email: unknown });
    expect(mergedConsent({}, {})).toEqual({});
  });

  test("never turns a denial into anything else, whichever contact it is of", () => {
    const status = fc.constantFrom("granted", "denied", "unknown").map((one) => consent(one as Consent["status"], one));
    const consents = fc.record(Object.fromEntries(CHANNELS.map((channel) => [channel, status])), { requiredKeys: [] });
    fc.assert(
      fc.property(consents, consents, (into, from) => {
        const merged = mergedConsent(into, from);
        for (const channel of CHANNELS) {
          const denied = into[channel]?.status === "denied" || from[channel]?.status === "denied";
          expect(merged[channel]?.status === "denied").toBe(denied);
          expect(merged[channel] === undefined).toBe(into[channel] === undefined && from[channel] === undefined);
        }
      }),
    );
  });
});
