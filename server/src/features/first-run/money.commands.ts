import type { Context } from "../../platform/record/context.ts";
import { createPlan } from "../accounts/plans/index.ts";
import { recordCharges, recordRefund } from "../money/charges/index.ts";
import { adjust, approveDue, commissionsOfCharge, hold } from "../money/commissions/index.ts";
import { grantCertification } from "../money/standing/index.ts";
import { createCertification } from "../programme/tiers/index.ts";
import type { Actor, DemoClient, Step } from "./demo.ts";
import { DEMO_PARTNER_DAYS, DEMO_SUB_PARTNER_DAYS } from "./demo.ts";
import {
  DEMO_ADJUSTMENT,
  DEMO_CERTIFICATION,
  DEMO_CERTIFIED_DAYS_AGO,
  DEMO_HOLD,
  DEMO_PLANS,
  DEMO_REFUND,
  demoCharges,
} from "./money.demo.ts";

/** Clients by their company, known once they are created. */
type Clients = ReadonlyMap<string, string>;

/** What clients that were won by a sale paid since, and the commissions of it. Ids of charges are kept by their external id. */
export function chargeSteps(
  by: Actor,
  demo: DemoClient,
  currency: string,
  clients: Clients,
  charges: Map<string, string>,
): Step[] {
  return demoCharges(demo).map(({ days_ago, external_id, amount_cents }) => ({
    days_ago,
    by,
    act: (ctx) =>
      ctx.tx(async (tx) => {
        const client_id = clients.get(demo.company) ?? "";
        const report = { client_id, external_id, amount_cents, currency, months: 1, plan: demo.plan, charged_at: tx.now };
        const [recorded] = await recordCharges(ctx, tx, [report], "operator");
        if (recorded === undefined || !("charge" in recorded)) throw recorded ?? new Error("a report has a result");
        charges.set(external_id, recorded.charge.id);
      }),
  }));
}

/** The catalogue of the programme, before its first partner. */
export function catalogueSteps(partner_id: string): Step[] {
  let certification_id = "";
  return [
    ...DEMO_PLANS.map((plan) => ({
      days_ago: DEMO_PARTNER_DAYS,
      by: "operator" as const,
      act: (ctx: Context) => createPlan(ctx, plan),
    })),
    {
      days_ago: DEMO_PARTNER_DAYS,
      by: "operator",
      async act(ctx) {
        ({ id: certification_id } = await createCertification(ctx, DEMO_CERTIFICATION));
      },
    },
    {
      days_ago: DEMO_CERTIFIED_DAYS_AGO,
      act: (ctx) => grantCertification(ctx, partner_id, { certification_id }),
    },
  ];
}

/** What else happens to commissions: a refund, a hold, an adjustment, and their approval. */
export function bookSteps(partner_id: string, clients: Clients, charges: ReadonlyMap<string, string>): Step[] {
  const { days_ago: refunded, company, ...refund } = DEMO_REFUND;
  const { days_ago: adjusted, ...adjustment } = DEMO_ADJUSTMENT;
  return [
    ...approvalSteps("partner", DEMO_PARTNER_DAYS),
    ...approvalSteps("sub_partner", DEMO_SUB_PARTNER_DAYS),
    {
      days_ago: refunded,
      act: (ctx) =>
        ctx.tx((tx) => recordRefund(ctx, tx, { ...refund, client_id: clients.get(company) ?? "", refunded_at: null })),
    },
    { days_ago: adjusted, act: (ctx) => adjust(ctx, partner_id, adjustment) },
    {
      days_ago: DEMO_HOLD.days_ago,
      async act(ctx) {
        const charge_id = charges.get(DEMO_HOLD.charge_external_id) ?? "";
        const [commission] = JSON.parse(await ctx.tx((tx) => commissionsOfCharge(tx, partner_id, charge_id)));
        await hold(ctx, commission.id, DEMO_HOLD.reason);
      },
    },
  ];
}

const APPROVED_EVERY_DAYS = 15;

/** The job that approves commissions whose hold is over, seldom enough to be quick and often enough to tell a story. */
function approvalSteps(by: Actor, days: number): Step[] {
  return Array.from({ length: Math.floor(days / APPROVED_EVERY_DAYS) }, (_, run) => ({
    days_ago: run * APPROVED_EVERY_DAYS,
    by,
    act: (ctx: Context) => approveDue(ctx, ctx.scope.partner_id, ctx.clock.now()),
  }));
}
