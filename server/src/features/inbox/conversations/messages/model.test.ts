import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../../test/harness/refusal.ts";
import { checkConsent, MESSAGE_DEFAULTS, type StoredMessage, shownMessage, threadAfter, windowUntil } from "./model.ts";

const AT = "2026-11-02T09:30:00.000Z";
const LATER = new Date("2026-11-02T09:30:00.001Z");

describe("a message to somebody", () => {
  const facts = { opted_out_at: null, kind: "sms", purpose: "conversational", last_inbound_at: null } as const;
  const consent = (status: string) => ({ status, at: AT });

  test.each([
    ["who said nothing", undefined, {}, null],
    ["who granted it", consent("granted"), {}, null],
    ["who denied it", consent("denied"), {}, "recipient_opted_out"],
    ["whose address opted out", undefined, { opted_out_at: new Date(AT) }, "recipient_opted_out"],
    ["whose address opted out, whatever was granted", consent("granted"), { opted_out_at: new Date(AT) }, "recipient_opted_out"],
    ["as marketing, without consent", consent("unknown"), { purpose: "marketing" }, "consent_required"],
    ["as marketing, with consent", consent("granted"), { purpose: "marketing" }, null],
    ["as marketing, denied", consent("denied"), { purpose: "marketing" }, "recipient_opted_out"],
    ["who denied it and wrote a text message since", consent("denied"), { last_inbound_at: LATER }, "recipient_opted_out"],
    ["who denied it and wrote an e-mail since", consent("denied"), { kind: "email", last_inbound_at: LATER }, null],
    [
      "whose address opted out and wrote an e-mail since",
      undefined,
      { kind: "email", opted_out_at: new Date(AT), last_inbound_at: LATER },
      null,
    ],
    [
      "who denied it, wrote an e-mail since and opted out with it once more",
      consent("denied"),
      { kind: "email", opted_out_at: LATER, last_inbound_at: LATER },
      "recipient_opted_out",
    ],
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

describe("an e-mail that follows another", () => {
  test("refers to it, and to all that it refers to", () => {
    expect(threadAfter({ provider_id: "p1", detail: null })).toEqual({ message_id: "p1", references: ["p1"] });
    expect(threadAfter({ provider_id: "p1", detail: { message_id: "m1", references: ["a", "b"] } })).toEqual({
      message_id: "m1",
      references: ["a", "b", "m1"],
    });
    expect(threadAfter({ provider_id: "p1", detail: { thread: { references: ["a"] } } }).references).toEqual(["a", "p1"]);
  });

  test("refers to the last twenty at most", () => {
    const references = Array.from({ length: 25 }, (_, index) => `m${index}`);
    const after = threadAfter({ provider_id: "p", detail: { references } }).references;
    expect(after).toEqual([...references.slice(-19), "p"]);
  });
});

test("a message that was just written is shown as it is stored", () => {
  const at = new Date(AT);
  const row = {
    ...MESSAGE_DEFAULTS,
    id: "msg_1",
    account_id: "cli_1",
    conversation_id: "cnv_1",
    channel_id: "chn_1",
    ordinal: 3,
    direction: "out",
    kind: "text",
    author_type: "user",
    author_id: "usr_1",
    text: "Hello",
    status: "queued",
    status_at: at,
    created_at: at,
    version: 1,
  } as StoredMessage;
  expect(JSON.parse(shownMessage(row, { author_name: "Ada", attachments: [{ id: "fil_1" }] }))).toEqual({
    id: "msg_1",
    account_id: "cli_1",
    conversation_id: "cnv_1",
    channel_id: "chn_1",
    ordinal: 3,
    direction: "out",
    kind: "text",
    author: { type: "user", id: "usr_1", name: "Ada" },
    subject: null,
    text: "Hello",
    html: null,
    attachments: [{ id: "fil_1" }],
    dropped_attachments: 0,
    status: "queued",
    status_at: AT,
    error: null,
    provider_id: null,
    client_message_id: null,
    purpose: "conversational",
    template_id: null,
    automatic: false,
    retry_of: null,
    event: null,
    scheduled_at: null,
    created_at: AT,
    version: 1,
  });
});
