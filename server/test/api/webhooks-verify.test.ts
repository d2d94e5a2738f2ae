import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { newWebhookSecret, signatureHeaders } from "../../src/platform/crypto/webhook-signature.ts";
import { auditLog } from "../harness/lists.ts";
import { HOOKS, newEndpoint, queuedFor } from "../harness/webhooks.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let partner: TestPartner;
/** An endpoint, a delivery of a real event to it, and the bytes that are sent. */
let endpoint: Json;
let event_id: string;
let sent: Buffer;

beforeAll(async () => {
  partner = await world.newPartner();
  endpoint = await newEndpoint(world, partner.key, { event_types: ["client.created"] });
  await world.newClient(partner, { company: "Café Über – 100 %" });
  event_id = (await queuedFor(world, endpoint.id))[0]?.event_id ?? "";
  const [row] = await world.db.sql<{ body: Buffer }>("select body from events where id = $1", [event_id]);
  sent = row?.body ?? Buffer.of();
});

const now_seconds = () => Math.floor(world.clock.now().getTime() / 1000);

function headersFor(body: Buffer, secrets: string[], { at_seconds = now_seconds(), id = event_id } = {}) {
  return signatureHeaders({ brand: "Service", event_id: id, secrets, body, at_seconds });
}

const OWN = "X-Service-Signature";
const ownOnly = (headers: Record<string, string>) => ({ [OWN]: headers[OWN] ?? "" });
const standardOnly = ({ [OWN]: _own, ...standard }: Record<string, string>) => standard;

async function verify(
  body: Buffer | string,
  headers: Record<string, string>,
  more: object = {},
  key = partner.key,
): Promise<Json> {
  const bytes = Buffer.from(body);
  const sent = { body: bytes.toString("base64"), body_encoding: "base64", headers, ...more };
  return (await world.call("POST", `${HOOKS}/verify`, { key, body: sent })).body;
}

const ownOf = (key: string | Buffer, text: string | Buffer) => createHmac("sha256", key).update(text).digest("hex");
const signed = (body: Buffer) => Buffer.concat([Buffer.from(`${now_seconds()}.`), body]);

describe("a good delivery", () => {
  test("is valid by either family of headers, as text or in base64, with the secret that fits", async () => {
    const headers = headersFor(sent, [endpoint.secret]);
    for (const given of [headers, ownOnly(headers), standardOnly(headers)]) {
      expect(await verify(sent, given)).toMatchObject({
        valid: true,
        cause: null,
        event_id,
        endpoint_id: endpoint.id,
        secret: { hint: endpoint.secret.slice(-4), expires_at: null },
        signed_seconds_ago: 0,
      });
    }
    const body = { body: sent.toString(), headers: { "x-service-signature": headers[OWN] }, endpoint_id: endpoint.id };
    expect((await world.call("POST", `${HOOKS}/verify`, { key: partner.key, body })).body.valid).toBe(true);
  });

  test("says how old the secret is, and is valid with each of those that are live", async () => {
    const other = await newEndpoint(world, partner.key);
    world.clock.advance(90_000);
    const rotated = (await world.call("POST", `${HOOKS}/${other.id}/rotate-secret`, { key: partner.key })).body;
    const answers = [];
    for (const secret of [rotated.secret, other.secret]) answers.push(await verify(sent, headersFor(sent, [secret])));
    expect(answers.map(({ valid, secret }) => [valid, secret.age_seconds])).toEqual([
      [true, 0],
      [true, 90],
    ]);
  });

  test("is looked at as it arrived: 300 seconds either way by the receiver's clock", async () => {
    const headers = headersFor(sent, [endpoint.secret]);
    const at = (seconds: number) => ({ received_at: new Date((now_seconds() + seconds) * 1000).toISOString() });
    for (const seconds of [0, 300, -300]) expect((await verify(sent, headers, at(seconds))).valid).toBe(true);
    for (const seconds of [301, -301]) {
      expect(await verify(sent, headers, at(seconds))).toMatchObject({
        valid: false,
        cause: "clock_skew",
        signed_seconds_ago: seconds,
        secret: { hint: endpoint.secret.slice(-4) },
      });
    }
  });
});

describe("each cause is found in what really goes wrong so", () => {
  const causeOf = async (body: Buffer | string, headers: Record<string, string>, more: object = {}) =>
    (await verify(body, headers, more)).cause;

  test("header_missing: a proxy took the signature away", async () => {
    expect(await causeOf(sent, {})).toBe("header_missing");
    const { "webhook-timestamp": _time, ...rest } = standardOnly(headersFor(sent, [endpoint.secret]));
    expect(await causeOf(sent, rest)).toBe("header_missing");
    const renamed = { "X-Other-Signature": headersFor(sent, [endpoint.secret])[OWN] ?? "" };
    expect(await causeOf(sent, renamed)).toBe("header_missing");
  });

  test("header_malformed: cut short, split, or of another form", async () => {
    const whole = headersFor(sent, [endpoint.secret])[OWN] ?? "";
    for (const value of [
      whole.slice(0, -1),
      whole.split(",")[0],
      whole.split(",")[1],
      `sha256=${"0".repeat(64)}`,
      "",
      `t=x,${whole}`,
    ]) {
      expect([value, await causeOf(sent, { [OWN]: value ?? "" })]).toEqual([value, "header_malformed"]);
    }
    const standard = standardOnly(headersFor(sent, [endpoint.secret]));
    expect(await causeOf(sent, { ...standard, "webhook-signature": "v1,short" })).toBe("header_malformed");
  });

  test("other_endpoint: the secret of another endpoint", async () => {
    const other = await newEndpoint(world, partner.key);
    for (const headers of [headersFor(sent, [other.secret]), standardOnly(headersFor(sent, [other.secret]))]) {
      const answer = await verify(sent, headers, { endpoint_id: endpoint.id });
      expect(answer).toMatchObject({ valid: false, cause: "other_endpoint", endpoint_id: other.id });
    }
  });

  test("old_secret: one that was rotated away", async () => {
    const rotated = await newEndpoint(world, partner.key);
    const body = { overlap_seconds: 0 };
    await world.call("POST", `${HOOKS}/${rotated.id}/rotate-secret`, { key: partner.key, body });
    const answer = await verify(sent, headersFor(sent, [rotated.secret]));
    expect(answer).toMatchObject({
      cause: "old_secret",
      secret: { hint: rotated.secret.slice(-4), expires_at: expect.any(String) },
    });
  });

  test("reserialised_json: parsed and written again, with other spaces or another order", async () => {
    const headers = headersFor(sent, [endpoint.secret]);
    const value = JSON.parse(sent.toString());
    const turned = JSON.stringify(Object.fromEntries(Object.entries(value).reverse()));
    for (const text of [JSON.stringify(value, null, 2), turned]) expect(await causeOf(text, headers)).toBe("reserialised_json");
    const escaped = sent
      .toString()
      .replace(/[^\x20-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
    expect(escaped).not.toBe(sent.toString());
    expect(await causeOf(escaped, headers)).toBe("reserialised_json");
    const unknown = JSON.stringify({ id: 1, b: [1, 2] });
    const spaced = JSON.stringify(JSON.parse(unknown), null, 1);
    expect(await causeOf(spaced, ownOnly(headersFor(Buffer.from(unknown), [endpoint.secret])))).toBe("reserialised_json");
  });

  test("trailing_newline: a line end more, or less", async () => {
    const headers = headersFor(sent, [endpoint.secret]);
    expect(await causeOf(`${sent}\n`, headers)).toBe("trailing_newline");
    expect(await causeOf(`${sent}\r\n`, ownOnly(headers))).toBe("trailing_newline");
    const unknown = Buffer.from('{"a":1}\n');
    expect(await causeOf('{"a":1}', ownOnly(headersFor(unknown, [endpoint.secret])))).toBe("trailing_newline");
  });

  test("changed_encoding: read as Latin-1, or with a byte order mark", async () => {
    const headers = headersFor(sent, [endpoint.secret]);
    const mojibake = Buffer.from(sent.toString("latin1"), "utf8");
    expect(mojibake.equals(sent)).toBe(false);
    expect(await causeOf(mojibake, headers)).toBe("changed_encoding");
    expect(await causeOf(Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), sent]), headers)).toBe("changed_encoding");
    const unknown = Buffer.from('{"a":"é"}');
    const read = Buffer.from(unknown.toString("latin1"), "utf8");
    expect(await causeOf(read, ownOnly(headersFor(unknown, [endpoint.secret])))).toBe("changed_encoding");
  });

  test("body_changed: a value is another", async () => {
    const changed = sent.toString().replace('"usd"', '"eur"');
    expect(await causeOf(changed, headersFor(sent, [endpoint.secret]))).toBe("body_changed");
  });

  test("unknown_signature: somebody else's", async () => {
    expect(await causeOf(sent, headersFor(sent, [newWebhookSecret()]))).toBe("unknown_signature");
    expect(await causeOf("{}", headersFor(sent, [newWebhookSecret()]))).toBe("unknown_signature");
  });
});

describe("what the receiver's own code came to tells what it does otherwise", () => {
  test.each<[string | null, (body: Buffer, secret: string) => string]>([
    [null, (body, secret) => ownOf(secret, signed(body))],
    ["secret_decoded", (body, secret) => ownOf(Buffer.from(secret.slice(6), "base64"), signed(body))],
    ["secret_without_prefix", (body, secret) => ownOf(secret.slice(6), signed(body))],
    ["timestamp_left_out", (body, secret) => ownOf(secret, body)],
    ["trailing_newline", (body, secret) => ownOf(secret, signed(Buffer.from(`${body}\n`)))],
    ["unknown_signature", (body) => ownOf("something else", signed(body))],
  ])("%s", async (cause, compute) => {
    const headers = headersFor(sent, [endpoint.secret]);
    expect((await verify(sent, headers, { computed: compute(sent, endpoint.secret) })).cause).toBe(cause);
  });

  test("old and other endpoints' secrets", async () => {
    const other = await newEndpoint(world, partner.key);
    const headers = headersFor(sent, [endpoint.secret]);
    const computed = ownOf(other.secret, signed(sent));
    expect((await verify(sent, headers, { computed, endpoint_id: endpoint.id })).cause).toBe("other_endpoint");
    const standard = standardOnly(headers);
    const right = (standard["webhook-signature"] ?? "").slice(3);
    expect((await verify(sent, standard, { computed: right })).valid).toBe(true);
  });
});

describe("nobody learns of what is not theirs", () => {
  test("a bound key is told nothing by events and secrets of endpoints that it does not see", async () => {
    const client = await world.newClient(partner);
    const key = await world.newKey(partner, { clients: [client.id] });
    const answer = await verify(`${sent}\n`, headersFor(sent, [endpoint.secret]), {}, key);
    expect(answer).toMatchObject({ cause: "unknown_signature", endpoint_id: null, secret: null });
    const stranger = await world.newPartner();
    expect((await verify(sent, headersFor(sent, [endpoint.secret]), {}, stranger.key)).cause).toBe("unknown_signature");
    for (const key of [stranger.key, await world.newKey(partner, { clients: [client.id] })]) {
      const body = { body: "{}", headers: {}, endpoint_id: endpoint.id };
      expect((await world.call("POST", `${HOOKS}/verify`, { key, body })).status).toBe(404);
    }
  });

  test("it is counted in the audit log like a read", async () => {
    const { key } = await world.newPartner();
    for (const _ of [1, 2]) await world.call("POST", `${HOOKS}/verify`, { key, body: { body: "", headers: {} } });
    world.clock.advance(60_000);
    const entries = await auditLog(world, key, { action: "webhooks.verify" });
    expect(entries.map(({ count }) => count)).toEqual([2]);
    expect((await world.call("GET", `${BASE}/webhooks/verify`, { key })).body.code).toBe("method_not_allowed");
  });
});
