import { beforeAll, describe, expect, test } from "vitest";
import { ALL_SCOPES, type Scope } from "../../src/kernel/scopes.ts";
import { agentsOf } from "../harness/agents.ts";
import { moveDeal, newDeal, pipelineOf } from "../harness/deals.ts";
import { trading } from "../harness/marketplace.ts";
import { nextCompany, setProgramme } from "../harness/sales.ts";
import { ADMIN, BASE, GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const DAY_MS = 86_400_000;

const overviewOf = async (key: string) => {
  const { status, body, text } = await world.call("GET", `${BASE}/overview`, { key });
  expect(status, text).toBe(200);
  return body;
};
const change = async (method: string, path: string, key: string, body: object, headers = {}) => {
  const reply = await world.call(method, path, { key, body, headers });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
};

describe("the figures of a business", () => {
  let partner: TestPartner;
  let shown: Json;

  /** A client that is active, and one that is changed a month later. A month after the first figures there are others. */
  beforeAll(async () => {
    partner = await world.newPartner();
    const { key } = partner;
    const alder = await world.newClient(partner, { mrr_cents: 10_000, currency: "usd" });
    const birch = await world.newClient(partner, { mrr_cents: 5_000, currency: "eur" });
    await world.newClient(partner, { mrr_cents: 700, activate: false });
    const gone = await world.newClient(partner, { mrr_cents: 900, currency: "sek" });
    const cedar = await newDeal(world, partner, { company: nextCompany(), plan: "Growth", mrr_cents: 300, stage: "Won" });
    const lost = await newDeal(world, partner, { amount_cents: 1_000, currency: "eur" });
    const { id, version, stages } = await pipelineOf(world, partner, cedar.account_id);
    const targeted = { stages: stages.map((stage: Json) => ({ ...stage, target_days: stage.name === "New" ? 5 : null })) };
    await change("PATCH", `${GENERAL}/pipelines/${id}`, key, targeted, { "if-match": `"${version}"` });
    await newDeal(world, partner, { company: nextCompany(), plan: "Growth", mrr_cents: 2_000, currency: "usd" });
    await newDeal(world, partner, { account_id: alder.id, amount_cents: 99_999 });
    world.clock.advance(40 * DAY_MS);
    await change("PATCH", `${BASE}/clients/${birch.id}`, key, { mrr_cents: 8_000 });
    await change("POST", `${BASE}/clients/${alder.id}/suspend`, key, {});
    await change("PATCH", `${BASE}/clients/${gone.id}`, key, { status: "churned" });
    await moveDeal(world, partner, lost.id, { stage: "Lost" });
    await newDeal(world, partner, { amount_cents: 70, currency: "eur", stage: "Qualified" });
    shown = await overviewOf(key);
  });

  test("count the clients by status, without the house account, and month by month", () => {
    expect(shown.as_of).toBe(world.clock.now().toISOString());
    expect(shown.clients).toEqual({
      ...{ pending: 1, active: 2, suspended: 1, churned: 1 },
      months: [
        { month: "2026-11", active: 4 },
        { month: "2026-12", active: 2 },
      ],
    });
  });

  test("add up the revenue of active clients, each currency by itself, and what it was", () => {
    const revenue = (currency: string, [november, december]: number[], suspended_mrr_cents = 0) => ({
      ...{ currency, mrr_cents: december, suspended_mrr_cents, change_cents: (december ?? 0) - (november ?? 0) },
      months: [
        { month: "2026-11", mrr_cents: november },
        { month: "2026-12", mrr_cents: december },
      ],
    });
    expect(shown.mrr).toEqual([revenue("eur", [5_000, 8_000]), revenue("sek", [900, 0]), revenue("usd", [10_300, 300], 10_000)]);
  });

  test("add up the open deals of the house account, and not those of clients", () => {
    expect(shown.pipeline).toEqual({
      ...{ deals: 2, over_target: 1 },
      totals: [
        { currency: "eur", deals: 1, mrr_cents: 0, amount_cents: 70 },
        { currency: "usd", deals: 1, mrr_cents: 2_000, amount_cents: 0 },
      ],
    });
  });

  test("tell what was decided lately, by week, and what was won by month", () => {
    const { won, lost, weeks } = shown.last_90_days;
    expect([won, lost]).toEqual([1, 1]);
    const decided = weeks.filter((week: Json) => week.won + week.lost > 0);
    expect(decided).toEqual([
      { ends_on: "2026-11-07", won: 1, lost: 0 },
      { ends_on: "2026-12-12", won: 0, lost: 1 },
    ]);
    expect(shown.won.map(({ currency }: Json) => currency)).toEqual(["usd"]);
    expect(shown.won[0].months).toHaveLength(12);
    expect(shown.won[0].months.slice(-2)).toEqual([
      { month: "2026-11", deals: 1, mrr_cents: 300, amount_cents: 0 },
      { month: "2026-12", deals: 0, mrr_cents: 0, amount_cents: 0 },
    ]);
  });

  test("are the sums of every movement that was recorded", async () => {
    const sums = await world.db.sql(
      `select currency, sum(mrr_cents)::int as mrr_cents, sum(clients)::int as clients from client_movements
       where partner_id = $1 group by 1 order by 1`,
      [partner.partner_id],
    );
    expect(sums).toEqual([
      { currency: "eur", mrr_cents: 8_000, clients: 1 },
      { currency: "sek", mrr_cents: 0, clients: 0 },
      { currency: "usd", mrr_cents: 300, clients: 1 },
    ]);
  });

  test("begin where the record does: what was before is left out", async () => {
    await world.db.sql("update partners set movements_since = $2 where id = $1", [partner.partner_id, "2026-12-05T00:00:00Z"]);
    const { mrr, clients } = await overviewOf(partner.key);
    expect([...mrr, clients].map(({ months }: Json) => months.map(({ month }: Json) => month))).toEqual(
      Array.from({ length: 4 }, () => ["2026-12"]),
    );
  });

  test("are the partner's own, and nothing where there is nothing", async () => {
    const { key } = await world.newPartner();
    expect(await overviewOf(key)).toMatchObject({
      clients: { pending: 0, active: 0, suspended: 0, churned: 0, months: [{ month: "2026-12", active: 0 }] },
      mrr: [],
      pipeline: { deals: 0, over_target: 0, totals: [] },
      last_90_days: { won: 0, lost: 0 },
      won: [],
      needs: { counts: {}, items: [] },
      recent: [],
    });
  });
});

/** An agent that waits for somebody to approve a tag; the id of the approval. */
async function askForApproval(partner: TestPartner): Promise<string> {
  const { call, newAgent, talk } = agentsOf(world, () => partner);
  const { id: account_id } = await world.newClient(partner, { company: "Gull" });
  const playbook = { start: "a", states: { a: { do: [{ tool: "add_tag", args: { tag: "hot" } }], say: "Soon.", go: "@end" } } };
  const { channel } = await newAgent(account_id, playbook, { content: { tools: { add_tag: "approve" } } });
  await (await talk(channel)).say("Hi");
  return (await call("GET", "/approvals?status=pending")).body.data[0].id;
}

describe("what needs attention", () => {
  let partner: TestPartner;
  let ids: Record<string, string>;
  let since: string;

  beforeAll(async () => {
    partner = await world.newPartner();
    const operator = await world.newOperator();
    const { key } = partner;
    const post = (path: string, body: object) => change("POST", path, key, body);
    const sale = () => post(`${BASE}/deals`, { company: nextCompany(), plan: "Growth", mrr_cents: 100 });
    const at = (days: number) => new Date(world.clock.now().getTime() + days * DAY_MS).toISOString();
    const ending = await sale();
    world.clock.advance(80 * DAY_MS);
    const asks = await askForApproval(partner);
    await setProgramme(world, operator, { registration_review: "review" });
    const [submitted, rejected, asked] = [await sale(), await sale(), await sale()];
    await setProgramme(world, operator, { registration_review: "auto" });
    await change("POST", `${ADMIN}/registrations/${rejected.id}/reject`, operator, { reason: "Sold to already" });
    await change("POST", `${ADMIN}/registrations/${asked.id}/request-info`, operator, { reason: "Which plan?" });
    const over = await newDeal(world, partner, { name: "Slow" });
    await world.db.sql("update stages set target_days = 3 where partner_id = $1 and name = 'New'", [partner.partner_id]);
    const inTime = await newDeal(world, partner, { name: "In its last day" });
    await world.db.sql("update deals set stage_entered_at = $2 where id = $1", [over.id, at(-6)]);
    await world.db.sql("update deals set stage_entered_at = $2 where id = $1", [inTime.id, at(-3.9)]);
    for (const { id } of [ending, submitted, rejected, asked])
      await world.db.sql("update deals set stage_entered_at = $2 where id = $1", [id, at(0)]);
    const expiring = await post(`${BASE}/keys`, { name: "Soon", scopes: ["clients:read"], clients: "all", expires_at: at(13) });
    await post(`${BASE}/keys`, { name: "Later", scopes: ["clients:read"], clients: "all", expires_at: at(15) });
    const revoked = await post(`${BASE}/keys`, { name: "Gone", scopes: ["clients:read"], clients: "all", expires_at: at(13) });
    await world.call("DELETE", `${BASE}/keys/${revoked.id}`, { key });
    const client = await world.newClient(partner, { company: "Kite", mrr_cents: 900 });
    await post(`${BASE}/clients/${client.id}/suspend`, { reason: "Invoice overdue" });
    const trade = trading(world, () => operator);
    const listing = await trade.newListing(partner);
    const refuse = { reason: "Too short" };
    await trade.admin("POST", `/snapshots/${listing}/reject`, refuse, { "if-match": "*" });
    await trade.newOffer(partner);
    const user = await post(`${BASE}/users`, { name: "Teo Marsh", email: "teo@kite.example", role: "member", accounts: "all" });
    const endpoint = await post(`${BASE}/webhooks`, { url: "https://hooks.kite.example/x", event_types: ["client.created"] });
    const sound = await post(`${BASE}/webhooks`, { url: "https://hooks.kite.example/y", event_types: ["client.created"] });
    await world.newClient(partner, { activate: false });
    since = at(0);
    for (const [endpoint_id, number, status, days] of [
      [endpoint.id, 1, 500, -2],
      [endpoint.id, 2, 503, -1],
      [sound.id, 1, 200, 0],
    ])
      await world.db.sql(
        `insert into delivery_attempts (partner_id, delivery_id, endpoint_id, number, started_at, duration_ms, status)
         select partner_id, id, endpoint_id, $2, $3, 1, $4 from deliveries where endpoint_id = $1`,
        [endpoint_id, number, at(days), status],
      );
    await world.db.sql(
      "update webhook_lanes set state = 'degraded', degraded_at = $2, failing_since = $2 where endpoint_id = $1",
      [endpoint.id, since],
    );
    await world.db.sql(
      `insert into imports (partner_id, id, account_id, resource, mode, dry_run, status, plan, bytes, total, byte_offset, failure, created_by,
         worked_for, created_at, finished_at)
       values ($1, 'imp_' || substr($3, 6), $2, 'deal', 'create', false, 'failed', '{}', 1, 1, 0, '{"code": "client_inactive", "detail": ""}', 'x', 'x', $4, $4)`,
      [partner.partner_id, client.id, over.id, since],
    );
    ids = {
      webhook_failing: endpoint.id,
      import_failed: over.id.replace("deal_", "imp_"),
      approval_pending: asks,
      registration_rejected: rejected.id,
      registration_needs_info: asked.id,
      registration_ending: ending.id,
      deal_over_target: over.id,
      key_expiring: expiring.id,
      listing_refused: listing,
      client_suspended: client.id,
      registration_submitted: submitted.id,
      user_invited: user.id,
    };
  });

  test("is of every kind, in order, with its facts", async () => {
    const { needs } = await overviewOf(partner.key);
    expect(needs.items.map(({ kind, id }: Json) => [kind, id])).toEqual(Object.entries(ids));
    expect(needs.counts).toEqual(Object.fromEntries(Object.keys(ids).map((kind) => [kind, 1])));
    const factsOf = (kind: string) => needs.items.find((item: Json) => item.kind === kind);
    expect(factsOf("webhook_failing")).toMatchObject({
      since,
      facts: { name: "https://hooks.kite.example/x", state: "degraded", disabled_reason: null, last_status: 503, parked: 1 },
    });
    expect(factsOf("deal_over_target").facts).toMatchObject({ name: "Slow", stage: "New", target_days: 3, days_in_stage: 6 });
    expect(factsOf("registration_rejected").facts).toMatchObject({ reason: "Sold to already", mrr_cents: 100, currency: "usd" });
    expect(factsOf("client_suspended")).toMatchObject({
      since,
      facts: { name: "Kite", reason: "Invoice overdue", mrr_cents: 900 },
    });
    const facts = { version: 1, listed_version: null, reason: "Too short" };
    expect(factsOf("listing_refused")).toMatchObject({ since, facts });
    expect(factsOf("import_failed").facts).toMatchObject({ name: "Kite", resource: "deal", code: "client_inactive" });
    expect(factsOf("approval_pending").facts).toMatchObject({
      name: expect.stringMatching(/^Nora/),
      company: "Gull",
      tool: "add_tag",
    });
    expect(factsOf("user_invited").facts).toMatchObject({ name: "Teo Marsh", role: "member" });
  });

  test("shows the oldest five of a kind, and counts the others", async () => {
    const other = await world.newPartner();
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    for (const company of names) {
      const { id } = await world.newClient(other, { company });
      await change("POST", `${BASE}/clients/${id}/suspend`, other.key, {});
      world.clock.advance(1_000);
    }
    const { needs } = await overviewOf(other.key);
    expect(needs.counts).toEqual({ client_suspended: 7 });
    expect(needs.items.map(({ facts }: Json) => facts.name)).toEqual(names.slice(0, 5));
  });

  test("a part is there for a key that has its scope, and for no other", async () => {
    const PARTS: [Scope, string[]][] = [
      ["clients:read", ["clients", "mrr", "client_suspended"]],
      [
        "deals:read",
        ["pipeline", "last_90_days", "won", ...Object.keys(ids).filter((kind) => /^(deal|registration)_/.test(kind))],
      ],
      ["webhooks:read", ["webhook_failing"]],
      ["agents:read", ["approval_pending"]],
      ["keys:read", ["key_expiring"]],
      ["snapshots:read", ["listing_refused"]],
      ["events:read", ["recent"]],
    ];
    const partsOf = async (scopes: readonly Scope[]) => {
      const { as_of: _, needs, ...parts } = await overviewOf(await world.newKey(partner, { scopes }));
      return [...Object.keys(parts), ...Object.keys(needs.counts)].toSorted();
    };
    const all = await partsOf(ALL_SCOPES);
    for (const [scope, parts] of PARTS) {
      expect(await partsOf(["account:read", scope])).toEqual([...parts, "user_invited"].toSorted());
      expect(all).toEqual(expect.arrayContaining(parts));
    }
    expect(await partsOf(["account:read", "contacts:read", "deals:read"])).toContain("import_failed");
    expect(await partsOf(["account:read", "contacts:read"])).toEqual(["user_invited"]);
    const bound = await world.newKey(partner, { clients: [ids.client_suspended ?? ""] });
    expect((await world.call("GET", `${BASE}/overview`, { key: bound })).body.code).toBe("partner_wide_key_required");
  });
});

describe("what happened last", () => {
  test("is the last ten events that the caller may read, newest first, with the names of subject and actor", async () => {
    const partner = await world.newPartner();
    const clients = [];
    for (let count = 0; count < 6; count += 1) {
      clients.push(await world.newClient(partner, { company: `Client ${count}` }));
      world.clock.advance(1_000);
    }
    const deal = await newDeal(world, partner, { name: "Plain" });
    await moveDeal(world, partner, deal.id, { stage: "Proposal" });
    const { recent } = await overviewOf(partner.key);
    expect(recent).toHaveLength(10);
    expect(recent[0]).toMatchObject({
      type: "deal.stage_changed",
      subject: deal.id,
      name: "Plain",
      actor: { type: "key", name: expect.any(String) },
      data: { to_stage: "Proposal" },
    });
    expect(recent[1]).toMatchObject({
      type: "client.activated",
      subject: clients[5].id,
      name: "Client 5",
      actor: recent[0].actor,
    });
    const key = await world.newKey(partner, { scopes: ["account:read", "events:read", "clients:read"] });
    const others = (await overviewOf(key)).recent;
    expect(others[0]).toMatchObject({ type: "client.activated", actor: null });
  });

  test("names the client of a commission", async () => {
    const partner = await world.newPartner();
    const company = nextCompany();
    await newDeal(world, partner, { company, plan: "Growth", mrr_cents: 30_000, stage: "Won" });
    const { recent } = await overviewOf(partner.key);
    expect(recent.find(({ type }: Json) => type === "commission.accrued")).toMatchObject({ name: company });
  });
});
