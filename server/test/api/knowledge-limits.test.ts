import { afterAll, beforeAll, expect, test } from "vitest";
import { ACCOUNT_BYTES_MAX, SOURCES_MAX } from "../../src/features/agents/knowledge/model.ts";
import { type Receiver, startReceiver, status } from "../harness/receiver.ts";
import { GENERAL, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({ egress: "development" }, "api");
let partner: TestPartner;
let server: Receiver;

beforeAll(async () => {
  partner = await world.newPartner();
  server = await startReceiver();
});
afterAll(() => server.close());

const TOO_MUCH = [409, { code: "knowledge_limit_reached", limit: ACCOUNT_BYTES_MAX }];

const call = async (method: string, path: string, body?: object) => {
  const reply = await world.call(method, `${GENERAL}/knowledge-sources${path}`, { key: partner.key, body });
  return [reply.status, reply.body] as const;
};
const add = (account_id: string, text: string) => call("POST", "", { account_id, kind: "text", name: "One more", text });

/** An account with sources of so many bytes each. */
async function accountWith(count: number, bytes: number): Promise<string> {
  const { id } = await world.newClient(partner);
  await world.db.sql(
    `insert into knowledge_sources (partner_id, id, account_id, key, kind, name, language, bytes, sha256, status, created_at, updated_at)
     select $1, $2 || n, $2, 'key-' || n, 'text', 'Filling', 'en', $4, '', 'ready', $5, $5 from generate_series(1, $3::int) n`,
    [partner.partner_id, id, count, bytes, world.clock.now()],
  );
  return id;
}

test("an account has at most 200 sources, however many are added at once", async () => {
  const account = await accountWith(199, 0);
  const replies = await Promise.all([add(account, "x"), add(account, "y")]);
  expect(replies.map(([code]) => code).sort()).toEqual([201, 409]);
  const [, refused] = replies.find(([code]) => code === 409) ?? [];
  expect(refused).toMatchObject({ code: "knowledge_limit_reached", limit: SOURCES_MAX });
});

test("an account has so much text in all its sources, however many get longer at once", async () => {
  const account = await accountWith(1, ACCOUNT_BYTES_MAX - 10);
  expect(await add(account, "x".repeat(11))).toMatchObject(TOO_MUCH);
  const [, { id }] = await add(account, "x".repeat(10));
  expect(await call("PATCH", `/${id}`, { text: "y".repeat(11) })).toMatchObject(TOO_MUCH);
  expect(await call("PATCH", `/${id}`, { text: "y".repeat(10) })).toMatchObject([200, { bytes: 10 }]);
  const other = await accountWith(1, ACCOUNT_BYTES_MAX - 20);
  const short = await Promise.all(["x", "y"].map((text) => add(other, text)));
  const grown = await Promise.all(short.map(([, body]) => call("PATCH", `/${body.id}`, { text: "z".repeat(15) })));
  expect(grown.map(([code]) => code).sort()).toEqual([200, 409]);
});

test("a page that does not fit is not moved to, and failed where it got longer; what it said before stays", async () => {
  const account_id = await accountWith(1, ACCOUNT_BYTES_MAX - 20);
  const says = (text: string) => status(200, { "content-type": "text/plain" }, text);
  server.answer("/grows", says("It is short."));
  server.answer("/long", says("This page has too many words."));
  const made = await call("POST", "", { account_id, kind: "url", name: "Page", url: `${server.origin}/grows` });
  expect(made).toMatchObject([201, { bytes: 12 }]);
  const [, { id, url }] = made;
  expect(await call("PATCH", `/${id}`, { url: `${server.origin}/long` })).toMatchObject(TOO_MUCH);
  server.answer("/grows", says("It has too many words by now."));
  expect(await call("POST", `/${id}/fetch`)).toMatchObject([200, { status: "failed", bytes: 12, url }]);
  expect(await call("GET", `/${id}`)).toMatchObject([200, { text: "It is short." }]);
  server.answer("/grows", says("It fits."));
  expect(await call("POST", `/${id}/fetch`)).toMatchObject([200, { status: "ready", error: null, bytes: 8 }]);
});
