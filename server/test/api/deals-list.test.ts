import { beforeAll, describe, expect, test } from "vitest";
import { newDeal, pipelineOf } from "../harness/deals.ts";
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
      expected_close_on: "2026-12-24",
    });
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
      [{ expected_close_after: "2026-12-24" }, [full]],
      [{ expected_close_before: "2026-12-24" }, []],
      [{ expected_close_before: "2026-12-25" }, [full]],
      [{ q: "harbor" }, [full]],
      [{ sort: "name" }, [full, plain, sale]],
      [{ sort: "created_at" }, [plain, full, sale]],
      [{ sort: "expected_close_on" }, [full, plain, sale]],
      [{ sort: "expected_close_on", limit: "1" }, [full, plain, sale]],
    ];
    for (const [query, expected] of cases) expect([query, await found(query)]).toEqual([query, idsOf(expected)]);
    const any = `${DEALS}?status=won&status=open&stage_id=${pipeline.stages[0].id}&stage_id=${pipeline.stages[4].id}`;
    expect(idsOf((await world.call("GET", any, { key: listing.key })).body.data)).toEqual(idsOf([full, plain]));
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
