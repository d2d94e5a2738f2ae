import fc from "fast-check";
import twilio from "twilio";
import { describe, expect, test } from "vitest";
import type { RawRequest } from "../adapter.ts";
import { parseTwilio } from "./parse.ts";
import { isFromTwilio, TWILIO_CODES, twilioSignature } from "./wire.ts";

const TOKEN = "12345678901234567890123456789012";
const MESSAGE = "msg_01jd3k5y5cf7m8n9p0q1r2s3t4";
const AT = new Date("2026-11-16T10:00:00Z");

function request(fields: Record<string, string>, query = "", headers: Record<string, string> = {}): RawRequest {
  const body = Buffer.from(new URLSearchParams(fields).toString());
  return {
    method: "POST",
    url: new URL(`https://desk.example/hooks/0000000000001${query}`),
    headers,
    body,
    at: AT,
    brand: "Service",
  };
}

function signed(fields: Record<string, string>, query = "", token = TOKEN): RawRequest {
  const plain = request(fields, query);
  const form = new URLSearchParams(plain.body.toString());
  return { ...plain, headers: { "x-twilio-signature": twilioSignature(token, plain.url.href, form) } };
}

describe("a signature", () => {
  test("is the one of Twilio's own library", () => {
    const names = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,12}$/).filter((name) => !(name in Object.prototype));
    fc.assert(
      fc.property(fc.dictionary(names, fc.string({ unit: "grapheme" }), { maxKeys: 12 }), fc.boolean(), (given, query) => {
        const fields = { ...given };
        const { url } = request(fields, query ? `?message=${MESSAGE}` : "");
        const expected = twilio.getExpectedTwilioSignature(TOKEN, url.href, fields);
        expect(twilioSignature(TOKEN, url.href, new URLSearchParams(fields))).toBe(expected);
        expect(twilio.validateRequest(TOKEN, expected, url.href, fields)).toBe(true);
      }),
    );
  });

  test("is of one token, address and body", () => {
    const fields = { MessageSid: "SM1", From: "+4915112345678", Body: "Grüße & = ? +" };
    expect(isFromTwilio(TOKEN, signed(fields))).toBe(true);
    expect(isFromTwilio(TOKEN, signed(fields, `?message=${MESSAGE}`))).toBe(true);
    expect(isFromTwilio(TOKEN, signed(fields, "", "another token"))).toBe(false);
    const { headers } = signed(fields);
    expect(isFromTwilio(TOKEN, request({ ...fields, Body: "other" }, "", headers as Record<string, string>))).toBe(false);
    expect(isFromTwilio(TOKEN, request(fields, "?x=1", headers as Record<string, string>))).toBe(false);
    expect(isFromTwilio(TOKEN, request(fields))).toBe(false);
  });

  test("of a body that is no form is over its hash", () => {
    const body = Buffer.from('{"a":1}');
    const hash = twilio.getExpectedBodyHash(body.toString());
    const url = new URL(`https://desk.example/hooks/0000000000001?bodySHA256=${hash}`);
    const headers = { "x-twilio-signature": twilio.getExpectedTwilioSignature(TOKEN, url.href, {}) };
    const whole: RawRequest = { method: "POST", url, headers, body, at: AT, brand: "Service" };
    expect(isFromTwilio(TOKEN, whole)).toBe(true);
    expect(isFromTwilio(TOKEN, { ...whole, body: Buffer.from('{"a":2}') })).toBe(false);
  });
});

describe("a request", () => {
  const message = { MessageSid: "SM1", SmsStatus: "received", From: "+4915112345678", To: "+15550100000", Body: "Are you open?" };

  test("is a message of a person", () => {
    expect(parseTwilio(request({ ...message, NumMedia: "0" }))).toEqual([
      {
        type: "message",
        provider_id: "SM1",
        from: "+4915112345678",
        profile: { phone: "+4915112345678" },
        text: "Are you open?",
        attachments: [],
        at: AT,
      },
    ]);
  });

  test("is of somebody without a phone where the sender is a name or a short number", () => {
    for (const From of ["Bank", "32665"]) {
      expect(parseTwilio(request({ ...message, From }))).toMatchObject([{ from: From, profile: {} }]);
    }
  });

  test("names what was sent along", () => {
    const media = { NumMedia: "1", MediaUrl0: "https://api.twilio.example/1", MediaContentType0: "image/png" };
    const [item] = parseTwilio(request({ ...message, ...media, Body: "" }));
    expect(item).toMatchObject({
      text: "",
      media: [{ url: "https://api.twilio.example/1", media_type: "image/png" }],
    });
  });

  test("is the status of the message that its address names", () => {
    const status = (MessageStatus: string, ErrorCode = "") =>
      parseTwilio(request({ MessageSid: "SM2", SmsStatus: MessageStatus, MessageStatus, ErrorCode }, `?message=${MESSAGE}`));
    expect(status("delivered")).toEqual([
      { type: "status", provider_id: "SM2", message_id: MESSAGE, status: "delivered", at: AT },
    ]);
    expect(status("queued")).toEqual([]);
    expect(status("undelivered", "30005")).toMatchObject([{ status: "failed", code: "30005" }]);
    expect(status("failed", "21610")).toMatchObject([{ status: "failed", code: "21610", opted_out: true }]);
    expect(status("undelivered", "30005")[0]).not.toHaveProperty("opted_out");
  });

  test("of any bytes is nothing, or something that can be stored", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom("", "MessageSid=SM1&From=", "MessageSid=SM1&MessageStatus="),
        (bytes, start) => {
          const body = Buffer.concat([Buffer.from(start), Buffer.from(bytes)]);
          const items = parseTwilio({ ...request({}), body });
          expect(JSON.stringify(items)).not.toContain("\\u0000");
          expect(JSON.stringify(items).isWellFormed()).toBe(true);
        },
      ),
    );
  });
});

test("codes are those of the design", () => {
  const classes = {
    20429: "passing",
    30001: "passing",
    21211: "permanent",
    21614: "permanent",
    30005: "permanent",
    30006: "permanent",
    21610: "opted_out",
    20003: "config",
  };
  expect(TWILIO_CODES).toMatchObject(classes);
});
