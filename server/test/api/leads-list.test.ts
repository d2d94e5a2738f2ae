import { beforeAll, expect, test } from "vitest";
import { walk } from "../harness/lists.ts";
import { type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;
const leads: Record<string, Json> = {};

beforeAll(async () => {
  partner = await world.newPartner();
  const client = await world.newClient(partner);
  const field = { resource: "lead", key: "size", type: "number" };
  await world.call("POST", "/v1/custom-fields", { key: partner.key, body: field });
  const add = async (name: string, fields: object) => {
    world.clock.advance(1_000);
    leads[name] = await world.newLead(partner, fields);
  };
  const utm = { campaign: "spring-sale" };
  await add("ada", {
    name: "ada Okafor",
    phone: nextPhone(),
    email: "ada@list.example",
    company: "Harbour Dental",
    tags: ["vip"],
  });
  await add("bo", {
    name: "Bo Ek",
    source: { kind: "form", name: "Contact form", utm },
    status: "qualified",
    custom: { size: 7 },
  });
  await add("nameless", { name: null, email: "nobody@list.example", source: { kind: "ad", click_id: "Cj0", utm } });
  await add("there", { name: "Cleo", account_id: client.id, status: "working", notes: "Spoke of the harbour" });
  await add("gone", { name: "Dora", phone: nextPhone() });
  await world.call("POST", `/v1/leads/${leads.gone.id}/convert`, { key: partner.key });
});

const namesOf = (rows: Json[]) => rows.map(({ id }) => Object.keys(leads).find((name) => leads[name].id === id));
const list = async (query: Record<string, string | number>) => namesOf(await walk(world, partner.key, "/v1/leads", query));

test.each([
  [{ status: "qualified" }, ["bo"]],
  [{ converted: "true" }, ["gone"]],
  [{ converted: "false" }, ["there", "nameless", "bo", "ada"]],
  [{ tag: "vip" }, ["ada"]],
  [{ company: "harbour dental" }, ["ada"]],
  [{ source_kind: "form" }, ["bo"]],
  [{ source_name: "Contact form" }, ["bo"]],
  [{ campaign: "spring-sale" }, ["nameless", "bo"]],
  [{ campaign: "spring-sale", source_kind: "ad" }, ["nameless"]],
  [{ click_id: "Cj0" }, ["nameless"]],
  [{ score_min: 30 }, ["bo", "ada"]],
  [{ "custom.size": 7 }, ["bo"]],
  [{ q: "okaffor" }, ["ada"]],
  [{ q: "harbor" }, ["there", "ada"]],
  [{ q: "list.example" }, ["nameless", "ada"]],
  [{ sort: "created_at" }, ["ada", "bo", "nameless", "there", "gone"]],
  [{ sort: "name" }, ["nameless", "ada", "bo", "there", "gone"]],
  [{ sort: "-score" }, ["bo", "ada", "gone", "nameless", "there"]],
  [{ sort: "-updated_at" }, ["gone", "there", "nameless", "bo", "ada"]],
])("a list by %j has %j, whatever the size of its pages", async (query, expected) => {
  for (const limit of [1, 2, 100])
    expect([limit, await list({ ...query, limit } as Record<string, string | number>)]).toEqual([limit, expected]);
});

test("a list by several statuses, an account or times has those alone", async () => {
  const { body } = await world.call("GET", "/v1/leads?status=working&status=qualified", { key: partner.key });
  expect(namesOf(body.data)).toEqual(["there", "bo"]);
  expect(await list({ account_id: leads.there.account_id })).toEqual(["there"]);
  expect(await list({ created_after: leads.nameless.created_at, created_before: leads.gone.created_at })).toEqual([
    "there",
    "nameless",
  ]);
  expect(await list({ updated_after: leads.there.created_at })).toEqual(["gone", "there"]);
});

test("an export has every lead, as CSV and as NDJSON", async () => {
  const csv = await world.call("GET", "/v1/leads?format=csv&sort=created_at", { key: partner.key });
  const [head, ...rows] = csv.text.trim().split("\r\n");
  expect(head).toContain("source.utm.campaign");
  expect(rows).toHaveLength(5);
  const lines = (await world.call("GET", "/v1/leads?format=ndjson", { key: partner.key })).text.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).id).toSorted()).toEqual(
    Object.values(leads)
      .map(({ id }) => id)
      .toSorted(),
  );
});

test("a forged place in a list by score is answered, not failed on", async () => {
  const { body } = await world.call("GET", "/v1/leads?sort=-score&limit=1", { key: partner.key });
  const [list] = JSON.parse(Buffer.from(body.next_cursor, "base64url").toString());
  for (const [score, count] of [
    [Number.MAX_SAFE_INTEGER, 5],
    [-Number.MAX_SAFE_INTEGER, 0],
  ]) {
    const cursor = Buffer.from(JSON.stringify([list, score, "lead_z"])).toString("base64url");
    const reply = await world.call("GET", `/v1/leads?sort=-score&cursor=${cursor}`, { key: partner.key });
    expect([score, reply.status, reply.body.data.length]).toEqual([score, 200, count]);
  }
});
