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
    const contact = { name: "Ada Okafor", email: "ada@won.example" };
    const sale = await newSale(world, partner, { company: nextCompany(), contact });
    const client_id = await provision(world, partner, sale);
    const { body } = await world.call("GET", `${BASE}/clients/${client_id}`, { key: partner.key });
    expect(body).toMatchObject({ company: sale.company, status: "active", plan: "Growth", mrr_cents: 49_900, currency: "usd" });
    expect(body.contact).toEqual({ name: "Ada Okafor", email: "ada@won.example" });
    const events = await feed(world, partner.key);
    expect(events.map(({ type, data }) => [type, data.deal_id])).toEqual([
      ["deal.registered", sale.deal_id],
      ["deal.stage_changed", sale.deal_id],
      ["client.created", sale.deal_id],
      ["client.activated", undefined],
      ["deal.won", sale.deal_id],
      ["commission.accrued", sale.deal_id],
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
    await provision(world, ours, sale);
    await amend(world, ours, sale, { company: other });
    expect(await conflictOf(newSale(world, rival, { company }))).toBeNull();
    expect(await conflictOf(newSale(world, rival, { company: other }))).toBe("deal_conflict");
    expect((await reclaim(world, ours, sale)).status).toBe("open");
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
    const types = (await feed(world, partner.key)).slice(before).map(({ type }) => type);
    expect(types).toEqual(["deal.stage_changed", ...told, "deal.won", "commission.accrued"]);
  });

  test("is refused to the house account and to a client that is not the partner's", async () => {
    const house = await world.call("GET", `${BASE}/clients?include_house=true&limit=100`, { key: ours.key });
    const { id } = house.body.data.find((client: Json) => client.house);
    const stranger = await world.newClient(rival, { company: nextCompany() });
    for (const client_id of [id, stranger.id]) {
      const sale = await newSale(world, ours, { company: nextCompany() });
      const refused = await refusalOf(amend(world, ours, sale, { client_id }));
      expect([refused?.code, refused?.text.includes("unknown_client")]).toEqual(["validation_failed", true]);
    }
  });
});

test("a win for a client that can no longer be sold to is refused, and changes nothing", async () => {
  const sale = await newSale(world, ours, { company: nextCompany() });
  // The API refuses such a client in a change already.
  await world.db.sql("update deals set client_id = account_id where id = $1", [sale.deal_id]);
  const refused = await refusalOf(provision(world, ours, sale));
  expect([refused?.code, refused?.text.includes("unknown_client")]).toEqual(["validation_failed", true]);
  expect(await world.db.sql("select status, version from deals where id = $1", [sale.deal_id])).toEqual([
    { status: "open", version: 1 },
  ]);
});

describe("the companies of a client that churns", () => {
  const churn = (client_id: string | null) => world.call("DELETE", `${BASE}/clients/${client_id}`, { key: ours.key });
  const winBack = (client_id: string | null) => world.call("POST", `${BASE}/clients/${client_id}/reactivate`, { key: ours.key });
  const wonClient = async (company: string, company_domain: string) => {
    const sale = await newSale(world, ours, { company, company_domain });
    return { sale, client_id: await provision(world, ours, sale) };
  };

  test("are free, and are its own again when it is won back", async () => {
    const company = nextCompany();
    const { client_id } = await wonClient(company, "back.example");
    await churn(client_id);
    world.clock.advance(DAY_MS);
    await expireSales(world);
    expect((await winBack(client_id)).status).toBe(200);
    expect(await conflictOf(newSale(world, rival, { company }))).toBe("deal_conflict");
    expect(await conflictOf(newSale(world, rival, { company_domain: "back.example" }))).toBe("deal_conflict");
  });

  test("stay with whoever claimed them meanwhile", async () => {
    const company = nextCompany();
    const { client_id } = await wonClient(company, "meanwhile.example");
    await churn(client_id);
    const theirs = await newSale(world, rival, { company });
    expect((await winBack(client_id)).status).toBe(200);
    const left = await world.db.sql("select kind, deal_id from registration_claims where client_id = $1", [client_id]);
    expect(left.map(({ kind }: Json) => kind)).toEqual(["domain"]);
    expect(await conflictOf(provision(world, rival, theirs))).toBeNull();
    expect(await conflictOf(newSale(world, rival, { company_domain: "meanwhile.example" }))).toBe("deal_conflict");
  });

  test("are free under a new name too, when the sale is renamed afterwards", async () => {
    const [company, other] = [nextCompany(), nextCompany()];
    const { sale, client_id } = await wonClient(company, "renamed.example");
    await churn(client_id);
    await amend(world, ours, sale, { company: other });
    expect(await conflictOf(newSale(world, rival, { company: other }))).toBeNull();
  });

  test("that it gave up for a new name are not its own again when it is won back", async () => {
    const [company, other] = [nextCompany(), nextCompany()];
    const { sale, client_id } = await wonClient(company, "given-up.example");
    await amend(world, ours, sale, { company: other });
    await churn(client_id);
    expect((await winBack(client_id)).status).toBe(200);
    expect(await conflictOf(newSale(world, rival, { company }))).toBeNull();
    expect(await conflictOf(newSale(world, rival, { company: other }))).toBe("deal_conflict");
  });

  test("have exactly one holder, however churn, win-back and sales of others coincide", async () => {
    const companies = Array.from({ length: 8 }, nextCompany);
    const clients = await Promise.all(
      companies.map(async (company, index) => (await wonClient(company, `race${index}.example`)).client_id),
    );
    await Promise.all(
      clients.flatMap((client_id, index) => {
        const { [index]: company = "" } = companies;
        const domain = `race${(index + 1) % clients.length}.example`;
        return [
          churn(client_id).then(() => winBack(client_id)),
          conflictOf(newSale(world, rival, { company, company_domain: domain })),
          conflictOf(newSale(world, rival, { company: nextCompany(), company_domain: domain })),
        ];
      }),
    );
    const claims = await world.db.sql<{ partner_id: string; client_id: string | null; until: Date | null }>(
      "select partner_id, client_id, until from registration_claims where value = any ($1)",
      [[...companies.map((company) => company.toLowerCase()), ...clients.map((_, index) => `race${index}.example`)]],
    );
    expect(claims).toHaveLength(16);
    for (const { partner_id, client_id, until } of claims) {
      expect([partner_id, client_id === null]).toEqual(until === null ? [ours.partner_id, false] : [rival.partner_id, true]);
    }
  });
});
