import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../../test/harness/refusal.ts";
import { checkConsent, windowUntil } from "./model.ts";

const AT = "2026-11-02T09:30:00.000Z";
const LATER = new Date("2026-11-02T09:30:00.001Z");

describe("a message to somebody", () => {
  const facts = { opted_out: false, kind: "sms", purpose: "conversational", last_inbound_at: null } as const;
  const consent = (status: string) => ({ status, at: AT });

  test.each([
    ["who said nothing", undefined, {}, null],
    ["who granted it", consent("granted"), {}, null],
    ["who denied it", consent("denied"), {}, "recipient_opted_out"],
    ["whose address opted out", undefined, { opted_out: true }, "recipient_opted_out"],
    ["whose address opted out, whatever was granted", consent("granted"), { opted_out: true }, "recipient_opted_out"],
    ["as marketing, without consent", consent("unknown"), { purpose: "marketing" }, "consent_required"],
    ["as marketing, with consent", consent("granted"), { purpose: "marketing" }, null],
    ["as marketing, denied", consent("denied"), { purpose: "marketing" }, "recipient_opted_out"],
    ["who denied it and wrote a text message since", consent("denied"), { last_inbound_at: LATER }, "recipient_opted_out"],
    ["who denied it and wrote an e-mail since", consent("denied"), { kind: "email", last_inbound_at: LATER }, null],
    ["who wrote the e-mail before", consent("denied"), { kind: "email", last_inbound_at: new Date(AT) }, "recipient_opted_out"],
    [
      "who wrote an e-mail since, about something else",
      consent("denied"),
      { kind: "email", last_inbound_at: LATER, purpose: "transactional" },
      "recipient_opted_out",
    ],
  ] as const)("%s", (_, given, more, code) => {
    const check = () => checkConsent(given, { ...facts, ...more });
    if (code === null) check();
    else expect(refusalOf(check)).toMatchObject({ code });
  });
});

test("a reply window opens with the person's message", () => {
  expect(windowUntil(24, new Date(AT))).toEqual(new Date("2026-11-03T09:30:00.000Z"));
  expect(windowUntil(24, null)).toBeNull();
  expect(windowUntil(null, new Date(AT))).toBeNull();
});
