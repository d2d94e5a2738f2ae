import { beforeAll, describe, expect, test } from "vitest";
import { feed } from "../harness/lists.ts";
import {
  amend,
  conflictOf,
  DAY_MS,
  expireSales,
  newSale,
  nextCompany,
  provision,
  reclaim,
  refusalOf,
  registrationOf,
  release,
} from "../harness/sales.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let ours: TestPartner;
let rival: TestPartner;
let operator: string;

beforeAll(async () => {
  ours = await world.newPartner();
  rival = await world.newPartner({ company: "Rival Agency" });
  operator = await world.newOperator();
});

describe("a won sale", () => {
  test("makes a client that is active and says which deal it came from", async () => {
    const partner = await world.newPartner();
    const contact = { name: "Ada Okafor", email: "ada@won.example", phone: null };
    const sale = await newSale(world, partner, { company: nextCompany(), contact });
    const client_id = await provision(world, partner, sale);
    const { body } = await world.call("GET", `${BASE}/clients/${client_id}`, { key: partner.key });
    expect(body).toMatchObject({ company: sale.company, status: "active", plan: "Growth", mrr_cents: 49_900, currency: "usd" });
    expect(body.contact).toEqual({ name: "Ada Okafor", email: "ada@won.example" });
    const events = await feed(world, partner.key);
    expect(events.map(({ type, data }) => [type, data.deal_id])).toEqual([
      ["deal.registered", sale.deal_id],
      ["client.created", sale.deal_id],
      ["client.activated", undefined],
    ]);
  });

  test("has its company for as long as the client is one, whatever its protection", async () => {
    const company = nextCompany();
    const sale = await newSale(world, ours, { company });
    const client_id = await provision(world, ours, sale);
    world.clock.advance(100 * DAY_MS);
    await expireSales(world);
    const refused = await refusalOf(newSale(world, rival, { company }));
    expect([refused?.code, refused?.meta]).toEqual(["deal_conflict", { protected_until: null }]);
    expect((await registrationOf(world, operator, sale)).status).toBe("approved");
    await release(world, ours, sale);
    expect(await conflictOf(newSale(world, rival, { company }))).toBe("deal_conflict");
    await world.call("DELETE", `${BASE}/clients/${client_id}`, { key: ours.key });
    expect(await conflictOf(newSale(world, rival, { company }))).toBeNull();
  });

  test("is named by its client to the partner itself", async () => {
    const sale = await newSale(world, ours, { company_domain: "named.example", company: nextCompany() });
    const client_id = await provision(world, ours, sale);
    const refused = await refusalOf(newSale(world, ours, { company_domain: "named.example" }));
    expect([refused?.code, refused?.meta]).toEqual(["deal_conflict", { protected_until: null, existing_id: client_id }]);
  });

  test("that is renamed keeps the new name and gives the old one up, also when it is open again", async () => {
    const [company, other] = [nextCompany(), nextCompany()];
    const sale = await newSale(world, ours, { company });
    const won = { ...sale, client_id: await provision(world, ours, sale) };
    const renamed = { ...won, company: other };
    await amend(world, ours, won, renamed);
    expect(await conflictOf(newSale(world, rival, { company }))).toBeNull();
    expect(await conflictOf(newSale(world, rival, { company: other }))).toBe("deal_conflict");
    expect((await reclaim(world, ours, renamed)).outcome).toBeNull();
    world.clock.advance(100 * DAY_MS);
    expect(await conflictOf(newSale(world, rival, { company: other }))).toBe("deal_conflict");
  });

  test("of another plan to the same client leaves the company with the client when it is lost", async () => {
    const company = nextCompany();
    const first = await newSale(world, ours, { company });
    const client_id = await provision(world, ours, first);
    const second = await newSale(world, ours, { company, client_id, plan: "Scale" });
    await release(world, ours, second);
    expect(await conflictOf(newSale(world, rival, { company }))).toBe("deal_conflict");
  });

  test.each([
    ["pending", "active", ["client.activated"]],
    ["churned", "active", ["client.activated"]],
    ["suspended", "suspended", []],
    ["active", "active", []],
  ])("to a client that is %s leaves it %s, with the plan and the revenue of the sale", async (status, left, told) => {
    const partner = await world.newPartner();
    const client = await world.newClient(partner, { company: nextCompany(), activate: status !== "pending" });
    if (status === "suspended") await world.call("POST", `${BASE}/clients/${client.id}/suspend`, { key: partner.key });
    if (status === "churned") await world.call("DELETE", `${BASE}/clients/${client.id}`, { key: partner.key });
    const sale = await newSale(world, partner, { company: client.company, client_id: client.id, plan: "Scale", mrr_cents: 99 });
    const before = (await feed(world, partner.key)).length;
    expect(await provision(world, partner, sale)).toBe(client.id);
    const { body } = await world.call("GET", `${BASE}/clients/${client.id}`, { key: partner.key });
    expect(body).toMatchObject({ status: left, plan: "Scale", mrr_cents: 99 });
    expect((await feed(world, partner.key)).slice(before).map(({ type }) => type)).toEqual(told);
  });

  test("is refused to the house account and to a client that is not the partner's", async () => {
    const house = await world.call("GET", `${BASE}/clients?include_house=true&limit=100`, { key: ours.key });
    const { id } = house.body.data.find((client: Json) => client.house);
    const stranger = await world.newClient(rival, { company: nextCompany() });
    for (const client_id of [id, stranger.id]) {
      const sale = await newSale(world, ours, { company: nextCompany() });
      const refused = await refusalOf(provision(world, ours, { ...sale, client_id }));
      expect([refused?.code, refused?.text.includes("unknown_client")]).toEqual(["validation_failed", true]);
    }
  });
});
