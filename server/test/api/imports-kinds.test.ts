import { describe, expect, test } from "vitest";
import { newDeal } from "../harness/deals.ts";
import { errorsOf, importFile, sendFile, untilOver } from "../harness/imports.ts";
import { GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();

async function listOf(kind: "leads" | "deals", { key }: TestPartner, account_id: string): Promise<Json[]> {
  const { body } = await world.call("GET", `${GENERAL}/${kind}?account_id=${account_id}&limit=100&sort=created_at`, { key });
  return body.data;
}

async function revert(partner: TestPartner, id: string): Promise<Json> {
  expect((await world.call("POST", `${GENERAL}/imports/${id}/revert`, { key: partner.key })).status).toBe(202);
  return untilOver(world, partner, id);
}

describe("leads", () => {
  const CSV =
    "Full name,Phone,E-mail,Status,utm_source,Tags\nAda,+14155552671,ada@x.example,working,spring,a\nBo,,bo@x.example,,,\n,,,,,x\nCy,12,,,,\n";

  test("are imported with their source, found again, and taken back", async () => {
    const here = await world.newPartner();
    const { id: account_id } = await world.newClient(here);
    const before = await world.newLead(here, { account_id, email: "bo@x.example", name: "Bob", notes: "Before." });
    const done = await importFile(world, here, CSV, { resource: "lead", mode: "upsert", account_id });
    expect(done).toMatchObject({
      resource: "lead",
      status: "completed",
      total: 4,
      created: 1,
      updated: 1,
      failed: 2,
      unmapped_columns: [],
    });
    expect((await errorsOf(world, here, done.id)).map(({ row, column, code }) => [row, column, code])).toContainEqual([
      5,
      "Phone",
      "invalid_phone",
    ]);
    const leads = await listOf("leads", here, account_id);
    expect(leads).toMatchObject([
      { name: "Bo", notes: "Before." },
      {
        name: "Ada",
        phone: "+14155552671",
        status: "working",
        tags: ["a"],
        source: { kind: "import", utm: { source: "spring" } },
      },
    ]);
    expect(await revert(here, done.id)).toMatchObject({ status: "reverted", revert: { removed: 1, restored: 1, kept: 0 } });
    const [back, ...others] = await listOf("leads", here, account_id);
    expect([back.name, others]).toEqual([before.name, []]);
  });

  test("that were rescored are taken back all the same, unless somebody worked on them", async () => {
    const here = await world.newPartner();
    const { id: account_id } = await world.newClient(here);
    const before = await world.newLead(here, { account_id, email: "bo@x.example", name: "Bob" });
    const csv = "name,email\nAda,ada@x.example\nBo,bo@x.example\nCy,cy@x.example\n";
    const rescore = async (points: number) => {
      const rules = [{ name: "Can be written to", field: "email", op: "exists", points }];
      const body = { account_id, rules };
      const { status } = await world.call("PUT", "/v1/leads/scoring", { key: here.key, body, headers: { "if-match": "*" } });
      expect(status).toBe(200);
    };
    await rescore(40);
    const done = await importFile(world, here, csv, { resource: "lead", mode: "upsert", account_id });
    expect(done).toMatchObject({ status: "completed", created: 2, updated: 1 });
    for (const points of [50, 60]) await rescore(points);
    const worked = (await listOf("leads", here, account_id)).find(({ name }) => name === "Cy");
    expect(worked).toMatchObject({ score: 60, version: 3 });
    await world.call("PATCH", `/v1/leads/${worked?.id}`, {
      key: here.key,
      body: { notes: "Called." },
      headers: { "if-match": "*" },
    });
    expect(await revert(here, done.id)).toMatchObject({ status: "reverted", revert: { removed: 1, restored: 1, kept: 1 } });
    const left = await listOf("leads", here, account_id);
    expect(left.map(({ id, name }) => [id, name])).toEqual([
      [before.id, "Bob"],
      [worked?.id, "Cy"],
    ]);
  });

  test("keep the parts of their source whose cells are empty", async () => {
    const here = await world.newPartner();
    const { id: account_id } = await world.newClient(here);
    const source = { kind: "form", name: "Contact form", click_id: "c-1", utm: { source: "search", campaign: "winter" } };
    const before = await world.newLead(here, { account_id, email: "ada@x.example", source });
    const csv = "email,source.kind,source.name,utm_campaign,utm_term\nada@x.example,,,spring,pools\n";
    const done = await importFile(world, here, csv, { resource: "lead", mode: "upsert", account_id });
    expect(done).toMatchObject({ status: "completed", updated: 1, failed: 0 });
    const utm = { ...before.source.utm, campaign: "spring", term: "pools" };
    expect(await listOf("leads", here, account_id)).toMatchObject([{ source: { ...before.source, utm } }]);
    const again = await importFile(world, here, csv, { resource: "lead", mode: "update", account_id });
    expect(again).toMatchObject({ status: "completed", updated: 0, unchanged: 1 });
  });

  test("in a dry run are counted and left alone", async () => {
    const here = await world.newPartner();
    const { id: account_id } = await world.newClient(here);
    const tried = await importFile(world, here, CSV, { resource: "lead", account_id, dry_run: "true" });
    expect(tried).toMatchObject({ status: "completed", created: 2, failed: 2 });
    expect(await listOf("leads", here, account_id)).toEqual([]);
    const feed = await world.call("GET", `${GENERAL}/changes?resource=lead`, { key: here.key });
    expect(feed.body.data).toEqual([]);
  });

  test("need the scope of leads too", async () => {
    const here = await world.newPartner();
    const key = await world.newKey(here, { scopes: ["contacts:write", "contacts:read"] });
    const { status, body } = await sendFile(world, { key }, CSV, { resource: "lead" });
    expect([status, body.code, body.required_scope]).toEqual([403, "insufficient_scope", "leads:write"]);
    const done = await importFile(world, here, CSV, { resource: "lead" });
    expect((await world.call("GET", `${GENERAL}/imports/${done.id}`, { key })).status).toBe(404);
  });
});

describe("deals", () => {
  test("are imported into their stage, changed by their external id, and taken back", async () => {
    const here = await world.newPartner();
    const { id: account_id } = await world.newClient(here);
    const first = await importFile(
      world,
      here,
      "Deal name,amount_cents,Stage,external_id\nSeats,120000,Proposal,d1\nMore,x,,d2\nLost,,Nowhere,d3\n",
      { resource: "deal", account_id },
    );
    expect(first).toMatchObject({ status: "completed", created: 1, failed: 2 });
    expect((await errorsOf(world, here, first.id)).map(({ row, column, code }) => [row, column, code])).toEqual([
      [3, "amount_cents", "type"],
      [4, null, "stage_not_in_pipeline"],
    ]);
    const csv = "name,external_id,amount_cents,stage\nSeats,d1,150000,\nSeats,d1,,Won\n";
    const second = await importFile(world, here, csv, { resource: "deal", mode: "upsert", account_id });
    expect(second).toMatchObject({ updated: 1, failed: 1 });
    expect(await errorsOf(world, here, second.id)).toMatchObject([{ row: 3, column: "stage", code: "not_moved_by_import" }]);
    expect(await listOf("deals", here, account_id)).toMatchObject([{ name: "Seats", amount_cents: 150_000, stage: "Proposal" }]);
    expect(await revert(here, second.id)).toMatchObject({ revert: { removed: 0, restored: 1, kept: 0 } });
    expect(await listOf("deals", here, account_id)).toMatchObject([{ amount_cents: 120_000 }]);
  });

  test("keep the parts of their contact whose cells are empty", async () => {
    const here = await world.newPartner();
    const { id: account_id } = await world.newClient(here);
    const contact = { name: "Ada", email: "ada@x.example", phone: "+14155552671" };
    await newDeal(world, here, { account_id, name: "Seats", external_id: "d1", contact });
    const csv = "external_id,name,contact.name,contact.email\nd1,Seats,,new@x.example\n";
    const done = await importFile(world, here, csv, { resource: "deal", mode: "upsert", account_id });
    expect(done).toMatchObject({ status: "completed", updated: 1, failed: 0 });
    const [deal] = await listOf("deals", here, account_id);
    expect(deal.contact).toEqual({ ...contact, email: "new@x.example" });
  });

  test("are about people whose phones are read as written, and whose names are not", async () => {
    const here = await world.newPartner();
    const { id: account_id } = await world.newClient(here);
    const csv = "name,company,contact name,contact phone\nSeats,Harbour,+1 (415) 555-0100,(415) 555-2671\n";
    const done = await importFile(world, here, csv, { resource: "deal", account_id, default_country: "US" });
    expect(done).toMatchObject({ status: "completed", created: 1, unmapped_columns: [] });
    const [deal] = await listOf("deals", here, account_id);
    expect(deal.contact).toMatchObject({ name: "+1 (415) 555-0100", phone: "+14155552671" });
  });
});

test("the fields that columns can be mapped to are told, and the required ones are those that a file is refused without", async () => {
  const here = await world.newPartner();
  const { body } = await world.call("GET", `${GENERAL}/imports/fields?resource=lead`, { key: here.key });
  expect(body.fields).toContainEqual({ name: "title", synonyms: ["jobtitle", "position"] });
  const refused = await sendFile(world, here, "Wer\nAda\n", { resource: "lead", mode: "upsert" });
  expect(refused.body.missing_fields).toEqual(body.required.upsert[0]);
});

test("a row that names a record of another account finds nothing there, whatever the kind", async () => {
  const here = await world.newPartner();
  const [{ id: account_id }, { id: other_id }] = [await world.newClient(here), await world.newClient(here)];
  const key = await world.newKey(here, { clients: [account_id] });
  const post = async (path: string, body: object) =>
    (await world.call("POST", `${GENERAL}/${path}`, { key: here.key, body: { account_id: other_id, name: "Ada", ...body } }))
      .body;
  const records = {
    contact: await post("contacts", { phone: "+14155552671" }),
    lead: await post("leads", { email: "ada@x.example" }),
    deal: await post("deals", { amount_cents: 100, currency: "usd" }),
  };
  for (const [resource, { id, version }] of Object.entries(records)) {
    const done = await importFile(world, { key }, `id,name\n${id},Taken over\n`, { resource, mode: "update", account_id });
    expect([resource, done]).toMatchObject([resource, { updated: 0, failed: 1 }]);
    expect(await errorsOf(world, { key }, done.id)).toMatchObject([{ code: "not_found" }]);
    const { body } = await world.call("GET", `${GENERAL}/${resource}s/${id}`, { key: here.key });
    expect(body).toMatchObject({ name: "Ada", version });
  }
});
