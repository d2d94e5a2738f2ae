import { beforeAll, describe, expect, test } from "vitest";
import { EVENT_CATALOGUE } from "../../src/features/outbox/events/index.ts";
import type { EventType } from "../../src/kernel/events.ts";
import { auditLog, changes, feed } from "../harness/lists.ts";
import {
  amend,
  conflictOf,
  DAY_MS,
  later,
  newSale,
  nextCompany,
  provision,
  registrationOf,
  release,
  setProgramme,
  tryMove,
} from "../harness/sales.ts";
import { ADMIN, BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let ours: TestPartner;
let rival: TestPartner;
let operator: string;

beforeAll(async () => {
  ours = await world.newPartner();
  rival = await world.newPartner({ company: "Rival Agency" });
  operator = await world.newOperator();
});

const decide = (deal_id: string, decision: string, reason: string | null = "Because") =>
  world.call("POST", `${ADMIN}/registrations/${deal_id}/${decision}`, {
    key: operator,
    ...(reason === null ? {} : { body: { reason } }),
  });

describe("the programme reviews", () => {
  beforeAll(() => setProgramme(world, operator, { registration_review: "review", protection_days: 30 }));

  test("and a sale waits for it, with its company its own meanwhile", async () => {
    const company = nextCompany();
    const sale = await newSale(world, ours, { company });
    expect(await registrationOf(world, operator, sale)).toMatchObject({ status: "submitted", protected_until: later(world, 30) });
    expect(await conflictOf(newSale(world, rival, { company }))).toBe("deal_conflict");
    expect(await conflictOf(tryMove(world, ours, sale))).toBeNull();
  });

  test("and approves: protected from then on, told in the partner's feeds and log, once", async () => {
    const partner = await world.newPartner();
    const sale = await newSale(world, partner, { company: nextCompany() });
    world.clock.advance(10 * DAY_MS);
    const done = await decide(sale.deal_id, "approve", null);
    expect([done.status, done.body]).toEqual([200, await registrationOf(world, operator, sale)]);
    expect(done.body).toMatchObject({
      status: "approved",
      protected_until: later(world, 30),
      decided_at: later(world, 0),
      version: 2,
    });
    expect((await decide(sale.deal_id, "approve")).body).toEqual(done.body);
    const events = await feed(world, partner.key);
    expect(events.map(({ type }) => type)).toEqual(["deal.registered", "deal.stage_changed"]);
    for (const { type, data } of events as { type: EventType; data: object }[]) {
      const { properties } = EVENT_CATALOGUE[type].data as { properties?: object };
      expect(Object.keys(data).sort()).toEqual(Object.keys(properties ?? {}).sort());
    }
    expect(events[1].data).toMatchObject({ change: "registration", days_in_stage: 10, stage_type: "open", client_id: null });
    const fed = (await changes(world, partner.key)).filter(({ id }) => id === sale.deal_id);
    expect(fed).toMatchObject([
      { resource: "deal", change: "created", version: 1 },
      { resource: "deal", change: "updated", version: 2 },
    ]);
    const [entry] = await auditLog(world, partner.key, { action: "registrations.approve" });
    expect(entry).toMatchObject({ target: sale.deal_id, actor: { type: "operator" }, changes: { status: { to: "approved" } } });
  });

  test("and rejects: the company is free, the deal moves no more, until it is approved after all", async () => {
    const company = nextCompany();
    const sale = await newSale(world, ours, { company });
    const done = await decide(sale.deal_id, "reject", "Ours already");
    expect(done.body).toMatchObject({ status: "rejected", reason: "Ours already" });
    expect(await conflictOf(tryMove(world, ours, sale))).toBe("registration_closed");
    const theirs = await newSale(world, rival, { company });
    const late = await decide(sale.deal_id, "approve");
    expect([late.status, late.body.code]).toEqual([409, "deal_conflict"]);
    await release(world, rival, theirs);
    expect((await decide(sale.deal_id, "approve")).body.status).toBe("approved");
    expect(await conflictOf(tryMove(world, ours, sale))).toBeNull();
  });

  test("and asks for more: any change of the deal submits it again", async () => {
    const sale = await newSale(world, ours, { company: nextCompany() });
    expect((await decide(sale.deal_id, "request-info", "Which plan?")).body.status).toBe("needs_info");
    expect(await conflictOf(tryMove(world, ours, sale))).toBeNull();
    world.clock.advance(1_000);
    await amend(world, ours, sale, { plan: "Scale" });
    expect(await registrationOf(world, operator, sale)).toMatchObject({ status: "submitted", submitted_at: later(world, 0) });
  });

  test("and decides nothing that cannot be, nor against another version than it saw", async () => {
    const sale = await newSale(world, ours, { company: nextCompany() });
    const blind = await world.call("POST", `${ADMIN}/registrations/${sale.deal_id}/approve`, {
      key: operator,
      headers: { "if-match": '"9"' },
    });
    expect([blind.status, blind.body.code]).toEqual([412, "version_mismatch"]);
    expect((await world.call("POST", `${ADMIN}/registrations/${sale.deal_id}/reject`, { key: operator, body: {} })).status).toBe(
      422,
    );
    await release(world, ours, sale);
    const lost = await decide(sale.deal_id, "approve");
    expect([lost.status, lost.body.code, lost.body.allowed]).toEqual([409, "invalid_state_transition", []]);
  });

  test("and can still say of a won sale whether it earns", async () => {
    const sale = await newSale(world, ours, { company: nextCompany() });
    await provision(world, ours, sale);
    expect((await decide(sale.deal_id, "approve")).body).toMatchObject({ status: "approved" });
    expect(await conflictOf(newSale(world, rival, { company: sale.company }))).toBe("deal_conflict");
  });

  test("and sees what waits, oldest first, of all partners or one, page by page", async () => {
    const partner = await world.newPartner();
    const made: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      world.clock.advance(1_000);
      made.push((await newSale(world, partner, { company: nextCompany() })).deal_id);
    }
    await decide(made[1] ?? "", "reject");
    const list = async (query: string) => (await world.call("GET", `${ADMIN}/registrations?${query}`, { key: operator })).body;
    const ids = (body: Json) => body.data.map((row: Json) => row.deal_id);
    const of = `partner_id=${partner.partner_id}`;
    expect(ids(await list(of))).toEqual(made.toReversed());
    expect(ids(await list(`${of}&sort=created_at&status=submitted`))).toEqual([made[0], made[2]]);
    const first = await list(`${of}&limit=2&sort=created_at`);
    expect(ids(await list(`${of}&limit=2&sort=created_at&cursor=${first.next_cursor}`))).toEqual([made[2]]);
    expect(ids(await list("status=rejected&status=submitted&limit=100"))).toEqual(expect.arrayContaining(made));
  });
});

describe("withdrawing", () => {
  const withdraw = (key: string, deal_id: string, body?: object) =>
    world.call("POST", `${BASE}/deals/${deal_id}/withdraw`, { key, ...(body === undefined ? {} : { body }) });

  test("frees the company and ends the deal's moves for good; repeating it changes nothing", async () => {
    const company = nextCompany();
    const sale = await newSale(world, ours, { company });
    const done = await withdraw(ours.key, sale.deal_id, { reason: "Gone quiet" });
    expect([done.status, done.headers.etag]).toEqual([200, '"2"']);
    expect(done.body).toMatchObject({ status: "withdrawn", reason: "Gone quiet" });
    expect((await withdraw(ours.key, sale.deal_id)).body).toEqual(done.body);
    expect(await conflictOf(tryMove(world, ours, sale))).toBe("registration_closed");
    expect(await conflictOf(newSale(world, rival, { company }))).toBeNull();
    expect((await decide(sale.deal_id, "approve")).body).toMatchObject({ code: "invalid_state_transition", allowed: [] });
  });

  test("is the partner's own: nobody else finds the deal", async () => {
    const sale = await newSale(world, ours, { company: nextCompany() });
    expect((await withdraw(rival.key, sale.deal_id)).status).toBe(404);
    expect((await registrationOf(world, operator, sale)).version).toBe(1);
  });
});
