import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import type { Refusal } from "../../../../kernel/errors.ts";
import { signatureHeaders } from "../../../../platform/crypto/webhook-signature.ts";
import type { RawRequest } from "../adapter.ts";
import { isSigned, parseItems } from "./parse.ts";

const SECRET = "whsec_bm90IGEgc2VjcmV0LCBqdXN0IGFuIGV4YW1wbGU=";
const AT = new Date("2026-11-16T10:00:00Z");

function request(content: unknown, headers: Record<string, string> = {}): RawRequest {
  const body = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
  return { method: "POST", url: new URL("https://desk.example/hooks/0000000000001"), headers, body, at: AT, brand: "Service" };
}

describe("a signature", () => {
  const body = Buffer.from('{"type":"message"}');
  const headersAt = (at_seconds: number, secret = SECRET) =>
    Object.fromEntries(
      Object.entries(signatureHeaders({ brand: "Service", event_id: "m-1", secrets: [secret], body, at_seconds })).map(
        ([name, value]) => [name.toLowerCase(), value],
      ),
    );
  const now = AT.getTime() / 1000;

  test("is ours, in either of its formats", () => {
    const headers = headersAt(now);
    expect(isSigned(SECRET, request(body, headers))).toBe(true);
    const { "x-service-signature": own, ...standard } = headers;
    expect(isSigned(SECRET, request(body, standard))).toBe(true);
    expect(isSigned(SECRET, request(body, { "x-service-signature": String(own) }))).toBe(true);
  });

  test("is the one of the library of Standard Webhooks", () => {
    const signature = new Webhook(SECRET).sign("m-1", AT, body.toString());
    const headers = { "webhook-id": "m-1", "webhook-timestamp": String(now), "webhook-signature": signature };
    expect(isSigned(SECRET, request(body, headers))).toBe(true);
  });

  test("is refused once it is older than five minutes, and of another secret or body", () => {
    expect(isSigned(SECRET, request(body, headersAt(now - 300)))).toBe(true);
    expect(isSigned(SECRET, request(body, headersAt(now - 301)))).toBe(false);
    expect(isSigned(SECRET, request(body, headersAt(now + 301)))).toBe(false);
    expect(isSigned(SECRET, request(body, headersAt(now, `${SECRET.slice(0, -2)}A=`)))).toBe(false);
    expect(isSigned(SECRET, request(Buffer.from("{}"), headersAt(now)))).toBe(false);
    expect(isSigned(SECRET, request(body))).toBe(false);
    expect(isSigned(SECRET, request(body, { "x-service-signature": "t=,v1=" }))).toBe(false);
  });
});

describe("a request", () => {
  const message = { type: "message", id: "m-1", from: "visitor-7", text: "Hello" };

  test("is a message, or a list of messages and statuses", () => {
    expect(parseItems(request({ ...message, name: "Kim", at: "2026-11-16T09:59:00Z" }))).toEqual([
      {
        type: "message",
        provider_id: "m-1",
        from: "visitor-7",
        profile: { external_id: "visitor-7", name: "Kim" },
        text: "Hello",
        attachments: [],
        at: new Date("2026-11-16T09:59:00Z"),
      },
    ]);
    const message_id = "msg_01jd3k5y5cf7m8n9p0q1r2s3t4";
    const items = parseItems(request([message, { type: "status", message_id, status: "read" }]));
    expect(items).toMatchObject([
      { type: "message" },
      { type: "status", message_id, provider_id: message_id, status: "read", at: AT },
    ]);
  });

  test("is refused with what is wrong", () => {
    const refusalOf = (content: unknown) => {
      try {
        parseItems(request(content));
      } catch (error) {
        return (error as Refusal).explanation.faults?.map(({ pointer }) => pointer) ?? (error as Refusal).code;
      }
      return null;
    };
    expect(refusalOf({ ...message, colour: "red" })).toEqual(["#/colour"]);
    expect(refusalOf({ ...message, text: undefined })).toEqual(["#/text"]);
    expect(refusalOf({ type: "status", message_id: "m", status: "read" })).toEqual(["#/message_id"]);
    for (const content of [null, 7, [null], { type: "other" }, Array.from({ length: 101 }, () => message)])
      expect(refusalOf(content)).toBe("validation_failed");
    expect(refusalOf(Buffer.from("{"))).toBe("invalid_json");
  });
});
