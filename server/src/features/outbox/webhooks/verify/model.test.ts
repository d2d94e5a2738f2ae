import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ownSignature, secretBytes, signatureHeaders, standardSignature } from "../../../../platform/crypto/webhook-signature.ts";
import { type Arrived, bodiesOf, CAUSES, type Cause, diagnose, type KnownSecret } from "./model.ts";

const now = new Date("2026-11-15T00:00:00Z");
const at_seconds = now.getTime() / 1000;
const body = Buffer.from('{"id":"evt_1"}');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);

/** A secret that is the same in every run, and so are the names of the tests. */
const secretOf = (endpoint_id: string, expires_at: Date | null = null): KnownSecret => ({
  endpoint_id,
  secret: `whsec_${Buffer.alloc(32, endpoint_id).toString("base64")}`,
  hint: "",
  created_at: now,
  expires_at,
});
const OWN = secretOf("whe_1");
const OTHER = secretOf("whe_2");

/** The headers that a body is sent with. */
const headersFor = (signed: Buffer, { secret } = OWN, brand = "Service") =>
  signatureHeaders({ brand, event_id: "evt_1", secrets: [secret], body: signed, at_seconds });
const ownHeader = (value: string) => ({ "X-Service-Signature": value });

const arrived = (more: Partial<Arrived>): Arrived => ({
  brand: "Service",
  body,
  headers: headersFor(body),
  computed: null,
  received_at: now,
  now,
  endpoint_id: "whe_1",
  secrets: [OTHER, OWN],
  sent: null,
  ...more,
});
const causeOf = (more: Partial<Arrived>) => diagnose(arrived(more)).cause;

/** The headers of Standard Webhooks alone. */
function standardHeaders(signed: Buffer, from = OWN): Record<string, string> {
  const { "X-Service-Signature": _, ...standard } = headersFor(signed, from);
  return standard;
}

describe("a good signature", () => {
  test("is good in either format, with its secret and its time", () => {
    for (const headers of [headersFor(body), standardHeaders(body)])
      expect(diagnose(arrived({ headers }))).toEqual({ cause: null, secret: OWN, at_seconds });
  });

  test("is found among several, in headers of any case, with space around them", () => {
    const signature = ownSignature(OWN.secret, at_seconds, body);
    expect(
      causeOf({ headers: { "x-service-signature": ` t=${at_seconds}, v1=${"0".repeat(64)}, v1=${signature.toUpperCase()} ` } }),
    ).toBeNull();
    const standard = standardHeaders(body);
    const both = `v1,${"A".repeat(43)}= ${standard["webhook-signature"]}`;
    expect(causeOf({ headers: { ...standard, "webhook-signature": both } })).toBeNull();
  });

  test("is good of a secret that ends later, and of any endpoint where none is named", () => {
    expect(causeOf({ secrets: [{ ...OWN, expires_at: before(-1) }] })).toBeNull();
    expect(diagnose(arrived({ headers: headersFor(body, OTHER), endpoint_id: null }))).toMatchObject({
      cause: null,
      secret: OTHER,
    });
  });

  test.each([
    [300, null],
    [-300, null],
    [301, "clock_skew"],
    [-301, "clock_skew"],
  ])("that arrives %d seconds from its time has the cause %j", (seconds, cause) => {
    expect(causeOf({ received_at: before(seconds) })).toBe(cause);
  });
});

describe("a signature header", () => {
  const good = ownSignature(OWN.secret, at_seconds, body);

  test.each<[Record<string, string>, Cause]>([
    [{}, "header_missing"],
    [{ "X-Other-Signature": "t=1" }, "header_missing"],
    [ownHeader(""), "header_malformed"],
    [ownHeader(`v1=${good}`), "header_malformed"],
    [ownHeader(`t=${at_seconds}`), "header_malformed"],
    [ownHeader(`t=1,t=2,v1=${good}`), "header_malformed"],
    [ownHeader(`t=x,v1=${good}`), "header_malformed"],
    [ownHeader(`t=1x,v1=${good}`), "header_malformed"],
    [ownHeader(`t=1234567890123,v1=${good}`), "header_malformed"],
    [ownHeader(`t=${at_seconds},v1=${good}0`), "header_malformed"],
    [ownHeader(`t=${at_seconds},v1=0${good}`), "header_malformed"],
    [ownHeader(`t=${at_seconds},v1=${good},v1=short`), "header_malformed"],
    [ownHeader(`t=${at_seconds},xv1=${good}`), "header_malformed"],
  ])("%j: %s", (headers, cause) => {
    expect(diagnose(arrived({ headers }))).toEqual({ cause, secret: null, at_seconds: null });
  });

  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("of Standard Webhooks is missing without %s", (name) => {
    const { [name]: _, ...headers } = standardHeaders(body);
    expect(causeOf({ headers })).toBe("header_missing");
  });

  test.each([
    ["webhook-timestamp", "soon"],
    ["webhook-timestamp", "x1"],
    ["webhook-timestamp", "1x"],
    ["webhook-signature", "v1,short"],
    ["webhook-signature", `v2,${"A".repeat(43)}=`],
    ["webhook-signature", `v1,${"A".repeat(43)}=x`],
    ["webhook-signature", `xv1,${"A".repeat(43)}=`],
  ])("of Standard Webhooks is malformed where %s is %s", (name, value) => {
    expect(causeOf({ headers: { ...standardHeaders(body), [name]: value } })).toBe("header_malformed");
  });

  test("has the name of the brand", () => {
    const headers = headersFor(body, OWN, "Acme");
    expect(causeOf({ brand: "Acme", headers })).toBeNull();
    expect(causeOf({ brand: "Acme", headers: ownHeader("t=1") })).toBe("header_missing");
  });
});

describe("a mistake is named", () => {
  const signedBy = (signature: string) => ({ headers: ownHeader(`t=${at_seconds},v1=${signature}`) });

  test.each<[Cause, Partial<Arrived>]>([
    ["unknown_signature", signedBy("0".repeat(64))],
    ["unknown_signature", { headers: standardHeaders(body, secretOf("whe_9")) }],
    ["other_endpoint", { headers: headersFor(body, OTHER) }],
    ["other_endpoint", { headers: standardHeaders(body, OTHER) }],
    ["old_secret", { secrets: [{ ...OWN, expires_at: now }] }],
    ["secret_decoded", signedBy(ownSignature(secretBytes(OWN.secret), at_seconds, body))],
    ["secret_without_prefix", signedBy(ownSignature(OWN.secret.slice("whsec_".length), at_seconds, body))],
    ["timestamp_left_out", signedBy(createHmac("sha256", OWN.secret).update(body).digest("hex"))],
  ])("%s", (cause, more) => {
    expect(causeOf(more)).toBe(cause);
  });

  test.each<[Cause, string, string]>([
    ["trailing_newline", '{"a":1}', '{"a":1}\n'],
    ["trailing_newline", '{"a":1} \n', '{"a":1}'],
    ["changed_encoding", "\u{feff}{}", "{}"],
    ["reserialised_json", '{ "a": 1 }', '{"a":1}'],
  ])("%s: %j arrived, %j was signed", (cause, text, signed) => {
    const headers = headersFor(Buffer.from(signed));
    expect(causeOf({ body: Buffer.from(text), headers })).toBe(cause);
    expect(causeOf({ body: Buffer.from(text), headers, sent: Buffer.from(signed) })).toBe(cause);
  });

  test.each<[Cause, Buffer, Buffer]>([
    ["body_changed", Buffer.from('{"a":1}'), Buffer.from('{"a":2}')],
    ["body_changed", Buffer.from('{"a":1}'), Buffer.from("x")],
    ["reserialised_json", Buffer.from('{"b":2,"a":1}'), Buffer.from('{"a":1,"b":2}')],
    ["changed_encoding", Buffer.from("é", "latin1"), Buffer.from("é")],
    ["changed_encoding", Buffer.from("é"), Buffer.from("é", "latin1")],
  ])("%s, where the event that was sent is known", (cause, given, sent) => {
    expect(causeOf({ body: given, sent, headers: headersFor(sent) })).toBe(cause);
  });

  test("and every one says what to do", () => {
    for (const text of Object.values(CAUSES)) expect(text).toMatch(/^[A-Z].*\.$/);
  });

  test("of the endpoint in question before another's", () => {
    const shared = { ...OTHER, secret: OWN.secret };
    expect(diagnose(arrived({ secrets: [shared, OWN] })).secret).toBe(OWN);
  });
});

describe("what a receiver computed", () => {
  const own = ownSignature(OWN.secret, at_seconds, body);

  test("is compared in hex or base64, whatever the header says", () => {
    for (const computed of [own, own.toUpperCase(), Buffer.from(own, "hex").toString("base64")])
      expect(causeOf({ computed, headers: ownHeader(`t=${at_seconds},v1=${"0".repeat(64)}`) })).toBeNull();
    const computed = ownSignature(secretBytes(OWN.secret), at_seconds, body);
    expect(causeOf({ computed })).toBe("secret_decoded");
    expect(causeOf({ computed: "nothing" })).toBe("unknown_signature");
  });

  test("is compared with the signature of Standard Webhooks where that was sent", () => {
    const standard = standardSignature(OWN.secret, "evt_1", at_seconds, body);
    const headers = standardHeaders(body);
    expect(causeOf({ computed: standard, headers })).toBeNull();
    expect(causeOf({ computed: Buffer.from(standard, "base64").toString("hex"), headers })).toBeNull();
    expect(causeOf({ computed: standardSignature(OWN.secret, "evt_2", at_seconds, body), headers })).toBe("unknown_signature");
  });
});

test("mistakes are looked for with live secrets alone, however long ago the body is said to have arrived", () => {
  const changed = headersFor(Buffer.concat([body, Buffer.from("\n")]));
  const ended = { ...OWN, expires_at: now };
  expect(causeOf({ headers: changed, received_at: new Date(0) })).toBe("trailing_newline");
  expect(causeOf({ headers: changed, received_at: new Date(0), secrets: [ended] })).toBe("unknown_signature");
  expect(causeOf({ received_at: new Date(0), secrets: [ended] })).toBe("clock_skew");
  const decoded = ownHeader(`t=${at_seconds},v1=${ownSignature(secretBytes(OWN.secret), at_seconds, body)}`);
  expect(causeOf({ headers: decoded, secrets: [ended] })).toBe("unknown_signature");
});

test.each(["", "{}", '{"a": 1}\n', "\u{feff}{}", "\u20ac", "not JSON"])("no body is tried twice: %j", (text) => {
  const sent = Buffer.from(text.trimEnd());
  const tried = bodiesOf({ body: Buffer.from(text), sent }).map(([, one]) => one.toString("hex"));
  expect(tried[0]).toBe(Buffer.from(text).toString("hex"));
  expect(new Set(tried).size).toBe(tried.length);
});
