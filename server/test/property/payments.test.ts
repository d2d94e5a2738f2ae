import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { moveLink } from "../../src/features/billing/payment-links/commands.ts";
import { statusWith } from "../../src/features/billing/payment-links/model.ts";
import { beginAttempt, lookAt, releaseLink } from "../../src/features/billing/payments/attempts.commands.ts";
import { recordByHand } from "../../src/features/billing/payments/commands.ts";
import { settleDispute } from "../../src/features/billing/payments/disputes.commands.ts";
import { heardOf } from "../../src/features/billing/payments/hooks.commands.ts";
import { statusOfPayment } from "../../src/features/billing/payments/model.ts";
import { refundPayment } from "../../src/features/billing/payments/refunds.commands.ts";
import { confirmTestCard, decideTestDispute, takeTestCard } from "../../src/features/billing/providers/index.ts";
import { Refusal } from "../../src/kernel/errors.ts";
import { randomToken } from "../../src/platform/http/public-tokens.ts";
import { type Context, createContext } from "../../src/platform/record/context.ts";
import { billingOf } from "../harness/billing.ts";
import { brokenBooks } from "../harness/books.ts";
import { earning } from "../harness/earning.ts";
import { sized } from "../harness/size.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const TOTAL = 1_000;
const CARDS = [
  "4242424242424242",
  "4000000000000002",
  "4000000000003220",
  "4000000000000077",
  "4000000000000341",
  "4000000000000259",
];
const NOBODY = { name: null, email: null, answers: {} };
let partner: TestPartner;
let ctx: Context;

beforeAll(async () => {
  partner = await world.newPartner();
  await billingOf(world).newProvider(partner);
  ctx = createContext(world.app.services, { principal: { type: "system", partner_id: partner.partner_id } });
});

const net = () => ({ db: world.app.services.db, now: world.clock.now });
const attemptsOf = (link_id: string) =>
  world.db.sql<Json>(
    "select partner_id, id, state, amount_cents::int, tip_cents::int from payment_attempts where link_id = $1 order by id",
    [link_id],
  );
const paymentsOf = (link_id: string) => world.db.sql<Json>("select * from payments where link_id = $1 order by id", [link_id]);

/** What succeeded although the provider had said that it no longer can, by link: nobody could keep a place for it. */
const revived = new Map<string, number>();

/** What must hold of a link after every step. */
async function checkLink(link_id: string, account_id: string): Promise<void> {
  const [link] = await world.db.sql<Json>("select * from payment_links where id = $1", [link_id]);
  const attempts = await attemptsOf(link_id);
  const payments = await paymentsOf(link_id);
  const refunds = await world.db.sql<Json>(
    "select r.* from payment_refunds r join payments p on p.id = r.payment_id where p.link_id = $1",
    [link_id],
  );
  const sum = (rows: Json[], column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);
  const open = attempts.filter(({ state }: Json) => ["created", "pending", "processing", "expiring"].includes(state));
  expect(Number(link.paid_cents)).toBe(sum(payments, "amount_cents"));
  expect(Number(link.tips_cents)).toBe(sum(payments, "tip_cents"));
  expect(Number(link.reserved_cents)).toBe(sum(open, "amount_cents"));
  expect(Number(link.refunded_cents)).toBe(sum(payments, "refunded_cents"));
  expect(Number(link.refunded_cents)).toBe(
    sum(
      refunds.filter(({ status }: Json) => status === "succeeded"),
      "amount_cents",
    ),
  );
  const most = TOTAL + (revived.get(link_id) ?? 0);
  expect(Number(link.paid_cents) + Number(link.reserved_cents)).toBeLessThanOrEqual(most);
  expect(Number(link.paid_cents) > TOTAL).toBe(payments.some(({ flag }: Json) => flag === "overpaid"));
  const succeeded = attempts.filter(({ state }: Json) => state === "succeeded").map(({ id }: Json) => id);
  expect(payments.map(({ attempt_id }: Json) => attempt_id).sort()).toEqual(succeeded.sort());
  for (const payment of payments) await checkPayment(payment);
  const amounts = {
    usage: "single" as const,
    total_cents: TOTAL,
    limit_cents: TOTAL,
    paid_cents: Number(link.paid_cents),
    reserved_cents: 0,
  };
  expect(statusWith(link.status, amounts)).toBe(link.status);
  await checkReceipts(account_id);
}

/** The status of a payment is by its disputes and refunds alone, and a charge is taken back by what is gone, within the charge. */
async function checkPayment(payment: Json): Promise<void> {
  const disputes = await world.db.sql<Json>("select status, amount_cents::int from payment_disputes where payment_id = $1", [
    payment.id,
  ]);
  const number = (name: string) => Number(payment[name]);
  const amounts = {
    amount_cents: number("amount_cents"),
    tip_cents: number("tip_cents"),
    refunded_cents: number("refunded_cents"),
    refunding_cents: number("refunding_cents"),
  };
  expect(payment.status).toBe(statusOfPayment({ ...amounts, disputes }));
  const [charge] = await world.db.sql<Json>(
    "select amount_cents::int, refunded_cents::int from charges where partner_id = $1 and external_id = $2",
    [payment.partner_id, payment.id],
  );
  expect(charge?.amount_cents).toBe(payment.charge?.amount_cents);
  if (charge === undefined) return;
  const lost = disputes.filter(({ status }) => status === "lost").reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  expect(charge.refunded_cents).toBe(Math.min(amounts.refunded_cents + lost, amounts.amount_cents));
}

/** The numbers of an account's receipts are 1, 2, 3 and so on, those of tests and of money apart. */
async function checkReceipts(account_id: string): Promise<void> {
  const rows = await world.db.sql<Json>(
    "select live, receipt_number from payments where account_id = $1 order by receipt_number",
    [account_id],
  );
  for (const live of [true, false]) {
    const numbers = rows.filter((row: Json) => row.live === live).map((row: Json) => Number(row.receipt_number.split("-")[1]));
    expect(numbers).toEqual(numbers.map((_: number, index: number) => index + 1));
  }
}

const pick = <Item>(items: readonly Item[], which: number): Item | undefined => items[which % Math.max(items.length, 1)];

/** Steps that a payer, the provider, the merchant or time takes. Each may be refused; none may break what must hold. */
const STEPS: Record<string, (link: Json, which: number) => Promise<unknown>> = {
  begin: (link, which) =>
    beginAttempt(ctx, link.id, {
      nonce: randomToken(),
      amount_cents: 1 + ((which * 37) % TOTAL),
      tip_cents: which % 50,
      payer: NOBODY,
    }),
  async card(link, which) {
    const attempt = pick(await attemptsOf(link.id), which);
    if (attempt !== undefined) await takeTestCard(attempt, CARDS[which % CARDS.length] as string, net());
  },
  async confirm(link, which) {
    const attempt = pick(await attemptsOf(link.id), which);
    if (attempt !== undefined) await confirmTestCard(attempt, which % 2 === 0, net());
  },
  async look(link, which) {
    const attempt = pick(await attemptsOf(link.id), which);
    if (attempt !== undefined) await Promise.all([lookAt(ctx, attempt.id), lookAt(ctx, attempt.id)]);
  },
  async dispute(link, which) {
    const attempt = pick(await attemptsOf(link.id), which);
    if (attempt === undefined) return;
    await decideTestDispute(attempt, which % 2 === 0, net());
    await Promise.all([heardOf(ctx, attempt.id, "dispute"), heardOf(ctx, attempt.id, "dispute")]);
  },
  // A bank may dispute any payment, a part of it, and more than once; what it has decided it may tell again.
  async callBack(link, which) {
    const payment = pick(await paymentsOf(link.id), which);
    if (payment === undefined) return;
    const status = (["open", "won", "lost"] as const)[which % 3] ?? "open";
    const amount_cents = 1 + ((which * 29) % Number(payment.amount_cents));
    const told = { provider_ref: `dp_${which % 2}`, amount_cents, reason: "fraudulent", status };
    for (let times = 0; times < 2; times += 1) await ctx.tx((tx) => settleDispute(ctx, tx, payment.id, told));
  },
  // The provider breaks its word: what it has called ended succeeds all the same, and we are told.
  async revive(link, which) {
    const attempt = pick(
      (await attemptsOf(link.id)).filter(({ state }: Json) => state === "expired" || state === "failed"),
      which,
    );
    if (attempt === undefined) return;
    await world.db.sql("update test_sessions set state = 'succeeded', then_state = null, then_at = null where id = $1", [
      attempt.id,
    ]);
    revived.set(link.id, (revived.get(link.id) ?? 0) + attempt.amount_cents);
    await settleAgain(attempt.id, link.id);
  },
  release: (link) => releaseLink(ctx, link.id),
  cancel: (link) => moveLink(ctx, link.id, "cancel"),
  close: (link) => moveLink(ctx, link.id, "close"),
  disable: (link) => moveLink(ctx, link.id, "disable"),
  enable: (link) => moveLink(ctx, link.id, "enable"),
  record: (link, which) => recordByHand(ctx, link.id, { amount_cents: 1 + ((which * 53) % TOTAL), method: "cash" }),
  async refund(link, which) {
    const payment = pick(await paymentsOf(link.id), which);
    if (payment === undefined) return;
    const amount_cents = 1 + ((which * 17) % Number(payment.amount_cents));
    await refundPayment(ctx, payment.id, { amount_cents, reason: "Sorry" });
  },
  wait: async (_, which) => world.clock.advance(which * 1_000),
};

/** What `lookAt` does with an attempt that it has not closed yet: here for one that was closed. */
async function settleAgain(attempt_id: string, link_id: string): Promise<void> {
  const { settle } = await import("../../src/features/billing/payments/settle.commands.ts");
  const outcome = { state: "succeeded", ref: attempt_id, method: "card", method_hint: null } as const;
  for (let times = 0; times < 2; times += 1) await ctx.tx((tx) => settle(ctx, tx, { id: attempt_id, link_id }, outcome, false));
}

test("whatever payers, provider, merchant and time do, in any order: no cent is lost, doubled or taken beyond what is due", async () => {
  const step = fc.tuple(fc.constantFrom(...Object.keys(STEPS), "begin", "card", "look"), fc.nat({ max: 1_000 }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: sized(25, 60) }), async (steps) => {
      const client = await world.newClient(partner);
      const expires_at = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
      const fields = { account_id: client.id, amount_cents: TOTAL, partial: {}, tip: { percentages: [10] }, expires_at };
      const link = await billingOf(world).newLink(partner, fields);
      for (const [name, which] of steps) {
        await STEPS[name]?.(link, which).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
        });
        await checkLink(link.id, client.id);
      }
    }),
    { numRuns: sized(6, 150) },
  );
});

test("the same of links that charge a client: charges and the ledger follow the money", async () => {
  const operator = await world.newOperator();
  const money = earning(world, () => operator);
  const made = await money.admin("POST", "/providers", { kind: "test", name: "Trial of the operator" });
  expect(made.status, made.text).toBe(201);
  const [house] = await world.db.sql<Json>("select id from clients where partner_id = $1 and house", [partner.partner_id]);
  const step = fc.tuple(
    fc.constantFrom("begin", "card", "look", "refund", "dispute", "callBack", "record"),
    fc.nat({ max: 1_000 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: sized(25, 60) }), async (steps) => {
      const client = await world.newClient(partner);
      const fields = { account_id: house.id, amount_cents: TOTAL, partial: {}, charge: { client_id: client.id } };
      const link = await billingOf(world).newLink(partner, fields);
      for (const [name, which] of steps) {
        await STEPS[name]?.(link, which).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
        });
        await checkLink(link.id, house.id);
      }
      expect(await brokenBooks(world.db.sql)).toEqual([]);
    }),
    { numRuns: sized(3, 60) },
  );
});

describe("at the same time", () => {
  const PAYERS = 200;

  test(`${PAYERS} payers of one link never pay more than is due, however often the provider tells of it`, async () => {
    const client = await world.newClient(partner);
    const link = await billingOf(world).newLink(partner, { account_id: client.id, amount_cents: TOTAL, partial: {} });
    const form = () => ({ nonce: randomToken(), amount_cents: 90, tip_cents: 0, payer: NOBODY });
    await Promise.all(Array.from({ length: PAYERS }, () => beginAttempt(ctx, link.id, form())));
    const attempts = await attemptsOf(link.id);
    expect(attempts).toHaveLength(11);
    await Promise.all(attempts.map((attempt: Json) => takeTestCard(attempt, CARDS[0] as string, net())));
    await Promise.all([1, 2, 3, 4, 5].flatMap(() => attempts.map(({ id }: Json) => lookAt(ctx, id))));
    expect(await paymentsOf(link.id)).toHaveLength(11);
    await checkLink(link.id, client.id);
  });

  test("clicks of one form make one attempt, and refunds return no more than was paid", async () => {
    const client = await world.newClient(partner);
    const link = await billingOf(world).newLink(partner, { account_id: client.id, amount_cents: TOTAL });
    const form = { nonce: randomToken(), amount_cents: TOTAL, tip_cents: 0, payer: NOBODY };
    await Promise.all(Array.from({ length: 10 }, () => beginAttempt(ctx, link.id, form)));
    const [attempt, ...others] = await attemptsOf(link.id);
    expect(others).toEqual([]);
    await takeTestCard(attempt, CARDS[0] as string, net());
    await lookAt(ctx, attempt.id);
    const [payment] = await paymentsOf(link.id);
    await Promise.allSettled(
      Array.from({ length: 10 }, () => refundPayment(ctx, payment.id, { amount_cents: 300, reason: "Sorry" })),
    );
    expect(Number((await paymentsOf(link.id))[0].refunded_cents)).toBe(900);
    await checkLink(link.id, client.id);
  });
});
