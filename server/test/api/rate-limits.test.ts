import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, createApp } from "../../src/app.ts";
import { expectHeld } from "../harness/held.ts";
import { BASE, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let limited: App;

beforeAll(async () => {
  limited = await createApp({
    connection: world.db.service,
    connections_max: 4,
    secret_key: "x".repeat(32),
    baseUrl: () => "http://tributary.test",
    migration: 0,
    log: pino({ level: "silent" }),
  });
});
afterAll(() => limited.close());

async function partnerWith(per_minute: number, burst: number): Promise<TestPartner> {
  const partner = await world.newPartner();
  await world.db.sql("update partners set rate_limit_per_minute = $2, rate_limit_burst = $3 where id = $1", [
    partner.partner_id,
    per_minute,
    burst,
  ]);
  return partner;
}

async function me(key: string) {
  const { statusCode, headers, body } = await limited.http.inject({
    url: `${BASE}/me`,
    headers: { authorization: `Bearer ${key}` },
  });
  return { status: statusCode, headers, body: JSON.parse(body) };
}

test("the burst is admitted and not one more, and the refusal says when to come back", async () => {
  const { key } = await partnerWith(1, 5);
  const replies = [];
  for (let sent = 0; sent < 8; sent += 1) replies.push(await me(key));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  const refused = replies.at(-1);
  expect(refused?.body.code).toBe("rate_limit_exceeded");
  expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(0);
});

test("every reply says the policy and what is left, counting down", async () => {
  const { key } = await partnerWith(1, 4);
  const left = [];
  for (let sent = 0; sent < 4; sent += 1) {
    const { headers } = await me(key);
    expect(headers["ratelimit-policy"]).toBe('"default";q=1;w=60');
    left.push(/^"default";r=(\d+);t=\d+$/.exec(String(headers.ratelimit))?.[1]);
  }
  expect(left).toEqual(["3", "2", "1", "0"]);
});

test("a tier's limits come before the partner's own, each by itself", async () => {
  const { partner_id, key } = await partnerWith(1, 4);
  await world.db.sql(
    "insert into tiers (grade, name, rank, rate_limit_burst, created_at, updated_at) values ('fast', 'Fast', 70, 7, now(), now())",
  );
  await world.db.sql("update partners set grade = 'fast' where id = $1", [partner_id]);
  const { headers } = await me(key);
  expect([headers["ratelimit-policy"], headers.ratelimit]).toEqual(['"default";q=1;w=60', expect.stringContaining("r=6;")]);
});

test("the keys of a partner share the partner's limit", async () => {
  const partner = await partnerWith(1, 6);
  const keys = [partner.key, await world.newKey(partner), await world.newKey(partner)];
  const replies = await Promise.all(Array.from({ length: 12 }, (_, turn) => me(keys[turn % 3] ?? "")));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(6);
});

test("one partner's flood takes nothing from another", async () => {
  const [loud, quiet] = [await partnerWith(1, 3), await partnerWith(1, 3)];
  await Promise.all(Array.from({ length: 30 }, () => me(loud.key)));
  expect((await me(quiet.key)).status).toBe(200);
});

test("guesses at keys are held by address: 401 at first, then 429", async () => {
  await expectHeld(async () => (await me(`trb_${"a".repeat(38)}`)).status);
});

test("guesses from one network of IPv6 count together, from another one apart", async () => {
  const guess = async (remoteAddress: string) =>
    (await limited.http.inject({ url: `${BASE}/me`, headers: { authorization: "Bearer x" }, remoteAddress })).statusCode;
  await expectHeld((sent) => guess(`2001:db8:7:7::${(sent + 1).toString(16)}`));
  expect(await guess("2001:db8:7:8::1")).toBe(401);
});

test("guesses at a key for the reference are held like all others", async () => {
  const guess = async (authorization: string) =>
    (await limited.http.inject({ url: "/docs", headers: { authorization }, remoteAddress: "198.51.100.8" })).statusCode;
  await expectHeld((sent) => guess(sent % 2 === 0 ? "Bearer x" : `Basic ${btoa(`x:${sent}`)}`));
});

test("guesses at an operator's key for the metrics are held like all others", async () => {
  await expectHeld(async () => (await limited.http.inject({ url: "/metrics", remoteAddress: "198.51.100.9" })).statusCode);
});
