import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import { CHANNELS, CONSENT_STATUSES, canonicalPhone, EMPTY, FIELDS, imageOf, KEEP_DELETED_MS, PERSONAL } from "./model.ts";

test("an empty contact has every field, and nothing in any", () => {
  expect(Object.keys(EMPTY).sort()).toEqual([...FIELDS].sort());
  expect(Object.values(EMPTY).flatMap((value) => (value === null ? [] : Object.values(value)))).toEqual([]);
});

test("every field is personal but the owner", () => {
  expect(FIELDS.filter((field) => !PERSONAL.has(field))).toEqual(["owner_id"]);
  expect(PERSONAL.size).toBe(FIELDS.length - 1);
});

test("an image holds the fields and the consent, and nothing else", () => {
  const consent = { sms: { status: "granted", source: "form", at: "2026-11-02T09:30:00.000Z" } } as const;
  const contact = { ...EMPTY, name: "Ada", tags: ["vip"], consent, id: "con_1", version: 3 };
  expect(imageOf(contact)).toEqual({ ...EMPTY, name: "Ada", tags: ["vip"], consent });
});

test("consent is kept for each channel in one of three states, a deleted contact for thirty days", () => {
  expect([CHANNELS.length, CONSENT_STATUSES.length]).toEqual([4, 3]);
  expect(KEEP_DELETED_MS).toBe(Date.UTC(2026, 0, 31) - Date.UTC(2026, 0, 1));
});

describe("a phone number", () => {
  test("is taken in its canonical form", () => {
    expect(canonicalPhone("+14155552671")).toBe("+14155552671");
    expect(canonicalPhone("+8860223456789")).toBe("+886223456789");
  });

  test("that is a near miss is refused with a suggestion", () => {
    const refused = refusalOf(() => canonicalPhone("0014155552671"));
    expect(refused).toMatchObject({
      code: "invalid_phone",
      faults: ["#/phone invalid_phone"],
      meta: { suggestion: "+14155552671" },
    });
    expect(refused?.message).toContain("Did you mean +14155552671?");
  });

  test("that is nothing like one is refused without", () => {
    const refused = refusalOf(() => canonicalPhone("call me"));
    expect(refused).toMatchObject({ code: "invalid_phone", faults: ["#/phone invalid_phone"], meta: {} });
    expect(refused?.meta).not.toHaveProperty("suggestion");
    expect(refused?.message).not.toContain("Did you mean");
  });
});
