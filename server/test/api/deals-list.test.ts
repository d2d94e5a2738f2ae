import { beforeAll, describe, expect, test } from "vitest";
import { moveDeal, newDeal, pipelineOf } from "../harness/deals.ts";
import { walk } from "../harness/lists.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;
let account_id: string;

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
});

const DEALS = "/v1/deals";
const make = (fields: object = {}) => newDeal(world, partner, { account_id, ...fields });
const list = (query: Record<string, string>, key = partner.key) => walk(world, key, DEALS, query);
const idsOf = (rows: Json[]) => rows.map(({ id }) => id);

describe("a list", () => {
  test("is filtered by everything that it says it is", async () => {
    const listing = await world.newPartner();
    const client = await world.newClient(listing);
    const pipeline = await pipelineOf(world, listing, client.id);
    const contact = await world.newContact(listing, { account_id: client.id });
    const at = (fields: object) => newDeal(world, listing, { account_id: client.id, ...fields });
    const plain = await at({ name: "Plain" });
    world.clock.advance(1_000);
    const full = await at({
      name: "Full",
      company: "Harbour",
      stage: "Won",
      contact_id: contact.id,
      tags: ["vip"],
      external_id: "x-1",
      amount_cents: 700,
      expected_close_on: "2026-12-24",
    });
    world.clock.advance(1_000);
    const sale = await newDeal(world, listing, { name: "Sale", company: "Quayside", plan: "Growth" });
    const found = async (query: Record<string, string>) => idsOf(await list(query, listing.key));
    const since = full.created_at;
    const cases: [Record<string, string>, Json[]][] = [
      [{}, [sale, full, plain]],
      [{ account_id: client.id }, [full, plain]],
      [{ sale: "true" }, [sale]],
      [{ sale: "false" }, [full, plain]],
      [{ pipeline_id: pipeline.id }, [full, plain]],
      [{ stage_id: pipeline.stages[4].id }, [full]],
      [{ status: "won" }, [full]],
      [{ status: "open" }, [sale, plain]],
      [{ contact_id: contact.id }, [full]],
      [{ tag: "vip" }, [full]],
      [{ external_id: "x-1" }, [full]],
      [{ created_after: since }, [sale, full]],
      [{ created_before: since }, [plain]],
      [{ updated_after: since }, [sale, full]],
      [{ updated_before: since }, [plain]],
      [{ stage: "won" }, [full]],
      [{ stage: "New", account_id: client.id }, [plain]],
      [{ stage: "Nowhere" }, []],
      [{ company: "HARBOUR" }, [full]],
      [{ company: "Harb" }, []],
      [{ closed_after: since }, [full]],
      [{ closed_before: since }, []],
      [{ closed_before: new Date(Date.parse(since) + 1).toISOString() }, [full]],
      [{ expected_close_after: "2026-12-24" }, [full]],
      [{ expected_close_before: "2026-12-24" }, []],
      [{ expected_close_before: "2026-12-25" }, [full]],
      [{ q: "harbor" }, [full]],
      [{ sort: "name" }, [full, plain, sale]],
      [{ sort: "created_at" }, [plain, full, sale]],
      [{ sort: "expected_close_on" }, [full, plain, sale]],
      [{ sort: "expected_close_on", limit: "1" }, [full, plain, sale]],
      [{ sort: "-amount_cents" }, [full, sale, plain]],
      [{ sort: "-amount_cents", limit: "1" }, [full, sale, plain]],
    ];
    for (const [query, expected] of cases) expect([query, await found(query)]).toEqual([query, idsOf(expected)]);
    const any = `${DEALS}?status=won&status=open&stage_id=${pipeline.stages[0].id}&stage_id=${pipeline.stages[4].id}`;
    expect(idsOf((await world.call("GET", any, { key: listing.key })).body.data)).toEqual(idsOf([full, plain]));
  });

  test("has the contact of each record with it where that is asked for, for a key that may read contacts", async () => {
    const asking = await world.newPartner();
    const [into, from] = [await world.newContact(asking, { name: "Ada" }), await world.newContact(asking)];
    await newDeal(world, asking, { contact_id: from.id });
    await newDeal(world, asking, { name: "Nobody's" });
    await world.call("POST", `/v1/contacts/${into.id}/merge`, { key: asking.key, body: { from_id: from.id } });
    const lead = await world.newLead(asking, { phone: into.phone });
    await world.call("POST", `/v1/leads/${lead.id}/convert`, { key: asking.key });
    const contact = (await world.call("GET", `/v1/contacts/${into.id}`, { key: asking.key })).body;
    const included = async (path: string) =>
      (await walk(world, asking.key, path, { include: "contact", limit: 1 })).map((row) => row.included.contact);
    expect(await included(DEALS)).toEqual([null, contact]);
    expect(await included("/v1/leads")).toEqual([contact]);
    const last = await world.newContact(asking, { name: "Ada Okafor" });
    await world.call("POST", `/v1/contacts/${last.id}/merge`, { key: asking.key, body: { from_id: into.id } });
    const merged = (await world.call("GET", `/v1/contacts/${last.id}`, { key: asking.key })).body;
    expect([await included(DEALS), await included("/v1/leads")]).toEqual([[null, merged], [merged]]);
    expect((await walk(world, asking.key, DEALS)).filter((row) => "included" in row)).toEqual([]);
    const header = async (query: string) => (await world.call("GET", `${DEALS}?format=csv${query}`, { key: asking.key })).text;
    expect([await header("&include=contact"), await header("")].map((text) => text.includes("included.contact.name"))).toEqual([
      true,
      false,
    ]);
    const key = await world.newKey(asking, { scopes: ["deals:read"] });
    const refused = await world.call("GET", `${DEALS}?include=contact`, { key });
    expect([refused.status, refused.body.required_scope]).toEqual([403, "contacts:read"]);
  });

  test("by two tags has the records with either, of every kind", async () => {
    const tagging = await world.newPartner();
    const tagged = async (make: (tags: string[]) => Promise<Json>) => {
      const made: Json[] = [];
      for (const tags of [["a"], ["b"], ["c"], ["a", "b"], []]) made.push(await make(tags));
      return made;
    };
    const records = {
      contacts: await tagged((tags) => world.newContact(tagging, { tags })),
      leads: await tagged((tags) => world.newLead(tagging, { name: "Ada", tags })),
      deals: await tagged((tags) => newDeal(world, tagging, { tags })),
    };
    for (const [kind, made] of Object.entries(records)) {
      const { body } = await world.call("GET", `/v1/${kind}?tag=a&tag=b&sort=created_at`, { key: tagging.key });
      expect([kind, idsOf(body.data)]).toEqual([kind, [0, 1, 3].map((index) => made[index]?.id)]);
    }
  });

  test("of stages has every interval of every deal with its names, newest deal first, in pages and as CSV", async () => {
    const moving = await world.newPartner();
    const client = await world.newClient(moving, { company: "Quay Bakery" });
    const first = await newDeal(world, moving, { name: "First", account_id: client.id });
    world.clock.advance(86_400_000);
    await moveDeal(world, moving, first.id, { stage: "Won", note: "Signed" });
    const since = world.clock.now().toISOString();
    const second = await newDeal(world, moving, { name: "Second" });
    const gone = await newDeal(world, moving, { name: "Gone" });
    await world.call("DELETE", `${DEALS}/${gone.id}`, { key: moving.key });
    const path = `${DEALS}/stage-history`;
    const rows = await walk(world, moving.key, path, { limit: 1 });
    expect(rows.map(({ deal, stage }) => [deal, stage])).toEqual([
      ["Second", "New"],
      ["First", "Won"],
      ["First", "New"],
    ]);
    expect(rows[1]).toMatchObject({
      deal_id: first.id,
      account: "Quay Bakery",
      pipeline: "Sales",
      note: "Signed",
      left_at: null,
    });
    expect(rows[2]).toMatchObject({ entered_at: first.created_at, left_at: rows[1].entered_at, days: 1 });
    expect(await walk(world, moving.key, path, { account_id: client.id })).toEqual(rows.slice(1));
    expect(await walk(world, moving.key, path, { entered_after: since })).toEqual(rows.slice(0, 2));
    expect(await walk(world, moving.key, path, { entered_before: since })).toEqual(rows.slice(2));
    expect(await walk(world, moving.key, path, { pipeline_id: second.pipeline_id })).toEqual(rows.slice(0, 1));
    expect(await walk(world, moving.key, "/deals/stage-history")).toEqual(rows);
    const bound = await world.newKey(moving, { clients: [client.id] });
    expect(await walk(world, bound, path)).toEqual(rows.slice(1));
    const csv = await world.call("GET", `${path}?format=csv`, { key: moving.key });
    expect(csv.text.trim().split("\r\n")).toHaveLength(4);
  });

  test("of a contact has the deals of those that were merged into it", async () => {
    const [into, from] = [await world.newContact(partner, { account_id }), await world.newContact(partner, { account_id })];
    const deals = [await make({ contact_id: into.id }), await make({ contact_id: from.id })];
    const merge = { key: partner.key, body: { from_id: from.id } };
    expect((await world.call("POST", `/v1/contacts/${into.id}/merge`, merge)).status).toBe(200);
    expect(idsOf(await list({ contact_id: into.id }))).toEqual(idsOf(deals.toReversed()));
  });

  test("is exported whole, as CSV and NDJSON", async () => {
    const exporting = await world.newPartner();
    const client = await world.newClient(exporting);
    for (const name of ["One", "Two"]) await newDeal(world, exporting, { name, account_id: client.id, contact: { name: "Ada" } });
    const csv = await world.call("GET", `${DEALS}?format=csv`, { key: exporting.key });
    expect(csv.text.split("\r\n")[0]).toMatch(/^id,account_id,sale,name,.*contact\.name/);
    expect(csv.text.trim().split("\r\n")).toHaveLength(3);
    const lines = await world.call("GET", `${DEALS}?format=ndjson`, { key: exporting.key });
    expect(
      lines.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).name),
    ).toEqual(["Two", "One"]);
  });
});
