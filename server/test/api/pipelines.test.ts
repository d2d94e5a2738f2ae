import { beforeAll, describe, expect, test } from "vitest";
import { auditLog, walk } from "../harness/lists.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;

beforeAll(async () => {
  partner = await world.newPartner();
});

const PIPELINES = "/v1/pipelines";
const create = (body: object, key = partner.key) => world.call("POST", PIPELINES, { key, body });
const get = (id: string, key = partner.key) => world.call("GET", `${PIPELINES}/${id}`, { key });
const archive = (id: string) => world.call("DELETE", `${PIPELINES}/${id}`, { key: partner.key });
const list = (query: Record<string, string> = {}, key = partner.key) => walk(world, key, PIPELINES, query);
const patch = (id: string, body: object, version = "*") =>
  world.call("PATCH", `${PIPELINES}/${id}`, { key: partner.key, body, headers: { "if-match": version } });

const STAGES = [
  { name: "One", type: "open" },
  { name: "Two", type: "open" },
  { name: "Yes", type: "won" },
  { name: "No", type: "lost" },
];
const namesOf = ({ stages }: Json) => stages.map(({ name }: Json) => name);

async function makePipeline(fields: object = {}): Promise<Json> {
  const client = await world.newClient(partner);
  const { status, body, text } = await create({ name: "Renewals", stages: STAGES, account_id: client.id, ...fields });
  if (status !== 201) throw new Error(text);
  return body;
}

const addDeal = (pipeline: Json, stage: string) =>
  world.call("POST", "/v1/deals", {
    key: partner.key,
    body: { name: "A deal", account_id: pipeline.account_id, pipeline_id: pipeline.id, stage },
  });

describe("a new account", () => {
  test("of a client and of a partner begins with one pipeline, the default, of six stages", async () => {
    const fresh = await world.newPartner();
    const client = await world.newClient(fresh);
    const all = await list({}, fresh.key);
    expect(all.map(({ account_id, name, is_default }: Json) => [account_id === client.id, name, is_default])).toEqual([
      [true, "Sales", true],
      [false, "Sales", true],
    ]);
    for (const { stages } of all)
      expect(stages.map(({ name, type, probability }: Json) => [name, type, probability])).toEqual([
        ["New", "open", 10],
        ["Qualified", "open", 25],
        ["Proposal", "open", 50],
        ["Negotiation", "open", 75],
        ["Won", "won", 100],
        ["Lost", "lost", 0],
      ]);
  });

  test("gets its pipeline when it is first used: lists show all of them in the order of the accounts, each once", async () => {
    const fresh = await world.newPartner();
    const clients: string[] = [];
    for (let count = 0; count < 5; count += 1) clients.push((await world.newClient(fresh)).id);
    const rows = () => world.db.sql("select id from pipelines where partner_id = $1", [fresh.partner_id]);
    expect(await rows()).toEqual([]);
    const pages = await Promise.all([1, 2, 2, 3].map((limit) => list({ limit: String(limit) }, fresh.key)));
    for (const page of pages) expect(page.map(({ account_id }: Json) => account_id).slice(0, 5)).toEqual(clients.toReversed());
    expect(new Set(pages.map((page) => page.map(({ id }: Json) => id).join())).size).toBe(1);
    expect(await rows()).toHaveLength(6);
  });

  test("has its default pipeline beside another one that is created first", async () => {
    const client = await world.newClient(partner);
    expect((await create({ name: "Sales", account_id: client.id })).status).toBe(409);
    expect((await create({ name: "Renewals", account_id: client.id })).status).toBe(201);
    const all = await list({ account_id: client.id });
    expect(all.map(({ name, is_default }: Json) => [name, is_default]).toSorted()).toEqual([
      ["Renewals", false],
      ["Sales", true],
    ]);
  });

  test("that an older version opened gets its pipeline with its first deals, and one however many come at once", async () => {
    const client = await world.newClient(partner);
    await world.db.sql("delete from stages where pipeline_id in (select id from pipelines where account_id = $1)", [client.id]);
    await world.db.sql("delete from pipelines where account_id = $1", [client.id]);
    const deals = await Promise.all(
      ["A", "B", "C"].map((name) => world.call("POST", "/v1/deals", { key: partner.key, body: { name, account_id: client.id } })),
    );
    expect(deals.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await list({ account_id: client.id })).map(({ name, is_default }: Json) => [name, is_default])).toEqual([
      ["Sales", true],
    ]);
  });

  test("that was refused leaves no pipeline behind", async () => {
    await world.newClient(partner, { external_id: "once" });
    const before = (await list()).length;
    const body = { company: "Again", external_id: "once" };
    expect((await world.call("POST", "/v1/partners/clients", { key: partner.key, body })).status).toBe(409);
    expect((await list()).length).toBe(before);
  });
});

describe("a pipeline", () => {
  test("is one definition, with its stages in order", async () => {
    const client = await world.newClient(partner);
    const { status, body, headers } = await create({ name: "Renewals", stages: STAGES, account_id: client.id });
    expect([status, headers.location, headers.etag]).toEqual([201, `${PIPELINES}/${body.id}`, '"1"']);
    expect(body).toMatchObject({
      account_id: client.id,
      name: "Renewals",
      is_default: false,
      archived: false,
      rules: { no_skip: false, no_way_back: false, require_lost_reason: false },
    });
    expect(
      body.stages.map(({ name, probability, required_fields, target_days }: Json) => [
        name,
        probability,
        required_fields,
        target_days,
      ]),
    ).toEqual([
      ["One", 33, [], null],
      ["Two", 67, [], null],
      ["Yes", 100, [], null],
      ["No", 0, [], null],
    ]);
    expect((await get(body.id)).body).toEqual(body);
  });

  test("is changed only by who says which version is meant", async () => {
    const { id } = await makePipeline();
    const blind = await world.call("PATCH", `${PIPELINES}/${id}`, { key: partner.key, body: { name: "B" } });
    expect([blind.status, blind.body.code]).toEqual([428, "precondition_required"]);
    expect((await patch(id, { name: "B" }, '"2"')).body.code).toBe("version_mismatch");
    expect((await patch(id, { name: "B" }, '"1"')).body).toMatchObject({ name: "B", version: 2 });
    expect((await patch(id, { name: "B" }, '"2"')).body.version).toBe(2);
  });

  test("keeps the stages that are named by id, takes new ones, and puts away those left out", async () => {
    const { id, stages } = await makePipeline();
    const [one, two, yes, no] = stages;
    const next = [
      { id: two.id, name: "One", type: "open" },
      { name: "Three", type: "open", probability: 80, target_days: 3, required_fields: ["amount_cents"] },
      { id: one.id, name: "Two", type: "open", probability: 5 },
      { id: no.id, name: "No", type: "lost" },
      { name: "Surely", type: "won" },
    ];
    const { status, body } = await patch(id, { stages: next });
    expect([status, namesOf(body)]).toEqual([200, ["One", "Three", "Two", "No", "Surely"]]);
    expect(body.stages[0]).toEqual({ ...two, name: "One" });
    expect(body.stages[1]).toMatchObject({ probability: 80, target_days: 3, required_fields: ["amount_cents"] });
    expect(body.stages[2]).toEqual({ ...one, name: "Two", probability: 5 });
    expect(body.stages.some((stage: Json) => stage.id === yes.id)).toBe(false);
    // What was put away gives its name back.
    expect((await patch(id, { stages: [...body.stages.slice(0, 4), { name: "Yes", type: "won" }] })).status).toBe(200);
  });

  test.each<[string, (stages: Json[]) => Json[], string, string]>([
    ["no won stage", (stages) => stages.filter(({ type }) => type !== "won"), "#/stages", "stage_missing"],
    [
      "two stages of one name, whatever the case",
      (stages) => [...stages, { name: "oNE", type: "open" }],
      "#/stages/4/name",
      "duplicate_stage",
    ],
    ["a stage twice", (stages) => [...stages, { ...stages[0], name: "Else" }], "#/stages/4/id", "duplicate_stage"],
    [
      "a stage of nowhere",
      (stages) => [...stages, { id: "stg_01jd3k5y5cf7m8n9p0q1r2s3t4", name: "X", type: "open" }],
      "#/stages/4/id",
      "unknown_stage",
    ],
    [
      "a stage of another type than before",
      ([one, ...rest]) => [{ ...one, type: "won", probability: 100 }, ...rest],
      "#/stages/0/type",
      "type_stays",
    ],
    [
      "a won stage that is not sure",
      ([one, two, yes, no]) => [one, two, { ...yes, probability: 99 }, no],
      "#/stages/2/probability",
      "fixed_by_type",
    ],
    [
      "a custom field that is not there",
      ([one, ...rest]) => [{ ...one, required_fields: ["custom.size"] }, ...rest],
      "#/stages/0/required_fields",
      "unknown_custom_field",
    ],
  ])("refuses %s", async (_, spoil, pointer, code) => {
    const { id, stages } = await makePipeline();
    const { status, body } = await patch(id, { stages: spoil(stages) });
    expect([status, body.errors[0]]).toMatchObject([422, { pointer, code }]);
    expect((await get(id)).body.version).toBe(1);
  });

  test("has a name of its own in its account, until it is archived", async () => {
    const { id, account_id } = await makePipeline();
    const again = await create({ name: "RENEWALS", account_id });
    expect([again.status, again.body.code, again.body.existing_id]).toEqual([409, "duplicate_pipeline", id]);
    const other = (await create({ name: "Other", account_id })).body;
    expect((await patch(other.id, { name: "renewals" })).body.existing_id).toBe(id);
    expect((await archive(id)).status).toBe(204);
    expect((await patch(other.id, { name: "renewals" })).status).toBe(200);
    expect((await patch(id, { archived: false })).body.code).toBe("duplicate_pipeline");
    expect((await patch(id, { archived: false, name: "Old renewals" })).body).toMatchObject({ archived: false, version: 3 });
  });

  test("is archived when it is deleted: gone from the list, still to be read", async () => {
    const { id, account_id } = await makePipeline();
    expect((await archive(id)).status).toBe(204);
    expect((await archive(id)).status).toBe(204);
    expect((await get(id)).body).toMatchObject({ archived: true, version: 2 });
    expect((await list({ account_id })).map(({ name }: Json) => name)).toEqual(["Sales"]);
    expect((await list({ account_id, archived: "true" })).map((one: Json) => one.id)).toEqual([id]);
    expect((await addDeal({ id, account_id }, "One")).body.violations[0].rule).toBe("pipeline_archived");
  });

  test("that is the default gives that up to another alone", async () => {
    const { id, account_id } = await makePipeline();
    const [sales] = await list({ account_id }).then((all) => all.filter(({ is_default }: Json) => is_default));
    expect((await patch(sales.id, { is_default: false })).body.code).toBe("resource_in_use");
    expect((await archive(sales.id)).body.code).toBe("resource_in_use");
    expect((await patch(id, { is_default: true })).body.is_default).toBe(true);
    expect((await get(sales.id)).body).toMatchObject({ is_default: false, version: 2 });
    const third = (await create({ name: "Third", account_id, is_default: true })).body;
    expect((await list({ account_id })).filter(({ is_default }: Json) => is_default).map((one: Json) => one.id)).toEqual([
      third.id,
    ]);
    expect((await archive(sales.id)).status).toBe(204);
  });

  test("of many that want to be the default at once, one is", async () => {
    const { id, account_id } = await makePipeline();
    const more = await Promise.all(["A", "B", "C"].map((name) => create({ name, account_id, is_default: true })));
    expect(more.map(({ status }) => status)).toEqual([201, 201, 201]);
    const all = [id, ...more.map(({ body }) => body.id)];
    const replies = await Promise.all(all.map((one) => patch(one, { is_default: true })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await list({ account_id })).filter(({ is_default }: Json) => is_default)).toHaveLength(1);
  });

  test("there are a hundred of in an account and not one more, also when they come at once", async () => {
    const { account_id, id } = await makePipeline();
    const names = Array.from({ length: 97 }, (_, index) => `Pipeline ${index}`);
    for (const name of names) expect((await create({ name, account_id })).status).toBe(201);
    const last = await Promise.all(["x", "y", "z"].map((name) => create({ name, account_id })));
    expect(last.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    expect((await archive(id)).status).toBe(204);
    expect((await create({ name: "Another", account_id })).status).toBe(201);
    expect((await patch(id, { archived: false })).body.detail).toContain("at most 100 pipelines");
  });

  test("is told in the audit log", async () => {
    const { id } = await makePipeline();
    await patch(id, { rules: { no_skip: true } });
    const entries = await auditLog(world, partner.key, { target: id });
    expect(entries.map(({ action }: Json) => action)).toEqual(["pipelines.create", "pipelines.update"]);
    expect(Object.keys(entries[1].changes)).toEqual(["rules"]);
  });
});

describe("a pipeline that is in use", () => {
  test("keeps the stages that deals stand in", async () => {
    const pipeline = await makePipeline();
    const { body: deal } = await addDeal(pipeline, "Two");
    const [one, , yes, no] = pipeline.stages;
    const refused = await patch(pipeline.id, { stages: [one, yes, no] });
    expect([refused.status, refused.body.code]).toEqual([409, "resource_in_use"]);
    expect(refused.body.stages).toEqual([{ id: deal.stage_id, name: "Two", deals: 1 }]);
    await world.call("DELETE", `/v1/deals/${deal.id}`, { key: partner.key });
    expect(namesOf((await patch(pipeline.id, { stages: [one, yes, no] })).body)).toEqual(["One", "Yes", "No"]);
  });

  test("is not archived while deals are open, and keeps those that are closed", async () => {
    const pipeline = await makePipeline();
    const { body: deal } = await addDeal(pipeline, "One");
    const refused = await archive(pipeline.id);
    expect([refused.status, refused.body.code, refused.body.open_deals]).toEqual([409, "resource_in_use", 1]);
    await world.call("POST", `/v1/deals/${deal.id}/stage`, { key: partner.key, body: { stage: "No" } });
    expect((await archive(pipeline.id)).status).toBe(204);
    const back = await world.call("POST", `/v1/deals/${deal.id}/stage`, { key: partner.key, body: { stage: "One" } });
    expect([back.status, back.body.violations[0].rule]).toEqual([422, "pipeline_archived"]);
  });

  test("has no deal in an archived stage, whatever comes at once", async () => {
    for (let round = 0; round < 5; round += 1) {
      const pipeline = await makePipeline();
      const [one, , yes, no] = pipeline.stages;
      const deals = await Promise.all(["One", "One", "One"].map((stage) => addDeal(pipeline, stage)));
      await Promise.all([
        patch(pipeline.id, { stages: [one, yes, no] }),
        ...deals.map(({ body }) =>
          world.call("POST", `/v1/deals/${body.id}/stage`, { key: partner.key, body: { stage: "Two" } }),
        ),
        addDeal(pipeline, "Two"),
      ]);
      const astray = `select d.id from deals d join stages s on s.partner_id = d.partner_id and s.id = d.stage_id
        where d.pipeline_id = $1 and s.archived and d.deleted_at is null`;
      expect(await world.db.sql(astray, [pipeline.id])).toEqual([]);
    }
  });
});

describe("who may", () => {
  test("a bound key sees and makes pipelines of its client alone", async () => {
    const mine = await makePipeline();
    const other = await makePipeline();
    const key = await world.newKey(partner, { clients: [mine.account_id] });
    expect((await list({}, key)).every(({ account_id }: Json) => account_id === mine.account_id)).toBe(true);
    expect((await get(other.id, key)).status).toBe(404);
    expect((await create({ name: "Mine" }, key)).body.account_id).toBe(mine.account_id);
  });

  test("nobody changes the pipelines of a suspended client", async () => {
    const { id, account_id } = await makePipeline();
    await world.call("POST", `/v1/partners/clients/${account_id}/suspend`, { key: partner.key });
    for (const { status, body } of [await patch(id, { name: "B" }), await archive(id), await create({ name: "C", account_id })])
      expect([status, body.code]).toEqual([409, "client_inactive"]);
    expect((await get(id)).status).toBe(200);
  });
});
