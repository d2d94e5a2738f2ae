import { commissionJobs } from "../../src/features/money/commissions/jobs.ts";
import { newSale, provision, type Sale, type SaleFields } from "./sales.ts";
import { ADMIN, BASE, type Json, type TestPartner, type World } from "./world.ts";

/** The programme's money, as an operator and its partners use it. */
export function earning(world: World, operator: () => string) {
  let reports = 0;
  const admin = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    world.call(method, `${ADMIN}${path}`, { key: operator(), headers, ...(body === undefined ? {} : { body }) });

  return {
    admin,
    /** Reports what a client paid. */
    async charge(client_id: string, fields: Record<string, unknown> = {}): Promise<Json> {
      reports += 1;
      // A moment later than what was before, so that the ids are in the order of what happened.
      world.clock.advance(1);
      const facts = { external_id: `in_${reports}`, amount_cents: 49_950, currency: "usd", charged_at: world.clock.now() };
      const { status, body, text } = await admin("POST", `/clients/${client_id}/charges`, { ...facts, ...fields });
      if (status !== 201) throw new Error(text);
      return body;
    },
    /** Reports what a client got back. */
    async refund(charge_id: string, amount_cents: number): Promise<Json> {
      reports += 1;
      world.clock.advance(1);
      const { status, body, text } = await admin("POST", `/charges/${charge_id}/refunds`, {
        external_id: `re_${reports}`,
        amount_cents,
      });
      if (status !== 201) throw new Error(text);
      return body;
    },
    async setGrade({ partner_id }: TestPartner, grade: string): Promise<void> {
      const { status, text } = await admin("PATCH", `/partners/${partner_id}`, { grade }, { "if-match": "*" });
      if (status !== 200) throw new Error(text);
    },
    async setParent({ partner_id }: TestPartner, parent: TestPartner | null): Promise<void> {
      const body = { parent_id: parent?.partner_id ?? null };
      const { status, text } = await admin("PATCH", `/partners/${partner_id}`, body, { "if-match": "*" });
      if (status !== 200) throw new Error(text);
    },
    /** The commissions of a partner, oldest first. */
    async commissions({ key }: TestPartner, query = ""): Promise<Json[]> {
      const { body } = await world.call("GET", `${BASE}/deals/commissions?limit=100${query}`, { key });
      return body.data.toReversed();
    },
    /** The balances of a partner's accounts that are not zero, in US dollars. */
    async balances({ key }: TestPartner): Promise<Record<string, number>> {
      const { body } = await world.call("GET", `${BASE}/ledger/accounts`, { key });
      const own = body.data.filter((one: Json) => one.currency === "usd" && one.balance_cents !== 0);
      return Object.fromEntries(own.map((one: Json) => [one.account, one.balance_cents]));
    },
    /** Runs a scheduled job of the commissions. */
    async runJob(name: "commission_approval" | "unpaid_sales"): Promise<string> {
      const { db } = world.app.services;
      const job = commissionJobs(world.app.services).find((one) => one.name === name);
      if (job === undefined) throw new Error(`there is no job ${name}`);
      return job.run({ db, owner: db, clock: world.clock });
    },
  };
}

/** A seller and the partner above it, with sales that are easy to count. */
export function earningLines(world: World, money: ReturnType<typeof earning>) {
  return {
    /** The seller earns of its sales what its own rule says: 20 % first, then 10 %, for three months. */
    async newLine(rule: object = {}): Promise<{ seller: TestPartner; parent: TestPartner; rule_id: string }> {
      const [seller, parent] = [await world.newPartner(), await world.newPartner()];
      await money.setParent(seller, parent);
      await world.newClient(parent);
      const terms = { first: { bps: 2000 }, recurring: { bps: 1000 }, months: 3, ...rule };
      const body = { name: "Own", scope: "partner", partner_id: seller.partner_id, ...terms };
      const reply = await money.admin("POST", "/rules", body);
      if (reply.status !== 201) throw new Error(reply.text);
      return { seller, parent, rule_id: reply.body.id };
    },
    /** Wins a sale of 500 a month. */
    async sell(seller: TestPartner, fields: Partial<SaleFields> = {}): Promise<{ sale: Sale; client_id: string }> {
      world.clock.advance(1);
      const sale = await newSale(world, seller, { mrr_cents: 50_000, ...fields });
      return { sale, client_id: (await provision(world, seller, sale)) ?? "" };
    },
    /** The rows of a partner as they are told apart: what was earned or taken back, and why. */
    story: async (partner: TestPartner, query = "") =>
      (await money.commissions(partner, query)).map(({ kind, amount_cents, reason_code }) => [kind, amount_cents, reason_code]),
    total: async (partner: TestPartner): Promise<number> =>
      (await money.commissions(partner)).reduce((sum, { amount_cents }) => sum + amount_cents, 0),
  };
}
