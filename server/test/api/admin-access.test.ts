import { beforeAll, describe, expect, test } from "vitest";
import { ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { auditEntries } from "../harness/installation.ts";
import { auditLog } from "../harness/lists.ts";
import { newPerson, type Person } from "../harness/people.ts";
import { ADMIN, BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const hold = useHolds(() => world.db.connect());
let operator: string;

beforeAll(async () => {
  operator = await world.newOperator();
});

const admin = (method: string, path: string, body?: unknown) =>
  world.call(method, `${ADMIN}${path}`, { key: operator, ...(body === undefined ? {} : { body }) });
const ask = (partner: TestPartner, body?: object) =>
  world.call("POST", `${BASE}/access-request`, { key: partner.key, ...(body === undefined ? {} : { body }) });
const access = async (partner: TestPartner) => (await world.call("GET", `${BASE}/access-request`, { key: partner.key })).body;

test("a partner without access sees itself, asks once, and comes in when it is granted", async () => {
  const partner = await world.newPartner({ api_access: false });
  expect((await world.call("GET", `${BASE}/me`, { key: partner.key })).status).toBe(200);
  const refused = await world.call("GET", `${BASE}/clients`, { key: partner.key });
  expect([refused.status, refused.body.code]).toEqual([403, "beta_access_required"]);
  expect(await access(partner)).toEqual({ api_access: false, request: null });

  const first = await ask(partner, { message: "We sync our clients." });
  expect(first.body.request).toMatchObject({ status: "open", message: "We sync our clients.", partner_id: partner.partner_id });
  expect((await ask(partner, { message: "Again" })).body).toEqual(first.body);
  expect(await access(partner)).toEqual(first.body);

  const { id } = first.body.request;
  const granted = await admin("POST", `/access-requests/${id}/grant`, { reason: "Welcome" });
  expect(granted.body).toMatchObject({ status: "granted", reason: "Welcome", decided_at: world.clock.now().toISOString() });
  expect((await admin("POST", `/access-requests/${id}/grant`)).body).toEqual(granted.body);
  expect((await world.call("GET", `${BASE}/clients`, { key: partner.key })).status).toBe(200);
  expect(await access(partner)).toMatchObject({ api_access: true, request: { status: "granted" } });
  expect(await auditLog(world, partner.key, { action: "access_requests.create" })).toMatchObject([{ target: id }]);
  const [entry] = await auditLog(world, partner.key, { action: "access_requests.grant" });
  expect(entry).toMatchObject({ actor: { type: "operator" }, target: id, changes: { api_access: { from: false, to: true } } });
});

test("asking many times at once opens one request", async () => {
  const partner = await world.newPartner({ api_access: false });
  const replies = await Promise.all(Array.from({ length: 8 }, () => ask(partner)));
  expect(new Set(replies.map(({ body }) => body.request.id)).size).toBe(1);
});

test("a declined partner may ask again, and what was decided is not decided otherwise", async () => {
  const partner = await world.newPartner({ api_access: false });
  const { id } = (await ask(partner)).body.request;
  expect((await admin("POST", `/access-requests/${id}/decline`, { reason: "Not yet" })).body.status).toBe("declined");
  const { status, body } = await admin("POST", `/access-requests/${id}/grant`);
  expect([status, body.code, body.from, body.allowed]).toEqual([409, "invalid_state_transition", "declined", []]);
  expect((await world.call("GET", `${BASE}/clients`, { key: partner.key })).body.code).toBe("beta_access_required");
  const again = (await ask(partner)).body.request;
  expect(again).toMatchObject({ status: "open", reason: null });
  const entries = (await auditEntries(world.db, partner.partner_id)).filter(({ action }) =>
    action.startsWith("access_requests."),
  );
  expect(entries.map(({ action, target }) => [action, target])).toEqual([
    ["access_requests.create", id],
    ["access_requests.decline", id],
    ["access_requests.create", again.id],
  ]);
});

test("of two decisions at once that differ one is made", async () => {
  const { id } = (await ask(await world.newPartner({ api_access: false }))).body.request;
  const held = await hold("select from access_requests where id = $1 for share", [id]);
  const decisions = ["grant", "decline"].map((decision) => admin("POST", `/access-requests/${id}/${decision}`));
  await untilWaiting(world.db.sql, ROW_LOCKS, 2);
  await held.release();
  expect((await Promise.all(decisions)).map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test("access given directly closes the open request; taken away, the partner is out again", async () => {
  const partner = await world.newPartner({ api_access: false });
  await ask(partner);
  await admin("PATCH", `/partners/${partner.partner_id}`, { api_access: true });
  expect(await access(partner)).toMatchObject({ api_access: true, request: { status: "granted" } });
  expect((await ask(partner)).body.request.status).toBe("granted");
  await admin("PATCH", `/partners/${partner.partner_id}`, { api_access: false });
  expect((await world.call("GET", `${BASE}/clients`, { key: partner.key })).body.code).toBe("beta_access_required");
});

test("the operator lists requests by status", async () => {
  const partner = await world.newPartner({ api_access: false });
  const { id } = (await ask(partner)).body.request;
  const ids = async (query: string) =>
    (await admin("GET", `/access-requests?limit=100${query}`)).body.data.map((request: Json) => request.id);
  expect(await ids("&status=open")).toContain(id);
  expect(await ids("&status=granted&status=declined")).not.toContain(id);
  expect(await ids("")).toContain(id);
});

describe("/docs with DOCS_ACCESS=keys", () => {
  test("opens with a key of a partner with access, and with no other", async () => {
    const get = (key: string) => world.call("GET", "/openapi.json", { key });
    const partner = await world.newPartner();
    const without = await world.newPartner({ api_access: false });
    expect((await get(partner.key)).status).toBe(200);
    expect((await get(without.key)).body.code).toBe("beta_access_required");
    await admin("POST", `/partners/${partner.partner_id}/suspend`);
    expect((await get(partner.key)).body.code).toBe("partner_suspended");
  });

  test("opens for people who are signed in where their keys would open it, and for the operator's people", async () => {
    const get = ({ headers }: Pick<Person, "headers">, path = "/openapi.json") => world.call("GET", path, { headers });
    const partner = await world.newPartner();
    const [reader, outsider, host] = [
      await newPerson(world, partner, { role: "read_only" }),
      await newPerson(world, await world.newPartner({ api_access: false })),
      await newPerson(world, null),
    ];
    for (const path of ["/docs", "/docs/guides", "/openapi.json"]) expect((await get(reader, path)).status).toBe(200);
    // The playground calls as the person, and with a key for those who came with one.
    const calls = async (options: object) => (await world.call("GET", "/docs/start.js", options)).text.includes('"/portal/api"');
    expect([await calls({ headers: reader.headers }), await calls({ key: partner.key })]).toEqual([true, false]);
    expect((await get(host)).status).toBe(200);
    expect((await get(outsider)).body.code).toBe("beta_access_required");
    await admin("POST", `/partners/${partner.partner_id}/suspend`);
    expect((await get(reader)).body.code).toBe("partner_suspended");
    expect((await host.call("DELETE", "/session")).status).toBe(204);
    for (const [headers, code] of [[host.headers, "session_expired"] as const, [{}, "missing_credentials"] as const]) {
      const refused = await get({ headers });
      expect([refused.status, refused.body.code]).toEqual([401, code]);
      expect(refused.headers["www-authenticate"]).toMatch(/^Basic realm=/);
    }
  });
});
