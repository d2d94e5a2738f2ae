import { beforeAll, describe, expect, test } from "vitest";
import { brokenHistories, moveDeal, newDeal, pipelineOf } from "../harness/deals.ts";
import { changes, walk } from "../harness/lists.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;
let account_id: string;

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
});

const DAY_MS = 86_400_000;
const make = (fields: object = {}) => newDeal(world, partner, { account_id, ...fields });
const move = (id: string, body: object) => moveDeal(world, partner, id, body);
const historyOf = (id: string, query = {}) => walk(world, partner.key, `/v1/deals/${id}/history`, query);

/** A deal in a pipeline of its own, with rules and with what its stages ask for. */
async function makeIn(rules: object, required: Record<string, string[]> = {}, fields: object = {}): Promise<Json> {
  const client = await world.newClient(partner);
  const { id, version, stages } = await pipelineOf(world, partner, client.id);
  const asked = stages.map((stage: Json) => ({ ...stage, required_fields: required[stage.name] ?? [] }));
  const body = { rules, stages: asked };
  const { status, text } = await world.call("PATCH", `/v1/pipelines/${id}`, {
    key: partner.key,
    body,
    headers: { "if-match": `"${version}"` },
  });
  if (status !== 200) throw new Error(text);
  return newDeal(world, partner, { account_id: client.id, ...fields });
}

const rulesOf = ({ status, body }: Json) => [status, body.code, body.violations?.map(({ rule }: Json) => rule)];

describe("a move", () => {
  test("answers the bare deal, by the stage's name in any case or by its id", async () => {
    const deal = await make();
    world.clock.advance(3 * DAY_MS);
    const { status, body } = await move(deal.id, { stage: "proposal" });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...deal,
      stage_id: body.stage_id,
      stage: "Proposal",
      probability: 50,
      stage_entered_at: world.clock.now().toISOString(),
      updated_at: world.clock.now().toISOString(),
      version: 2,
    });
    expect((await move(deal.id, { stage_id: deal.stage_id })).body).toMatchObject({ stage: "New", version: 3 });
  });

  test("sets the status and its time with the stage, and takes them back with it", async () => {
    const { id } = await make();
    const won = (await move(id, { stage: "Won" })).body;
    expect(won).toMatchObject({ status: "won", stage_type: "won", won_at: won.stage_entered_at, lost_at: null });
    const lost = (await move(id, { stage: "Lost", lost_reason: "Too dear" })).body;
    expect(lost).toMatchObject({ status: "lost", won_at: null, lost_at: lost.stage_entered_at, lost_reason: "Too dear" });
    expect((await move(id, { stage: "New" })).body).toMatchObject({
      status: "open",
      won_at: null,
      lost_at: null,
      lost_reason: null,
    });
  });

  test("to the stage that the deal is in changes nothing and tells nobody", async () => {
    const { id } = await make();
    const { status, body } = await move(id, { stage: "New", note: "Again" });
    expect([status, body.version]).toEqual([200, 1]);
    expect(await historyOf(id)).toHaveLength(1);
    expect((await changes(world, partner.key)).filter((change) => change.id === id)).toHaveLength(1);
  });

  test("tells the change feed where the deal came from and how long it was there", async () => {
    const deal = await make();
    world.clock.advance(2 * DAY_MS);
    const { body } = await move(deal.id, { stage: "Qualified" });
    const [made, moved] = (await changes(world, partner.key)).filter(({ id }) => id === deal.id);
    expect(made.detail).toMatchObject({ to_stage: "New", stage_type: "open" });
    expect(moved.detail).toEqual({
      pipeline_id: deal.pipeline_id,
      from_stage_id: deal.stage_id,
      from_stage: "New",
      to_stage_id: body.stage_id,
      to_stage: "Qualified",
      stage_type: "open",
      days_in_stage: 2,
    });
  });

  test("to a stage that the pipeline does not have is refused with those it has", async () => {
    const { id } = await make();
    const foreign = await pipelineOf(world, partner, (await world.newClient(partner)).id);
    for (const body of [{ stage: "Nowhere" }, { stage_id: foreign.stages[1].id }]) {
      const reply = await move(id, body);
      expect([reply.status, reply.body.code]).toEqual([422, "stage_not_in_pipeline"]);
      expect(reply.body.stages).toEqual(["New", "Qualified", "Proposal", "Negotiation", "Won", "Lost"]);
    }
    expect((await move(id, {})).body.errors[0]).toMatchObject({ pointer: "#/stage", code: "stage_or_stage_id" });
  });

  test("goes to another pipeline of the account when it names it, past the rules of the one it leaves", async () => {
    const deal = await makeIn({ no_skip: true, no_way_back: true });
    const other = await world.call("POST", "/v1/pipelines", {
      key: partner.key,
      body: { name: "Other", account_id: deal.account_id },
    });
    const stage_id = other.body.stages[2].id;
    expect((await move(deal.id, { stage_id })).body.code).toBe("stage_not_in_pipeline");
    const { body } = await move(deal.id, { stage_id, pipeline_id: other.body.id });
    expect(body).toMatchObject({ pipeline_id: other.body.id, stage: "Proposal" });
    expect((await historyOf(deal.id)).map(({ pipeline_id }) => pipeline_id)).toEqual([other.body.id, deal.pipeline_id]);
  });

  test("from where the deal no longer is is refused with where it is", async () => {
    const { id, stage_id } = await make();
    for (const expected_stage of ["new", stage_id]) {
      expect((await move(id, { stage: "Qualified", expected_stage })).status).toBe(200);
      const late = await move(id, { stage: "Proposal", expected_stage });
      expect([late.status, late.body.code, late.body.stage]).toEqual([409, "stage_conflict", "Qualified"]);
      await move(id, { stage: "New" });
    }
  });

  test("of two at once that saw the same stage one is done, and the other told", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await make();
      const replies = await Promise.all(["Qualified", "Proposal"].map((stage) => move(id, { stage, expected_stage: "New" })));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await historyOf(id)).toHaveLength(2);
    }
  });

  test("that is only tried is checked, answers what would be, and changes nothing", async () => {
    const deal = await makeIn({ require_lost_reason: true });
    const tried = await move(deal.id, { stage: "Lost", lost_reason: "Too dear", dry_run: true });
    expect([tried.status, tried.body]).toMatchObject([
      200,
      { status: "lost", stage: "Lost", lost_reason: "Too dear", version: 1 },
    ]);
    expect(rulesOf(await move(deal.id, { stage: "Lost", dry_run: true }))).toEqual([
      422,
      "stage_rule_violation",
      ["require_lost_reason"],
    ]);
    expect((await move(deal.id, { stage: "Won", expected_stage: "Proposal", dry_run: true })).status).toBe(409);
    expect((await world.call("GET", `/v1/deals/${deal.id}`, { key: partner.key })).body).toEqual(deal);
    expect(await historyOf(deal.id)).toHaveLength(1);
  });

  test("is one under an Idempotency-Key, however often it is sent", async () => {
    const { id } = await make();
    const headers = { "idempotency-key": `move-${id}` };
    const send = () => world.call("POST", `/v1/deals/${id}/stage`, { key: partner.key, body: { stage: "Won" }, headers });
    const [first, second] = [await send(), await send()];
    expect([first.body, second.headers["idempotent-replayed"]]).toEqual([second.body, "true"]);
    expect(await historyOf(id)).toHaveLength(2);
  });
});

describe("the rules of a pipeline", () => {
  const skipping = { no_skip: true };

  test("no_skip: on one open stage at a time, won from the last, lost from anywhere, back as one likes", async () => {
    const { id } = await makeIn(skipping);
    expect(rulesOf(await move(id, { stage: "Proposal" }))).toEqual([422, "stage_rule_violation", ["no_skip"]]);
    expect(rulesOf(await move(id, { stage: "Won" }))).toEqual([422, "stage_rule_violation", ["no_skip"]]);
    for (const stage of ["Qualified", "Proposal"]) expect([stage, (await move(id, { stage })).status]).toEqual([stage, 200]);
    expect(rulesOf(await move(id, { stage: "Won" }))).toEqual([422, "stage_rule_violation", ["no_skip"]]);
    for (const stage of ["Negotiation", "Won", "Qualified", "New", "Lost"])
      expect([stage, (await move(id, { stage })).status]).toEqual([stage, 200]);
    expect(rulesOf(await move(id, { stage: "Won" }))).toEqual([422, "stage_rule_violation", ["no_skip"]]);
    for (const stage of ["Proposal", "Negotiation", "Won"])
      expect([stage, (await move(id, { stage })).status]).toEqual([stage, 200]);
  });

  test("no_way_back: forward as one likes, never to a stage before, never open again", async () => {
    const { id } = await makeIn({ no_way_back: true });
    expect((await move(id, { stage: "Proposal" })).status).toBe(200);
    expect(rulesOf(await move(id, { stage: "New" }))).toEqual([422, "stage_rule_violation", ["no_way_back"]]);
    expect((await move(id, { stage: "Lost" })).status).toBe(200);
    expect(rulesOf(await move(id, { stage: "Negotiation" }))).toEqual([422, "stage_rule_violation", ["no_way_back"]]);
    expect((await move(id, { stage: "Won" })).status).toBe(200);
  });

  test("what a stage asks for must be there to enter it, and all that is in the way is told at once", async () => {
    const deal = await makeIn(
      { no_skip: true, require_lost_reason: true },
      { Proposal: ["amount_cents", "tags"], Lost: ["notes"] },
    );
    const { status, body } = await move(deal.id, { stage: "Proposal" });
    expect([status, body.violations]).toEqual([
      422,
      [
        { rule: "no_skip", detail: "Proposal is not the next stage." },
        { rule: "required_fields", fields: ["amount_cents", "tags"], detail: "Proposal requires amount_cents, tags." },
      ],
    ]);
    expect(rulesOf(await move(deal.id, { stage: "Lost" }))[2]).toEqual(["require_lost_reason", "required_fields"]);
    const made = await world.call("POST", "/v1/deals", {
      key: partner.key,
      body: { name: "B", account_id: deal.account_id, stage: "Proposal", amount_cents: 0 },
    });
    expect(made.body.violations).toEqual([{ rule: "required_fields", fields: ["tags"], detail: "Proposal requires tags." }]);
    await move(deal.id, { stage: "Qualified" });
    const filled = { amount_cents: 0, tags: ["a"] };
    await world.call("PATCH", `/v1/deals/${deal.id}`, { key: partner.key, body: filled });
    expect((await move(deal.id, { stage: "Proposal" })).status).toBe(200);
  });

  test("a stage asks for the account's own fields, until they are archived", async () => {
    const client = await world.newClient(partner);
    const field = { account_id: client.id, resource: "deal", key: "size", type: "text" };
    const { body: made } = await world.call("POST", "/v1/custom-fields", { key: partner.key, body: field });
    const { id, stages } = await pipelineOf(world, partner, client.id);
    stages[1].required_fields = ["custom.size"];
    await world.call("PATCH", `/v1/pipelines/${id}`, { key: partner.key, body: { stages }, headers: { "if-match": "*" } });
    const deal = await newDeal(world, partner, { account_id: client.id });
    expect((await move(deal.id, { stage: "Qualified" })).body.violations[0].fields).toEqual(["custom.size"]);
    await world.call("DELETE", `/v1/custom-fields/${made.id}`, { key: partner.key });
    expect((await move(deal.id, { stage: "Qualified" })).status).toBe(200);
  });
});

describe("the history of a deal", () => {
  test("is where it stood, newest first, who moved it and why, page by page", async () => {
    const deal = await make();
    world.clock.advance(2 * DAY_MS);
    await move(deal.id, { stage: "Qualified", note: "Asked for an offer." });
    world.clock.advance(DAY_MS);
    const history = await historyOf(deal.id, { limit: 1 });
    expect(history.map(({ stage, days, left_at, note }) => [stage, days, left_at, note])).toEqual([
      ["Qualified", 1, null, "Asked for an offer."],
      ["New", 2, history[0].entered_at, null],
    ]);
    expect(history[1].entered_at).toBe(deal.created_at);
    const keys = (await world.call("GET", "/v1/partners/keys", { key: partner.key })).body.data;
    const mover = { id: history[0].moved_by, name: history[0].moved_by_name };
    expect(keys.map(({ id, name }: Json) => ({ id, name }))).toContainEqual(mover);
  });

  test("never goes back, even when the clock does", async () => {
    const { id } = await make();
    await move(id, { stage: "Qualified" });
    world.clock.advance(-5 * DAY_MS);
    expect((await move(id, { stage: "Proposal" })).body.days_in_stage).toBe(0);
    const [proposal, qualified] = await historyOf(id);
    expect([proposal.entered_at, qualified.left_at, qualified.days]).toEqual([qualified.entered_at, qualified.entered_at, 0]);
    world.clock.advance(5 * DAY_MS);
  });

  test("has no gap and no overlap when many move a deal at once", async () => {
    const { id } = await make();
    const stages = ["New", "Qualified", "Proposal", "Negotiation", "Won", "Lost", "New", "Proposal", "Won", "Qualified"];
    const replies = await Promise.all(stages.map((stage) => move(id, { stage })));
    expect(replies.map(({ status }) => status)).toEqual(stages.map(() => 200));
    const history = await historyOf(id);
    for (const [index, { entered_at }] of history.slice(0, -1).entries()) expect(history[index + 1].left_at).toBe(entered_at);
    expect(history[0]).toMatchObject({ left_at: null });
  });
});

test("after all of this, every deal's stages tell one story", async () => {
  expect(await brokenHistories(world)).toEqual([]);
});
