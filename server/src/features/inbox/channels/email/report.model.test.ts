import type { Email } from "postal-mime";
import { expect, test } from "vitest";
import { reportsOf } from "./report.model.ts";

const AT = new Date("2026-05-01T00:00:00Z");
const ours = (id: string) => (id === "<msg_1@ours>" ? "msg_1" : null);
const part = (mimeType: string, content: string | Uint8Array) => ({ mimeType, content });
const status = (action: string, ...lines: string[]) =>
  ["Reporting-MTA: dns; mx.example", "", `Action: ${action}`, ...lines].join("\r\n");
const ORIGINAL = part("message/rfc822", "Subject: x\r\nMessage-ID: <msg_1@ours>\r\n\r\nHi");
const mail = (attachments: object[], rest: Partial<Email> = {}) => ({ attachments, ...rest }) as unknown as Email;
const report = (text: string | Uint8Array, original: object[] = [ORIGINAL], rest: Partial<Email> = {}) =>
  reportsOf(mail([part("message/delivery-status", text), ...original], rest), AT, ours);
const failure = { type: "status", provider_id: "<msg_1@ours>", message_id: "msg_1", status: "failed", at: AT };

test("a failure has its code and its words, without addresses", () => {
  const text = status("failed", "Status: 5.1.1", "Diagnostic-Code: smtp; 550 <ada@home.example> no", " such user");
  expect(report(text)).toEqual([{ ...failure, code: "5.1.1", detail: "smtp; 550 <the recipient> no such user" }]);
});

test("a failure without code and words has some", () => {
  expect(report(status("Failed"))).toEqual([
    { ...failure, code: "bounced", detail: "The mail server of the recipient returned the message." },
  ]);
  expect(report(status("failed", "Status: 5.1.1, and a comment that is long"))?.[0]).toMatchObject({
    code: "5.1.1, and a comment ".slice(0, 20),
  });
});

test("a delivery has neither", () => {
  expect(report(status("delivered", "Status: 2.0.0"))).toEqual([{ ...failure, status: "delivered" }]);
});

test("what is only delayed says nothing", () => {
  for (const action of ["delayed", "relayed", "expanded", "constructor"]) expect(report(status(action))).toEqual([]);
  expect(report("Reporting-MTA: x")).toEqual([]);
});

test("the message is named by what came back, by references, or by what it answers", () => {
  for (const type of ["message/rfc822-headers", "text/rfc822-headers", "message/global", "message/global-headers"])
    expect(report(status("failed"), [part(type, "message-id:  <msg_1@ours> ")])).toHaveLength(1);
  expect(report(status("failed"), [], { references: "<a@x> <msg_1@ours>" })).toHaveLength(1);
  expect(report(status("failed"), [], { inReplyTo: "<msg_1@ours>" })).toHaveLength(1);
  expect(report(status("failed"), [part("text/plain", "Message-ID: <msg_1@ours>")])).toBeNull();
  expect(report(status("failed"), [part("message/rfc822", "X-Message-ID: <msg_1@ours>")])).toBeNull();
  expect(report(status("failed"), [])).toBeNull();
});

test("a mail without a report is none", () => {
  expect(reportsOf(mail([ORIGINAL]), AT, ours)).toBeNull();
  expect(reportsOf(mail([part("message/global-delivery-status", status("failed")), ORIGINAL]), AT, ours)).toHaveLength(1);
  for (const type of ["message/delivery-status-x", "x-message/delivery-status"])
    expect(reportsOf(mail([part(type, status("failed")), ORIGINAL]), AT, ours)).toBeNull();
});

test("parts may be bytes, and only their beginning is read", () => {
  expect(report(Buffer.from(status("failed")))).toHaveLength(1);
  expect(report(`${"x".repeat(64 * 1024)}\r\nAction: failed`)).toEqual([]);
  expect(report(`${"x".repeat(64 * 1024 - 20)}\r\nAction: failed`)).toHaveLength(1);
});
