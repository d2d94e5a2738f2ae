import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test } from "vitest";
import { moveDeal, newDeal, pipelineOf } from "../harness/deals.ts";
import { nextCompany } from "../harness/sales.ts";
import { BASE, GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;
let client: Json;
let house: string;
let open: Json;

beforeAll(async () => {
  partner = await world.newPartner();
  client = await world.newClient(partner, { company: "Quay Bakery" });
  open = await newDeal(world, partner, { company: nextCompany(), plan: "Growth", mrr_cents: 1_000, amount_cents: 77 });
  house = open.account_id;
  await newDeal(world, partner, { amount_cents: 500 });
  await newDeal(world, partner, { company: nextCompany(), plan: "Growth", mrr_cents: 300, stage: "Won" });
  const theirs = await newDeal(world, partner, { account_id: client.id, amount_cents: 900 });
  await moveDeal(world, partner, theirs.id, { stage: "Proposal" });
});

const get = (path: string, key = partner.key) => world.call("GET", path, { key });
const metrics = async (query = "") => (await get(`${BASE}/deals/metrics?${query}`)).body;
const cells = (text: string) => parse(text, { columns: true }) as Record<string, string>[];
const lines = (text: string): Json[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("metrics by stage", () => {
  test("name the pipeline and the account of each stage, and are filtered by both", async () => {
    const { data } = await metrics();
    const rows = data.filter(({ stage }: Json) => stage.account_id === client.id);
    expect(rows).toHaveLength(6);
    expect(rows[0]).toMatchObject({ name: "New", stage: { pipeline: "Sales", account: "Quay Bakery" } });
    expect(data.find(({ stage }: Json) => stage.account_id === house).stage.account).toBe("Test Agency");
    const pipeline = await pipelineOf(world, partner, client.id);
    for (const query of [`account_id=${client.id}`, `pipeline_id=${pipeline.id}`])
      expect((await metrics(query)).data).toEqual(rows);
  });

  test("and the board mean the same by weighted_cents: the value of open deals by the probability of their stage", async () => {
    const { id } = await pipelineOf(world, partner, house);
    const { data, total } = await metrics(`pipeline_id=${id}`);
    const { body: board } = await get(`${GENERAL}/pipelines/${id}/board`);
    const { body: then } = await get(`${GENERAL}/pipelines/${id}/board?as_of=${open.created_at}`);
    const weighted = (values: Json[]) => values.map(({ weighted_cents }) => weighted_cents);
    expect(board.stages.map(({ totals }: Json) => weighted(totals))).toEqual(data.map(({ values }: Json) => weighted(values)));
    expect(weighted(total.values)).toEqual([150]);
    expect(board.stages.flatMap(({ totals }: Json) => weighted(totals))).toEqual([150, 0]);
    expect(then.stages.flatMap(({ totals }: Json) => weighted(totals))).toEqual([150, 0]);
  });
});

describe("for spreadsheets and reports", () => {
  test("metrics are CSV and NDJSON", async () => {
    const { data } = await metrics();
    const ndjson = await get(`${BASE}/deals/metrics?format=ndjson`);
    expect(lines(ndjson.text)).toEqual(data);
    const rows = cells((await get(`${BASE}/deals/metrics?format=csv`)).text);
    expect(rows.map((row) => [row.name, row["stage.pipeline"], row["stage.account"], row.count])).toEqual(
      data.map(({ name, stage, count }: Json) => [name, stage.pipeline, stage.account, String(count)]),
    );
  });

  test("the activity is CSV and NDJSON, from a cursor on too", async () => {
    const entries: Json[] = (await get(`${BASE}/activity?limit=100`)).body.data;
    expect(entries.length).toBeGreaterThan(4);
    expect(lines((await get(`${BASE}/activity?format=ndjson`)).text)).toEqual(entries);
    const rows = cells((await get(`${BASE}/activity?format=csv`)).text);
    expect(rows.map((row) => [row.id, row["detail.to_stage"]])).toEqual(
      entries.map(({ id, detail }) => [id, detail.to_stage ?? ""]),
    );
    const { next_cursor } = (await get(`${BASE}/activity?limit=3`)).body;
    expect(lines((await get(`${BASE}/activity?format=ndjson&after=${next_cursor}`)).text)).toEqual(entries.slice(3));
    expect((await get(`${BASE}/activity?format=csv&limit=3`)).body.code).toBe("invalid_parameter");
  });
});
