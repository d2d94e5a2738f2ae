import { expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { auditLog, feed } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();

const bulk = (key: string, body: object, headers: Record<string, string> = {}) =>
  world.call("POST", `${BASE}/clients/bulk`, { key, body, headers });
const read = async ({ key }: TestPartner, id: string) => (await world.call("GET", `${BASE}/clients/${id}`, { key })).body;

async function scene(count: number): Promise<{ partner: TestPartner; ids: string[] }> {
  const partner = await world.newPartner();
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await world.newClient(partner)).id);
  return { partner, ids };
}

test("each client has its own result, in the order asked, and one that is refused undoes no other", async () => {
  const { partner, ids } = await scene(4);
  const [first = "", suspended = "", churned = "", last = ""] = ids;
  await world.call("POST", `${BASE}/clients/${suspended}/suspend`, { key: partner.key });
  await world.call("DELETE", `${BASE}/clients/${churned}`, { key: partner.key });
  const foreign = (await world.newClient(await world.newPartner())).id;
  const never = newId("client", Date.now());
  const client_ids = [last, suspended, never, churned, foreign, first];
  const { status, body } = await bulk(partner.key, { action: "suspend", client_ids, reason: "Invoice overdue" });
  expect(status).toBe(200);
  expect(body.data.map(({ client_id, status }: Json) => [client_id, status])).toEqual([
    [last, "ok"],
    [suspended, "unchanged"],
    [never, "error"],
    [churned, "error"],
    [foreign, "error"],
    [first, "ok"],
  ]);
  expect(body.data[2].error).toEqual({ code: "not_found", detail: `${never} was not found.` });
  expect(body.data[4].error).toEqual({ code: "not_found", detail: `${foreign} was not found.` });
  expect(body.data[3].error.code).toBe("invalid_state_transition");
  expect([body.succeeded, body.unchanged, body.failed]).toEqual([2, 1, 3]);
  expect(await read(partner, first)).toMatchObject({ status: "suspended", status_reason: "Invoice overdue", version: 2 });
  expect((await read(partner, churned)).status).toBe("churned");
});

test("events and audit entries are those of single calls", async () => {
  const { partner, ids } = await scene(2);
  const [single = "", together = ""] = ids;
  for (const action of ["suspend", "reactivate"]) {
    await world.call("POST", `${BASE}/clients/${single}/${action}`, { key: partner.key, body: { reason: "Why" } });
    await bulk(partner.key, { action, client_ids: [together], reason: "Why" });
  }
  const events = (await feed(world, partner.key)).map(({ type, data }) => ({ ...data, type }));
  const entries = await auditLog(world, partner.key);
  const told = (id: string) => [
    events.filter(({ client_id }) => client_id === id).map(({ client_id: _id, ...event }) => event),
    entries.filter(({ target }) => target === id).map(({ action, changes }) => ({ action, changes })),
  ];
  expect(told(together)).toEqual(told(single));
  expect(told(together)[0]).toHaveLength(4);
});

test("tagging adds what is missing, untagging takes away what is there, and neither repeats itself", async () => {
  const { partner, ids } = await scene(2);
  const [plain = ""] = ids;
  const tagged = (await world.newClient(partner, { tags: ["vip", "emea"] })).id;
  const client_ids = [plain, tagged];
  const statuses = async (body: object) => (await bulk(partner.key, body)).body.data.map(({ status }: Json) => status);
  expect(await statuses({ action: "tag", client_ids, tags: ["vip"] })).toEqual(["ok", "unchanged"]);
  expect(await statuses({ action: "untag", client_ids, tags: ["emea", "other"] })).toEqual(["unchanged", "ok"]);
  expect([(await read(partner, plain)).tags, (await read(partner, tagged)).tags]).toEqual([["vip"], ["vip"]]);
  const [entry] = await auditLog(world, partner.key, { action: "clients.update", client_id: plain });
  expect(entry.changes).toEqual({ tags: { from: [], to: ["vip"] } });
  const full = (await world.newClient(partner, { tags: Array.from({ length: 50 }, (_, index) => `t${index}`) })).id;
  const { body } = await bulk(partner.key, { action: "tag", client_ids: [full, plain], tags: ["new"] });
  expect(body.data.map(({ status, error }: Json) => error?.code ?? status)).toEqual(["validation_failed", "ok"]);
});

test("a key bound to clients reaches those alone; the others are not found", async () => {
  const { partner, ids } = await scene(2);
  const [own = "", other = ""] = ids;
  const key = await world.newKey(partner, { clients: [own] });
  const { status, body } = await bulk(key, { action: "suspend", client_ids: [other, own] });
  expect([status, body.data.map((item: Json) => item.error?.code ?? item.status)]).toEqual([200, ["not_found", "ok"]]);
  expect((await read(partner, other)).status).toBe("active");
});

test("the house account is refused as in a single call", async () => {
  const { partner } = await scene(0);
  const { body } = await world.call("GET", `${BASE}/clients?include_house=true`, { key: partner.key });
  const result = await bulk(partner.key, { action: "suspend", client_ids: [body.data[0].id] });
  expect(result.body.data[0].error.code).toBe("invalid_state_transition");
});

test("500 clients are changed in one call, and sent again with the same key they are not changed again", async () => {
  const { partner, ids } = await scene(500);
  const headers = { "idempotency-key": "all" };
  const first = await bulk(partner.key, { action: "suspend", client_ids: ids }, headers);
  expect([first.status, first.body.succeeded]).toEqual([200, 500]);
  const again = await bulk(partner.key, { action: "suspend", client_ids: ids }, headers);
  expect([again.headers["idempotent-replayed"], again.text]).toEqual(["true", first.text]);
  const events = (await feed(world, partner.key, "limit=100&type=client.suspended")).map(({ data }) => data.client_id);
  expect(events.toSorted()).toEqual(ids.toSorted());
});

test("calls for the same clients in opposite order do not get in each other's way", async () => {
  const { partner, ids } = await scene(20);
  const calls = Array.from({ length: 8 }, (_, index) =>
    bulk(partner.key, { action: "tag", client_ids: index % 2 === 0 ? ids : ids.toReversed(), tags: [`t${index}`] }),
  );
  for (const { status, body } of await Promise.all(calls)) expect([status, body.succeeded]).toEqual([200, 20]);
  for (const id of ids) expect((await read(partner, id)).tags).toHaveLength(8);
});

const some = () => [newId("client", Date.now())];

test.each([
  ["no clients", { action: "suspend", client_ids: [] }, "#/client_ids"],
  ["501 clients", { action: "suspend", client_ids: Array.from({ length: 501 }, () => some()[0]) }, "#/client_ids"],
  ["another action", { action: "churn", client_ids: some() }, "#/action"],
  ["no tags to tag with", { action: "tag", client_ids: some() }, "#/tags"],
  ["tags for a suspension", { action: "suspend", client_ids: some(), tags: ["vip"] }, "#/tags"],
  ["a reason for tagging", { action: "untag", client_ids: some(), tags: ["vip"], reason: "Why" }, "#/reason"],
])("%s is refused with 422", async (_case, sent, pointer) => {
  const { partner } = await scene(0);
  const { status, body } = await bulk(partner.key, sent);
  expect([status, body.code]).toEqual([422, "validation_failed"]);
  expect(body.errors.map((fault: Json) => fault.pointer)).toContain(pointer);
});

test("a client twice is refused with 422", async () => {
  const { partner, ids } = await scene(1);
  expect((await bulk(partner.key, { action: "suspend", client_ids: [...ids, ...ids] })).status).toBe(422);
});
