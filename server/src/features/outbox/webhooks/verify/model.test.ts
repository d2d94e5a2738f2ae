import { expect, test } from "vitest";
import { newWebhookSecret, ownSignature } from "../../../../platform/crypto/webhook-signature.ts";
import { type Arrived, bodiesOf, diagnose } from "./model.ts";

const now = new Date("2026-11-15T00:00:00Z");
const at_seconds = now.getTime() / 1000;
const body = Buffer.from('{"id":"evt_1"}');

/** A body signed with a secret that ends at some time, and said to have arrived long before. */
function diagnosisOf(signed: Buffer, expires_at: Date | null) {
  const secret = newWebhookSecret();
  const arrived: Arrived = {
    brand: "Service",
    body,
    headers: { "X-Service-Signature": `t=${at_seconds},v1=${ownSignature(secret, at_seconds, signed)}` },
    computed: null,
    received_at: new Date(0),
    now,
    endpoint_id: null,
    secrets: [{ endpoint_id: "whe_1", secret, hint: "", created_at: now, expires_at }],
    sent: null,
  };
  return diagnose(arrived).cause;
}

test("mistakes are looked for with live secrets alone, however long ago the body is said to have arrived", () => {
  const changed = Buffer.concat([body, Buffer.from("\n")]);
  expect(diagnosisOf(changed, null)).toBe("trailing_newline");
  expect(diagnosisOf(changed, now)).toBe("unknown_signature");
  expect(diagnosisOf(body, now)).toBe("clock_skew");
});

test.each(["", "{}", '{"a": 1}\n', "\u{feff}{}", "\u20ac", "not JSON"])("no body is tried twice: %j", (text) => {
  const sent = Buffer.from(text.trimEnd());
  const tried = bodiesOf({ body: Buffer.from(text), sent }).map(([, one]) => one.toString("hex"));
  expect(tried[0]).toBe(Buffer.from(text).toString("hex"));
  expect(new Set(tried).size).toBe(tried.length);
});
