import { beforeAll, describe, expect, test } from "vitest";
import { claimsOf } from "../../src/features/crm/deals/claims/model.ts";
import { Refusal } from "../../src/kernel/errors.ts";
import { countAwaited, ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { auditLog, feed } from "../harness/lists.ts";
import {
  amend,
  conflictOf,
  later,
  newSale,
  nextCompany,
  refusalOf,
  registrationOf,
  release,
  type Sale,
  setProgramme,
} from "../harness/sales.ts";
import { ADMIN, BASE, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const hold = useHolds(() => world.db.connect());
let ours: TestPartner;
let rival: TestPartner;
let operator: string;

beforeAll(async () => {
  ours = await world.newPartner();
  rival = await world.newPartner({ company: "Rival Agency" });
  operator = await world.newOperator();
});

/** The default pipeline of a partner's house account. */
async function pipelineOf({ partner_id }: TestPartner): Promise<string | undefined> {
  const [row] = await world.db.sql<{ id: string }>(
    `select p.id from pipelines p join clients c on c.partner_id = p.partner_id and c.id = p.account_id and c.house
     where p.partner_id = $1 and p.is_default`,
    [partner_id],
  );
  return row?.id;
}

describe("registering a sale", () => {
  test("approves it by itself, protects it for 90 days, and tells it once with an audit entry", async () => {
    const partner = await world.newPartner();
    const company = nextCompany();
    const sale = await newSale(world, partner, { company, company_domain: "told.example" });
    expect(await registrationOf(world, operator, sale)).toMatchObject({
      status: "approved",
      protected_until: later(world, 90),
      submitted_at: later(world, 0),
      decided_by: null,
      company,
      deal_status: "open",
      stage: "New",
      version: 1,
    });
    const events = await feed(world, partner.key);
    expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: "deal.registered",
        data: {
          deal_id: sale.deal_id,
          partner_id: partner.partner_id,
          client_id: null,
          company,
          plan: "Growth",
          mrr_cents: 49_900,
          pipeline_id: await pipelineOf(partner),
          stage: "New",
          registration_status: "approved",
          protected_until: later(world, 90),
        },
      },
    ]);
    const [entry] = await auditLog(world, partner.key, { action: "registrations.create" });
    expect(entry).toMatchObject({ target: sale.deal_id, changes: { status: { from: null, to: "approved" } } });
  });

  test.each([
    ["domain", () => ({ company_domain: "same.example" }), () => ({ contact: { email: "bo@SAME.example" } })],
    ["phone", () => ({ contact: { phone: "+8860223456789" } }), () => ({ contact: { phone: "+886223456789" } })],
    ["name", () => ({ company: "Søren & Sønner ApS" }), () => ({ company: "SOREN and SONNER" })],
  ])("refuses a company that another partner has by its %s, and says until when but never whose", async (_, first, second) => {
    await newSale(world, rival, first());
    const refused = await refusalOf(newSale(world, ours, second()));
    expect(refused?.code).toBe("deal_conflict");
    expect(refused?.meta).toEqual({ protected_until: later(world, 90) });
    const [deal] = await world.db.sql<{ id: string }>("select id from deals where partner_id = $1 order by id desc", [
      rival.partner_id,
    ]);
    for (const secret of [rival.partner_id, deal?.id ?? "-", "Rival"]) expect(refused?.text).not.toContain(secret);
  });

  test("leaves nothing behind when it is refused", async () => {
    const company = nextCompany();
    await newSale(world, rival, { company });
    const registrations = () => world.db.sql("select 1 from registrations where partner_id = $1", [ours.partner_id]);
    const before = await registrations();
    expect(await conflictOf(newSale(world, ours, { company, company_domain: "behind.example" }))).toBe("deal_conflict");
    expect(await registrations()).toEqual(before);
    expect(await world.db.sql("select 1 from deals where company_domain = 'behind.example'")).toEqual([]);
    expect(await conflictOf(newSale(world, rival, { company_domain: "behind.example" }))).toBeNull();
  });

  test("refuses a company that the partner itself has in another deal, and names the deal", async () => {
    const company = nextCompany();
    const sale = await newSale(world, ours, { company });
    const refused = await refusalOf(newSale(world, ours, { company: `${company} GmbH` }));
    expect([refused?.code, refused?.meta]).toEqual([
      "deal_conflict",
      { protected_until: later(world, 90), existing_id: sale.deal_id },
    ]);
  });

  test("refuses a company that is the partner's client, names it, and takes the sale to that client", async () => {
    const company = nextCompany();
    const phone = nextPhone();
    const client = await world.newClient(ours, { company, contact: { email: "ada@clients.example", phone } });
    for (const fields of [{ company: `${company} Ltd.` }, { company_domain: "www.clients.example" }, { contact: { phone } }]) {
      const refused = await refusalOf(newSale(world, ours, fields));
      expect([refused?.code, refused?.meta]).toEqual(["deal_conflict", { protected_until: null, existing_id: client.id }]);
    }
    expect(await conflictOf(newSale(world, ours, { company, client_id: client.id }))).toBeNull();
    await world.call("DELETE", `${BASE}/clients/${client.id}`, { key: ours.key });
    expect(await conflictOf(newSale(world, ours, { contact: { phone } }))).toBeNull();
  });

  test("has no part in free-mail domains and in sales without anything to know the company by", async () => {
    for (const partner of [ours, rival]) {
      await newSale(world, partner, { company: "?", contact: { email: "ada@gmail.com" } });
      await newSale(world, partner, { company: "!!!" });
    }
  });
});

describe("many at once", () => {
  test("of twenty that register one company at the same moment exactly one has it", async () => {
    const partners = [ours, rival, await world.newPartner(), await world.newPartner()];
    const company = nextCompany();
    const sales = Array.from({ length: 20 }, (_, turn) => ({
      partner: partners[turn % partners.length] ?? ours,
      company: `${company}${turn % 2 ? " Inc." : ""}`,
      company_domain: turn % 3 ? "race.example" : "www.race.example",
    }));
    const codes = await Promise.all(sales.map(({ partner, ...fields }) => conflictOf(newSale(world, partner, fields))));
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(codes.filter((code) => code === "deal_conflict")).toHaveLength(19);
    const [held] = await world.db.sql<{ count: number }>(
      "select count(distinct deal_id)::int as count from registration_claims where value in ($1, 'race.example')",
      [company.toLowerCase()],
    );
    expect(held?.count).toBe(1);
  });

  test("those that want each other's claims in crossing pairs: exactly one has them", async () => {
    const doings = Array.from({ length: 24 }, async (_, turn) => {
      const [partner, one, two] = turn % 2 ? [ours, "cross-a", "cross-b"] : [rival, "cross-b", "cross-a"];
      return conflictOf(newSale(world, partner, { company_domain: `${one}.example`, contact: { email: `ada@${two}.example` } }));
    });
    const codes = await Promise.all(doings);
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(codes.filter((code) => code === "deal_conflict")).toHaveLength(23);
  });

  test("claims are taken in one order, so that two never wait for each other", async () => {
    const { deal_id } = await newSale(world, rival);
    const last = await hold(
      "insert into registration_claims (kind, value, partner_id, deal_id, until) values ('domain', 'order-b.example', $1, $2, now())",
      [rival.partner_id, deal_id],
    );
    const first = conflictOf(
      newSale(world, ours, { company_domain: "order-a.example", contact: { email: "x@order-b.example" } }),
    );
    await untilWaiting(world.db.sql, ROW_LOCKS, 1);
    const second = conflictOf(
      newSale(world, rival, { company_domain: "order-b.example", contact: { email: "x@order-a.example" } }),
    );
    await untilWaiting(world.db.sql, ROW_LOCKS, 2);
    expect(await countAwaited(world.db.sql)).toBe(2);
    await last.release();
    expect(await Promise.all([first, second])).toEqual([null, "deal_conflict"]);
  });

  test("two sales that swap their companies are both refused, and neither loses its own", async () => {
    const [a, b] = [nextCompany(), nextCompany()];
    const mine = await newSale(world, ours, { company: a });
    const theirs = await newSale(world, rival, { company: b });
    const codes = await Promise.all([
      conflictOf(amend(world, ours, mine, { company: b })),
      conflictOf(amend(world, rival, theirs, { company: a })),
    ]);
    expect(codes).toEqual(["deal_conflict", "deal_conflict"]);
    for (const company of [a, b])
      expect(await conflictOf(newSale(world, await world.newPartner(), { company }))).toBe("deal_conflict");
  });

  test("whatever partners register, rename and lose at once, every sale under way has all its claims and no others", async () => {
    const partners = [ours, rival, await world.newPartner()];
    const names = ["Maple", "Birch", "Cedar", "Alder", "Rowan"];
    const named = (index: number) => {
      const name = names[index % names.length] ?? "";
      return {
        company: name,
        company_domain: `${names[(index * 3 + 1) % names.length]}.example`,
        contact: { email: `x@${name}.test` },
      };
    };
    /** Registers a sale, renames it and, every third time, loses it; what is refused leaves the sale as it was. */
    const live = async (turn: number): Promise<Sale[]> => {
      const partner = partners[turn % partners.length] ?? ours;
      const sale = await newSale(world, partner, named(turn)).catch((error: unknown) => {
        if (error instanceof Refusal) return null;
        throw error;
      });
      if (sale === null) return [];
      const kept =
        (await conflictOf(amend(world, partner, sale, named(turn + 2)))) === null ? { ...sale, ...named(turn + 2) } : sale;
      if (turn % 3 > 0) return [kept];
      await release(world, partner, kept);
      return [];
    };
    const left = (await Promise.all(Array.from({ length: 60 }, (_, turn) => live(turn)))).flat();
    const held = await world.db.sql<{ deal_id: string; claim: string }>(
      "select deal_id, kind || ' ' || value as claim from registration_claims where until > $1 and value ~ $2 order by 1, 2",
      [world.clock.now(), names.join("|").toLowerCase()],
    );
    const expected = left.flatMap((sale) =>
      claimsOf(sale).map(({ kind, value }) => ({ deal_id: sale.deal_id, claim: `${kind} ${value}` })),
    );
    const order = (a: { deal_id: string; claim: string }, b: { deal_id: string; claim: string }) =>
      a.deal_id + a.claim < b.deal_id + b.claim ? -1 : 1;
    expect(left.length).toBeGreaterThan(0);
    expect(held.sort(order)).toEqual(expected.sort(order));
  });

  test("a tier's protection and limit come before the programme's, also when the operator approves", async () => {
    const partner = await world.newPartner();
    const { partner_id } = partner;
    await world.db.sql(`insert into tiers (grade, name, rank, protection_days, open_registrations_max, created_at, updated_at)
      values ('trusted', 'Trusted', 70, 120, 2, now(), now())`);
    await world.db.sql("update partners set grade = 'trusted' where id = $1", [partner_id]);
    const sales = [await newSale(world, partner), await newSale(world, partner)];
    expect((await refusalOf(newSale(world, partner)))?.meta).toEqual({ limit: 2 });
    for (const sale of sales) expect((await registrationOf(world, operator, sale)).protected_until).toBe(later(world, 120));
    const [{ deal_id }] = sales as [Sale];
    await world.db.sql("update registrations set status = 'submitted', protected_until = now() where deal_id = $1", [deal_id]);
    const approved = await world.call("POST", `${ADMIN}/registrations/${deal_id}/approve`, { key: operator });
    expect(approved.body.protected_until).toBe(later(world, 120));
  });

  test("no partner has more open registrations than it may have, however many come at once", async () => {
    await setProgramme(world, operator, { open_registrations_max: 3 });
    try {
      const partner = await world.newPartner();
      const codes = await Promise.all(
        Array.from({ length: 8 }, () => conflictOf(newSale(world, partner, { company: nextCompany() }))),
      );
      expect(codes.filter((code) => code === null)).toHaveLength(3);
      expect(codes.filter((code) => code === "registration_limit_reached")).toHaveLength(5);
    } finally {
      await setProgramme(world, operator, { open_registrations_max: 100 });
    }
  });
});
