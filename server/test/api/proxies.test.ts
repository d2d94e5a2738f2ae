import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type App, createApp } from "../../src/app.ts";
import { expectHeld } from "../harness/held.ts";
import { auditLog } from "../harness/lists.ts";
import { BASE, useWorld } from "../harness/world.ts";

const PROXY = "10.0.0.1";
const world = useWorld();
let proxied: App;
let direct: App;

beforeAll(async () => {
  const open = (trusted_proxies: readonly string[]) =>
    createApp({
      connection: world.db.service,
      connections_max: 4,
      secret_key: "x".repeat(32),
      baseUrl: () => "http://tributary.test",
      migration: 0,
      log: pino({ level: "silent" }),
      clock: world.clock,
      trusted_proxies,
      role: "api",
    });
  [proxied, direct] = await Promise.all([open(["10.0.0.0/8", "127.0.0.1/32"]), open([])]);
});
afterAll(() => Promise.all([proxied.close(), direct.close()]));

type Sent = { key?: string; from?: string; forwarded?: string; app?: App; company?: string };

async function call({ key = "x", from = PROXY, forwarded, app = proxied, company }: Sent) {
  const { statusCode, body } = await app.http.inject({
    method: company === undefined ? "GET" : "POST",
    url: company === undefined ? `${BASE}/me` : `${BASE}/clients`,
    headers: { authorization: `Bearer ${key}`, ...(forwarded === undefined ? {} : { "x-forwarded-for": forwarded }) },
    remoteAddress: from,
    ...(company === undefined ? {} : { payload: { company } }),
  });
  return { status: statusCode, body: JSON.parse(body) };
}

/** A key that works from one network alone. */
async function boundKey(allowed_cidrs: string[]) {
  const partner = await world.newPartner();
  const body = { name: "Bound", scopes: ["clients:read", "clients:write"], clients: "all", allowed_cidrs };
  const made = await world.call("POST", `${BASE}/keys`, { key: partner.key, body });
  return { key: made.body.api_key as string };
}

describe("behind a trusted proxy", () => {
  test("guesses at keys count against the address of the client, not of the proxy", async () => {
    const same = ["198.51.100.1", "198.51.100.1, 10.2.2.2"];
    await expectHeld(async (turn) => (await call({ forwarded: same[turn % 2] ?? "" })).status);
    expect((await call({ forwarded: "198.51.100.2" })).status).toBe(401);
  });

  test("what a client claims about itself changes nothing", async () => {
    await expectHeld(async (turn) => (await call({ forwarded: `192.0.2.${turn % 256}, 198.51.100.3` })).status);
  });

  test("a key bound to networks goes by the address of the client, for reads and writes", async () => {
    const { key } = await boundKey(["203.0.113.0/24", "2001:db8::/32"]);
    for (const forwarded of ["203.0.113.7", "8.8.8.8, 203.0.113.7:1234, 10.1.1.1", "[2001:db8::7]:443"]) {
      const replies = [await call({ key, forwarded }), await call({ key, forwarded, company: "Acme" })];
      expect(replies.map(({ status }) => status)).toEqual([200, 201]);
    }
    for (const forwarded of ["203.0.114.7", "203.0.113.7, 203.0.114.7", "203.0.113.7, unknown", undefined]) {
      const sent = forwarded === undefined ? { key } : { key, forwarded };
      const replies = [await call(sent), await call({ ...sent, company: "Acme" })];
      expect(replies.map(({ status }) => status)).toEqual([401, 401]);
    }
  });

  test("the audit log has the address of the client", async () => {
    const partner = await world.newPartner();
    await call({ key: partner.key, forwarded: "203.0.113.77, 10.1.1.1", company: "Acme" });
    const entries = await auditLog(world, partner.key, { action: "clients.create" });
    expect(entries.map(({ ip }) => ip)).toEqual(["203.0.113.77"]);
  });
});

describe("a header of anybody else is not believed", () => {
  test.each([
    ["of an address that is not a trusted proxy", () => ({ app: proxied, from: "198.51.100.50" })],
    ["without trusted proxies", () => ({ app: direct, from: "198.51.100.51" })],
  ])("%s", async (_, sender) => {
    const { key } = await boundKey(["203.0.113.0/24"]);
    expect((await call({ ...sender(), key, forwarded: "203.0.113.7" })).status).toBe(401);
    await expectHeld(async (turn) => (await call({ ...sender(), forwarded: `192.0.2.${turn % 256}` })).status, {
      sent_before: 1,
    });
  });
});

test("bytes that are no text, and a header as long as it may be, count for the proxy", async () => {
  const { key } = await boundKey(["127.0.0.1/32"]);
  await proxied.http.listen({ host: "127.0.0.1", port: 0 });
  const address = proxied.http.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const values = [Buffer.from([0x80, 0xff, 0xfe, 0x2c, 0xc3]), Buffer.from("1,".repeat(7_000)), Buffer.from("f".repeat(15_000))];
  for (const value of values) {
    const socket = connect(port, "127.0.0.1");
    const head = `GET ${BASE}/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nX-Forwarded-For: `;
    // Two headers: the second one goes behind the first.
    socket.write(Buffer.concat([Buffer.from(`${head}203.0.113.7\r\nX-Forwarded-For: `), value, Buffer.from("\r\n\r\n")]));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  }
});
