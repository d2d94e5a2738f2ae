import { beforeAll, expect, test } from "vitest";
import { feature as leads } from "../../src/features/crm/leads/index.ts";
import { auditLog, changes, walk } from "../harness/lists.ts";
import { type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;

beforeAll(async () => {
  partner = await world.newPartner();
});

const call = (method: string, path: string, body?: unknown, match?: string) =>
  world.call(method, `/v1/leads${path}`, { key: partner.key, body, headers: match === undefined ? {} : { "if-match": match } });
const run = (name: string) => {
  const job = (leads.jobs?.(world.app.services, "03:00") ?? []).find((one) => one.name === name);
  const { db } = world.app.services;
  return job?.run({ db, owner: db, clock: world.clock });
};
const CALLED = { name: "Can be called", field: "phone", op: "exists", points: 40 };

test("an account begins with rules, and its leads are scored by them as soon as they are made", async () => {
  const { body, headers } = await call("GET", "/scoring");
  expect([body.version, body.updated_at, body.rescoring, headers.etag]).toEqual([1, null, false, '"1-0"']);
  expect(body.rules.length).toBeGreaterThan(5);
  const lead = await world.newLead(partner, { phone: nextPhone(), email: "scored@leads.example", status: "working" });
  const { body: why } = await call("GET", `/${lead.id}/score`);
  expect([why.score, why.breakdown.length]).toEqual([lead.score, body.rules.length]);
  const sum = why.breakdown.filter(({ matched }: Json) => matched).reduce((total: number, { points }: Json) => total + points, 0);
  expect(lead.score).toBe(sum);
  expect(sum).toBeGreaterThan(0);
});

test("rules are set by whoever saw the ones before, and leads follow them at once", async () => {
  const client = await world.newClient(partner);
  const lead = await world.newLead(partner, { phone: nextPhone(), account_id: client.id });
  const without = await world.newLead(partner, { account_id: client.id });
  const input = { account_id: client.id, rules: [CALLED] };
  expect((await call("PUT", "/scoring", input)).status).toBe(428);
  expect((await call("PUT", "/scoring", input, '"2"')).status).toBe(412);
  const { status, body } = await call("PUT", "/scoring", input, '"1-0"');
  expect([status, body]).toMatchObject([200, { account_id: client.id, rules: [CALLED], rescoring: false, version: 2 }]);
  expect((await call("PUT", "/scoring", input, '"1-0"')).status).toBe(412);
  expect((await call("GET", `/${lead.id}`)).body).toMatchObject({ score: 40, version: 2 });
  expect((await call("GET", `/${without.id}`)).body).toMatchObject({ score: 0, version: 1 });
  expect((await call("PATCH", `/${lead.id}`, { phone: null })).body.score).toBe(0);
  const told = (await changes(world, partner.key)).filter(({ id }) => id === lead.id).map(({ version }) => version);
  expect(told).toEqual([1, 2, 3]);
  const [entry] = await auditLog(world, partner.key, { action: "leads.set_scoring" });
  expect(entry).toMatchObject({ target: client.id, changes: { rules: { to: [CALLED] } } });
});

test("a rule that could never fit is refused, with its place", async () => {
  const rules = [CALLED, { ...CALLED, op: "gt", value: 1 }, { ...CALLED, field: "custom.none", op: "is", value: "x" }];
  const { status, body } = await call("PUT", "/scoring", { rules }, "*");
  expect([status, body.errors.map(({ pointer, code }: Json) => [pointer, code])]).toEqual([
    422,
    [
      ["#/rules/1/field", "not_of_op"],
      ["#/rules/2/field", "unknown_custom_field"],
    ],
  ]);
  const many = Array.from({ length: 51 }, () => CALLED);
  expect((await call("PUT", "/scoring", { rules: many }, "*")).status).toBe(422);
});

test("more leads than fit into one call are scored again by and by, each once", async () => {
  const client = await world.newClient(partner);
  for (let round = 0; round < 3; round += 1) {
    const leads = Array.from({ length: 250 }, () => ({ phone: nextPhone(), account_id: client.id }));
    expect((await call("POST", "/bulk", { action: "create", leads })).body.succeeded).toBe(250);
  }
  const put = await call("PUT", "/scoring", { account_id: client.id, rules: [CALLED] }, '"1"');
  expect(put.body.rescoring).toBe(true);
  const versions = async () => {
    const all = await walk(world, partner.key, "/v1/leads", { account_id: client.id, limit: 100 });
    return [40, 15].map((score) => all.filter((lead) => lead.score === score && lead.version === (score === 40 ? 2 : 1)).length);
  };
  expect(await versions()).toEqual([500, 250]);
  await run("lead_scores");
  expect(await versions()).toEqual([750, 0]);
  expect((await call("GET", `/scoring?account_id=${client.id}`)).body.rescoring).toBe(false);
  expect(await run("lead_scores")).toBe("0 accounts rescored");
});

test("whatever is written while rules change, every lead ends with the score of the last rules", async () => {
  const client = await world.newClient(partner);
  const make = (index: number) => world.newLead(partner, { phone: nextPhone(), account_id: client.id, title: `${index}` });
  const there = await Promise.all(Array.from({ length: 10 }, (_, index) => make(index)));
  await Promise.all([
    ...Array.from({ length: 6 }, (_, index) =>
      call("PUT", "/scoring", { account_id: client.id, rules: [{ ...CALLED, points: 10 + index }] }, "*"),
    ),
    ...there.map(({ id }) => call("PATCH", `/${id}`, { company: "Changed" })),
    ...Array.from({ length: 10 }, (_, index) => make(10 + index)),
  ]);
  await run("lead_scores");
  const { rules } = (await call("GET", `/scoring?account_id=${client.id}`)).body;
  const leads = await walk(world, partner.key, "/v1/leads", { account_id: client.id });
  expect([leads.length, new Set(leads.map(({ score }) => score))]).toEqual([20, new Set([rules[0].points])]);
});

test("a rule about time is asked when it is read, and every night for all", async () => {
  const client = await world.newClient(partner);
  const aged = [CALLED, { name: "Old", field: "age_days", op: "gt", value: 6, points: -30 }];
  await call("PUT", "/scoring", { account_id: client.id, rules: aged }, "*");
  const lead = await world.newLead(partner, { phone: nextPhone(), account_id: client.id });
  world.clock.advance(7 * 86_400_000);
  expect((await call("GET", `/${lead.id}/score`)).body.score).toBe(10);
  expect((await call("GET", `/${lead.id}`)).body.score).toBe(40);
  await run("lead_aging");
  await run("lead_scores");
  expect((await call("GET", `/${lead.id}`)).body).toMatchObject({ score: 10, version: 2 });
});

test("a note counts as activity, and shows in the lead and its score", async () => {
  const client = await world.newClient(partner);
  const active = { name: "Active", field: "activity_count", op: "gt", value: 0, points: 25 };
  await call("PUT", "/scoring", { account_id: client.id, rules: [active] }, "*");
  const lead = await world.newLead(partner, { account_id: client.id });
  world.clock.advance(1_000);
  const note = await call("POST", `/${lead.id}/notes`, { body: "Called." });
  const after = (await call("GET", `/${lead.id}`)).body;
  expect(after).toMatchObject({ score: 25, version: 2, last_activity_at: world.clock.now().toISOString() });
  await call("PATCH", `/${lead.id}/notes/${note.body.id}`, { body: "Called twice." });
  expect((await call("GET", `/${lead.id}`)).body).toEqual(after);
});
