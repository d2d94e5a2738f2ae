import { beforeAll, describe, expect, test } from "vitest";
import { brokenHistories, moveDeal, newDeal, pipelineOf } from "../harness/deals.ts";
import { ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { auditLog, changes, walk } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const hold = useHolds(() => world.db.connect());
let partner: TestPartner;
let account_id: string;

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner, { currency: "eur" })).id;
});

const DEALS = "/v1/deals";
const DAY_MS = 86_400_000;
const create = (body: object, key = partner.key) => world.call("POST", DEALS, { key, body: { account_id, ...body } });
const get = (id: string, key = partner.key) => world.call("GET", `${DEALS}/${id}`, { key });
const patch = (id: string, body: object, key = partner.key) => world.call("PATCH", `${DEALS}/${id}`, { key, body });
const make = (fields: object = {}) => newDeal(world, partner, { account_id, ...fields });
const list = (query: Record<string, string>, key = partner.key) => walk(world, key, DEALS, query);
const idsOf = (rows: Json[]) => rows.map(({ id }) => id);

describe("a deal", () => {
  test("is made of a name alone, in the first open stage of the default pipeline and the account's currency", async () => {
    const { status, body, headers } = await create({ name: "Ten seats" });
    const pipeline = await pipelineOf(world, partner, account_id);
    const now = world.clock.now().toISOString();
    expect([status, headers.location, headers.etag]).toEqual([201, `${DEALS}/${body.id}`, '"1-0"']);
    expect(body).toEqual({
      id: body.id,
      account_id,
      sale: false,
      name: "Ten seats",
      pipeline_id: pipeline.id,
      stage_id: pipeline.stages[0].id,
      stage: "New",
      stage_type: "open",
      status: "open",
      probability: 10,
      stage_entered_at: now,
      days_in_stage: 0,
      amount_cents: null,
      currency: "eur",
      expected_close_on: null,
      contact_id: null,
      lead_id: null,
      affiliate_link_id: null,
      owner_id: null,
      lost_reason: null,
      tags: [],
      notes: null,
      custom: {},
      external_id: null,
      company: null,
      company_domain: null,
      contact: null,
      plan: null,
      mrr_cents: null,
      client_id: null,
      registration: null,
      won_at: null,
      lost_at: null,
      created_at: now,
      updated_at: now,
      version: 1,
    });
    expect((await get(body.id)).body).toEqual(body);
  });

  test("has the name of its company unless told, and must have one of the two", async () => {
    expect((await make({ name: undefined, company: "Harbour Dental" })).name).toBe("Harbour Dental");
    const { status, body } = await create({});
    expect([status, body.errors[0]]).toMatchObject([422, { pointer: "#/name", code: "name_or_company" }]);
  });

  test("begins in the stage asked for, by id or by name, and in the pipeline asked for", async () => {
    const pipeline = await pipelineOf(world, partner, account_id);
    expect((await make({ stage_id: pipeline.stages[2].id })).stage).toBe("Proposal");
    expect((await make({ stage: "qualified" })).stage).toBe("Qualified");
    const won = await make({ stage: "Won" });
    expect(won).toMatchObject({ status: "won", stage_type: "won", probability: 100, won_at: won.created_at, lost_at: null });
    expect(await make({ stage: "Lost", lost_reason: "Too dear" })).toMatchObject({ status: "lost", lost_reason: "Too dear" });
    const other = await world.call("POST", "/v1/pipelines", { key: partner.key, body: { name: "Other", account_id } });
    expect(await make({ pipeline_id: other.body.id })).toMatchObject({ pipeline_id: other.body.id, stage: "New" });
    const astray = await create({ name: "A", pipeline_id: other.body.id, stage_id: pipeline.stages[0].id });
    expect([astray.status, astray.body.code]).toEqual([422, "stage_not_in_pipeline"]);
    expect(astray.body.stages).toEqual(["New", "Qualified", "Proposal", "Negotiation", "Won", "Lost"]);
    expect((await create({ name: "A", stage: "New", stage_id: pipeline.stages[0].id })).body.errors[0].code).toBe("not_both");
  });

  test("is changed field by field: absent stays, null clears, what is equal changes nothing", async () => {
    const { id } = await make({ amount_cents: 5, notes: "a", tags: ["a"], expected_close_on: "2026-12-24" });
    expect((await patch(id, { amount_cents: 7, notes: null })).body).toMatchObject({
      amount_cents: 7,
      notes: null,
      tags: ["a"],
      expected_close_on: "2026-12-24",
      version: 2,
    });
    expect((await patch(id, { amount_cents: 7 })).body.version).toBe(2);
    const stale = await world.call("PATCH", `${DEALS}/${id}`, {
      key: partner.key,
      body: { name: "B" },
      headers: { "if-match": '"1-0"' },
    });
    expect([stale.status, stale.body.code]).toEqual([412, "version_mismatch"]);
  });

  test("has a status that nobody sets by itself", async () => {
    const { id } = await make();
    for (const body of [{ status: "won" }, { stage: "Won" }, { won_at: null }])
      expect((await patch(id, body)).body.errors[0].code).toBe("unknown_field");
  });

  test("counts its days in the stage, and a reader who has it of yesterday is told the new count", async () => {
    const { id } = await make();
    world.clock.advance(DAY_MS - 1);
    const first = await get(id);
    expect([first.body.days_in_stage, first.headers.etag]).toEqual([0, '"1-0"']);
    world.clock.advance(1);
    const known = { "if-none-match": '"1-0"' };
    const second = await world.call("GET", `${DEALS}/${id}`, { key: partner.key, headers: known });
    expect([second.status, second.body.days_in_stage, second.headers.etag]).toEqual([200, 1, '"1-1"']);
    expect((await list({ q: "seats", limit: "100" })).find((deal) => deal.id === id).days_in_stage).toBe(1);
  });

  test("names a contact and an owner of its own account", async () => {
    const contact = await world.newContact(partner, { account_id });
    const stranger = await world.newContact(partner);
    const { id } = await make({ contact_id: contact.id });
    expect((await patch(id, { contact_id: stranger.id })).body.errors[0]).toMatchObject({
      pointer: "#/contact_id",
      code: "unknown_contact",
    });
    await world.call("DELETE", `/v1/contacts/${contact.id}`, { key: partner.key });
    expect((await patch(id, { name: "Still here" })).body.contact_id).toBe(contact.id);
    const user = "usr_01jd3k5y5cf7m8n9p0q1r2s3t4";
    expect((await patch(id, { owner_id: user })).body.errors[0]).toMatchObject({ pointer: "#/owner_id", code: "unknown_user" });
  });

  test("names no contact who is being erased", async () => {
    const contact = await world.newContact(partner, { account_id });
    await world.call("POST", `/v1/contacts/${contact.id}/notes`, { key: partner.key, body: { body: "Called." } });
    const held = await hold("select from record_notes where partner_id = $1 and record_id = $2 for update", [
      partner.partner_id,
      contact.id,
    ]);
    const erased = world.call("POST", `/v1/contacts/${contact.id}/erase`, { key: partner.key });
    await untilWaiting(world.db.sql, ROW_LOCKS, 1);
    const made = create({ name: "Seats", contact_id: contact.id });
    await untilWaiting(world.db.sql, ROW_LOCKS, 2);
    await held.release();
    expect([(await erased).status, (await made).body.errors]).toMatchObject([204, [{ code: "unknown_contact" }]]);
  });

  test("has an external id of its own in its account", async () => {
    const first = await make({ external_id: "one" });
    const again = await create({ name: "B", external_id: "one" });
    expect([again.status, again.body.code, again.body.existing_id]).toEqual([409, "duplicate_deal", first.id]);
    const other = await make({ external_id: "two" });
    expect((await patch(other.id, { external_id: "one" })).body.existing_id).toBe(first.id);
    expect((await newDeal(world, partner, { external_id: "one" })).external_id).toBe("one");
    await world.call("DELETE", `${DEALS}/${first.id}`, { key: partner.key });
    expect((await patch(other.id, { external_id: "one" })).status).toBe(200);
  });

  test("of a client has nothing of a sale", async () => {
    const { status, body } = await create({ name: "A", plan: "Growth", mrr_cents: 1, client_id: account_id });
    expect([status, body.errors.map(({ pointer, code }: Json) => [pointer, code])]).toEqual([
      422,
      [
        ["#/plan", "only_of_sales"],
        ["#/mrr_cents", "only_of_sales"],
        ["#/client_id", "only_of_sales"],
      ],
    ]);
  });

  test("has the account's own fields", async () => {
    const field = { account_id, resource: "deal", key: "size", type: "number" };
    await world.call("POST", "/v1/custom-fields", { key: partner.key, body: field });
    const deal = await make({ custom: { size: 41 } });
    expect(idsOf(await list({ "custom.size": "41" }))).toEqual([deal.id]);
    expect((await patch(deal.id, { custom: { size: "large" } })).body.errors[0].code).toBe("wrong_type");
    expect((await patch(deal.id, { custom: { size: null } })).body.custom).toEqual({});
  });

  test("that is deleted is gone, unless it is won", async () => {
    const { id } = await make({ name: "Gone soon" });
    expect((await world.call("DELETE", `${DEALS}/${id}`, { key: partner.key })).status).toBe(204);
    for (const { status } of [
      await get(id),
      await patch(id, { name: "B" }),
      await moveDeal(world, partner, id, { stage: "Won" }),
    ])
      expect(status).toBe(404);
    expect(await list({ q: "Gone soon" })).toEqual([]);
    const won = await make({ stage: "Won" });
    const refused = await world.call("DELETE", `${DEALS}/${won.id}`, { key: partner.key });
    expect([refused.status, refused.body.code]).toEqual([409, "deal_won"]);
  });

  test("that is won keeps its money until it is moved out", async () => {
    const { id } = await make({ stage: "Won", amount_cents: 100 });
    const refused = await patch(id, { amount_cents: 200, currency: "usd", name: "B" });
    expect([refused.status, refused.body.code, refused.body.fields]).toEqual([409, "deal_won", ["currency", "amount_cents"]]);
    expect((await patch(id, { amount_cents: 100, name: "B" })).body.version).toBe(2);
    await moveDeal(world, partner, id, { stage: "Negotiation" });
    expect((await patch(id, { amount_cents: 200 })).status).toBe(200);
  });

  test("has notes and a timeline", async () => {
    const { id } = await make();
    const note = await world.call("POST", `${DEALS}/${id}/notes`, { key: partner.key, body: { body: "Called." } });
    await moveDeal(world, partner, id, { stage: "Proposal" });
    const { body } = await world.call("GET", `${DEALS}/${id}/timeline`, { key: partner.key });
    expect(body.data.map(({ action }: Json) => action)).toEqual(["deals.move", "deals.create_note", "deals.create"]);
    expect(body.data[1].note).toBe("Called.");
    const { type, ...actor } = body.data[0].actor;
    const keys = (await world.call("GET", "/v1/partners/keys", { key: partner.key })).body.data;
    expect([type, keys.map(({ id, name }: Json) => ({ id, name }))]).toEqual(["key", expect.arrayContaining([actor])]);
    expect((await walk(world, partner.key, `${DEALS}/${id}/notes`)).map((one) => one.id)).toEqual([note.body.id]);
  });

  test("is told in the change feed and in the audit log, without what may be personal", async () => {
    const { id } = await make({ notes: "A secret" });
    await patch(id, { notes: "Another", amount_cents: 3 });
    await moveDeal(world, partner, id, { stage: "Lost", lost_reason: "They moved" });
    await world.call("DELETE", `${DEALS}/${id}`, { key: partner.key });
    const told = (await changes(world, partner.key)).filter((change) => change.id === id);
    expect(told.map(({ change, version }) => [change, version])).toEqual([
      ["created", 1],
      ["updated", 2],
      ["moved", 3],
      ["deleted", 4],
    ]);
    const entries = await auditLog(world, partner.key, { target: id });
    expect(entries.map(({ action }) => action)).toEqual(["deals.create", "deals.update", "deals.move", "deals.delete"]);
    expect(entries[1].changes).toEqual({ notes: "redacted", amount_cents: { from: null, to: 3 } });
    expect(JSON.stringify(entries)).not.toMatch(/secret|They moved/);
  });
});

describe("many at once", () => {
  const bulk = (body: object) => world.call("POST", `${DEALS}/bulk`, { key: partner.key, body });
  const outcomes = ({ body }: Json) => body.data.map(({ status, error }: Json) => error?.code ?? status);

  test("are made each as if alone: what is refused says why and undoes nothing else", async () => {
    const reply = await bulk({
      action: "create",
      deals: [
        { name: "One", account_id, external_id: "bulk-1" },
        { name: "Again", account_id, external_id: "bulk-1" },
        { account_id },
        { name: "Nowhere", account_id, stage: "Nowhere" },
        { name: "Two", account_id },
      ],
    });
    expect(outcomes(reply)).toEqual(["ok", "duplicate_deal", "validation_failed", "stage_not_in_pipeline", "ok"]);
    expect(reply.body).toMatchObject({ succeeded: 2, unchanged: 0, failed: 3 });
    expect(reply.body.data[1].error.existing_id).toBe(reply.body.data[0].id);
  });

  test("are changed, tagged, untagged and deleted, in the order asked", async () => {
    const [a, b, won] = [await make(), await make(), await make({ stage: "Won", amount_cents: 1 })];
    const changed = await bulk({
      action: "update",
      deals: [
        { id: a.id, name: "A" },
        { id: b.id, name: b.name },
        { id: won.id, amount_cents: 2 },
        { name: "nobody" },
        { id: a.id, notes: "n" },
      ],
    });
    expect(outcomes(changed)).toEqual(["ok", "unchanged", "deal_won", "validation_failed", "ok"]);
    expect((await get(a.id)).body).toMatchObject({ name: "A", notes: "n", version: 3 });
    expect(outcomes(await bulk({ action: "tag", deal_ids: [a.id, b.id], tags: ["x"] }))).toEqual(["ok", "ok"]);
    expect(outcomes(await bulk({ action: "untag", deal_ids: [b.id, won.id], tags: ["x"] }))).toEqual(["ok", "unchanged"]);
    expect(outcomes(await bulk({ action: "delete", deal_ids: [a.id, won.id, "deal_01jd3k5y5cf7m8n9p0q1r2s3t4"] }))).toEqual([
      "ok",
      "deal_won",
      "not_found",
    ]);
    expect((await get(a.id)).status).toBe(404);
  });

  test("takes 500 and not one more, and what belongs to another action is refused", async () => {
    const deals = Array.from({ length: 500 }, (_, index) => ({ name: `Many ${index}`, account_id }));
    expect((await bulk({ action: "create", deals })).body.succeeded).toBe(500);
    expect((await bulk({ action: "create", deals: [...deals, deals[0]] })).status).toBe(422);
    expect((await bulk({ action: "create" })).body.errors[0].code).toBe("required_by_action");
    expect((await bulk({ action: "delete", deals })).body.errors[0].code).toBe("not_of_action");
  });
});

describe("who may", () => {
  test("a bound key sees, makes and moves deals of its client alone", async () => {
    const other = await world.newClient(partner);
    const foreign = await newDeal(world, partner, { account_id: other.id });
    const key = await world.newKey(partner, { clients: [account_id] });
    expect((await list({}, key)).every((deal) => deal.account_id === account_id)).toBe(true);
    expect(await list({ account_id: other.id }, key)).toEqual([]);
    const made = await world.call("POST", DEALS, { key, body: { name: "Mine" } });
    expect([made.status, made.body.account_id]).toEqual([201, account_id]);
    for (const { status } of [
      await get(foreign.id, key),
      await patch(foreign.id, { name: "B" }, key),
      await moveDeal(world, { key }, foreign.id, { stage: "Won" }),
      await world.call("GET", `${DEALS}/${foreign.id}/history`, { key }),
      await world.call("GET", `${BASE}/deals/${foreign.id}`, { key }),
    ])
      expect(status).toBe(404);
    const stolen = await pipelineOf(world, partner, other.id);
    const { body } = await moveDeal(world, { key }, made.body.id, { stage: "Won", pipeline_id: stolen.id });
    expect(body.errors[0]).toMatchObject({ pointer: "#/pipeline_id", code: "unknown_pipeline" });
    expect(
      (
        await world
          .newKey(partner, { clients: [account_id, other.id] })
          .then((both) => world.call("POST", DEALS, { key: both, body: { name: "A" } }))
      ).body.code,
    ).toBe("account_required");
  });

  test("deals of a suspended client can be read, not changed", async () => {
    const client = await world.newClient(partner);
    const { id } = await newDeal(world, partner, { account_id: client.id });
    await world.call("POST", `${BASE}/clients/${client.id}/suspend`, { key: partner.key });
    const refused = [
      await patch(id, { name: "B" }),
      await moveDeal(world, partner, id, { stage: "Won" }),
      await world.call("DELETE", `${DEALS}/${id}`, { key: partner.key }),
      await create({ name: "B", account_id: client.id }),
    ];
    for (const { status, body } of refused) expect([status, body.code]).toEqual([409, "client_inactive"]);
    expect((await get(id)).status).toBe(200);
  });
});

test("after all of this, every deal's stages tell one story", async () => {
  expect(await brokenHistories(world)).toEqual([]);
});
