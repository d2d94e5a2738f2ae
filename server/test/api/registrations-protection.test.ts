import { beforeAll, describe, expect, test } from "vitest";
import { auditLog, feed } from "../harness/lists.ts";
import {
  amend,
  conflictOf,
  DAY_MS,
  expireSales,
  later,
  newSale,
  nextCompany,
  provision,
  reclaim,
  registrationOf,
  release,
  setProgramme,
  tryMove,
} from "../harness/sales.ts";
import { ADMIN, BASE, GENERAL, type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let ours: TestPartner;
let rival: TestPartner;
let operator: string;

beforeAll(async () => {
  ours = await world.newPartner();
  rival = await world.newPartner({ company: "Rival Agency" });
  operator = await world.newOperator();
});

describe("a company is free again", () => {
  const freed = (company: string) => conflictOf(newSale(world, rival, { company }));

  test("when the deal is lost or deleted, and a reopened one claims it anew, for the rest of its protection", async () => {
    const company = nextCompany();
    const sale = await newSale(world, ours, { company });
    const protected_until = later(world, 90);
    await release(world, ours, sale);
    world.clock.advance(DAY_MS);
    const again = await reclaim(world, ours, sale);
    expect(again.registration).toMatchObject({ status: "approved", protected_until });
    expect(await freed(company)).toBe("deal_conflict");
    await release(world, ours, sale);
    expect(await freed(company)).toBeNull();
    expect(await conflictOf(reclaim(world, ours, sale))).toBe("deal_conflict");
  });

  test("when the deal is deleted, and its registration is no longer shown", async () => {
    const company = nextCompany();
    const sale = await newSale(world, ours, { company });
    expect((await world.call("DELETE", `${GENERAL}/deals/${sale.deal_id}`, { key: ours.key })).status).toBe(204);
    expect(await freed(company)).toBeNull();
    expect((await registrationOf(world, operator, sale)).code).toBe("not_found");
    const { body } = await world.call("GET", `${ADMIN}/registrations?partner_id=${ours.partner_id}&limit=100`, { key: operator });
    expect(body.data.map((row: Json) => row.deal_id)).not.toContain(sale.deal_id);
  });

  test("when its name has changed to another", async () => {
    const [company, other] = [nextCompany(), nextCompany()];
    const sale = await newSale(world, ours, { company, company_domain: "stays.example" });
    await amend(world, ours, sale, { company: other });
    expect(await freed(company)).toBeNull();
    expect(await freed(other)).toBe("deal_conflict");
    expect(await conflictOf(newSale(world, rival, { company_domain: "stays.example" }))).toBe("deal_conflict");
  });

  test("to the millisecond when its protection is over, and the partner is told", async () => {
    const partner = await world.newPartner();
    const company = nextCompany();
    const sale = await newSale(world, partner, { company });
    world.clock.advance(90 * DAY_MS - 1);
    expect(await freed(company)).toBe("deal_conflict");
    await expireSales(world);
    expect((await registrationOf(world, operator, sale)).status).toBe("approved");
    world.clock.advance(1);
    expect(await freed(company)).toBeNull();
    expect(await expireSales(world)).toMatch(/^[1-9]\d* registrations expired$/);
    expect(await expireSales(world)).toBe("0 registrations expired");
    expect(await registrationOf(world, operator, sale)).toMatchObject({ status: "expired", version: 2 });
    expect(await conflictOf(tryMove(world, partner, sale))).toBeNull();
    const [, told] = await feed(world, partner.key);
    expect(told).toMatchObject({
      type: "deal.stage_changed",
      data: {
        deal_id: sale.deal_id,
        change: "registration",
        from_stage: "New",
        to_stage: "New",
        changed_by: "system",
        days_in_stage: 90,
      },
    });
    expect(await conflictOf(provision(world, partner, sale))).toBe("deal_conflict");
  });
});

describe("a protection that has ended", () => {
  test("no longer counts against the limit, also before the job has noticed", async () => {
    const partner = await world.newPartner();
    await setProgramme(world, operator, { open_registrations_max: 1 });
    await newSale(world, partner);
    expect(await conflictOf(newSale(world, partner))).toBe("registration_limit_reached");
    world.clock.advance(90 * DAY_MS - 1);
    expect(await conflictOf(newSale(world, partner))).toBe("registration_limit_reached");
    world.clock.advance(1);
    expect(await conflictOf(newSale(world, partner))).toBeNull();
    await setProgramme(world, operator, { open_registrations_max: 100 });
  });

  test.each([
    ["auto", "approved"],
    ["review", "submitted"],
  ])("is a new one when the deal is opened again afterwards, which a programme of %s makes %s", async (review, status) => {
    const partner = await world.newPartner();
    const sale = await newSale(world, partner);
    await release(world, partner, sale);
    world.clock.advance(90 * DAY_MS);
    await setProgramme(world, operator, { registration_review: review });
    await reclaim(world, partner, sale);
    expect(await registrationOf(world, operator, sale)).toMatchObject({ status, protected_until: later(world, 90) });
    expect(await conflictOf(newSale(world, rival, { company: sale.company }))).toBe("deal_conflict");
    await setProgramme(world, operator, { registration_review: "auto" });
  });
});

describe("asking whether a company is free", () => {
  const check = (key: string, body: object) => world.call("POST", `${BASE}/deals/check`, { key, body });

  test("says so, or until when it is not, and never whose it is", async () => {
    const company = nextCompany();
    await setProgramme(world, operator, { protection_days: 90 });
    const { deal_id } = await newSale(world, rival, { company, company_domain: "asked.example" });
    expect((await check(ours.key, { company: nextCompany() })).body).toEqual({ available: true, protected_until: null });
    for (const asked of [
      { company },
      { contact: { email: "x@asked.example" } },
      { company_domain: "http://www.asked.example/" },
    ]) {
      const { body, text } = await check(ours.key, asked);
      expect(body).toEqual({ available: false, protected_until: later(world, 90) });
      expect(text).not.toContain(deal_id);
    }
  });

  test("says no to a partner's own clients and to companies that became another's", async () => {
    const [own, won] = [nextCompany(), nextCompany()];
    await world.newClient(ours, { company: own });
    await provision(world, rival, await newSale(world, rival, { company: won }));
    for (const company of [own, won])
      expect((await check(ours.key, { company })).body).toEqual({ available: false, protected_until: null });
    expect((await check(rival.key, { company: own })).body.available).toBe(true);
  });

  test("is in the audit log with what was asked, the contact only by name", async () => {
    const partner = await world.newPartner();
    await check(partner.key, { company: "Harbour", contact: { phone: nextPhone() } });
    const [entry] = await auditLog(world, partner.key, { action: "registrations.check" });
    expect(entry.changes).toEqual({ company: { from: null, to: "Harbour" }, contact: "redacted" });
  });
});

test("what a sale had is forgotten once nobody can have it by that any more", async () => {
  const company = nextCompany();
  const sale = await newSale(world, ours, { company });
  await release(world, ours, sale);
  await expireSales(world);
  const left = await world.db.sql("select 1 from registration_claims where deal_id = $1", [sale.deal_id]);
  expect(left).toEqual([]);
});
