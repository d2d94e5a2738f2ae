import { randomToken } from "../../platform/http/public-tokens.ts";
import type { Context, Services } from "../../platform/record/context.ts";
import { createLink, moveLink, noteExpiries, type PaymentLink } from "../billing/payment-links/index.ts";
import { beginAttempt, lookAt, netOf, paymentOfAttemptOrNull, recordByHand, refundPayment } from "../billing/payments/index.ts";
import { createProvider, takeTestCard } from "../billing/providers/index.ts";
import { DEMO_BILLING, DEMO_PAYMENT_LINKS, type DemoPayment } from "./billing.demo.ts";
import { DEMO_CONTACTS_OF_CLIENT, demoContact } from "./contacts.demo.ts";
import { daysBefore, type Step } from "./demo.ts";

/** A link as far as it has come. */
type Made = { link: PaymentLink; payment_id: string | null };

/** A test provider of a demo client, and payment links in each state. */
export function billingSteps(clients: ReadonlyMap<string, string>): Step[] {
  const { company, provider, opened_days_ago } = DEMO_BILLING;
  const account_id = () => clients.get(company) ?? "";
  const links = DEMO_PAYMENT_LINKS.flatMap(({ contact, days_ago, days_open, fields, path }): Step[] => {
    const { name, phone, email } = demoContact(contact);
    let made: Made | null = null;
    return [
      {
        days_ago,
        async act(ctx) {
          const expires_at = daysBefore(ctx.clock.now(), -days_open).toISOString();
          const known = contact < DEMO_CONTACTS_OF_CLIENT ? { phone } : {};
          const customer = { name, ...known, ...(email == null ? {} : { email }) };
          const link = await createLink(ctx, { ...fields, account_id: account_id(), currency: "usd", customer, expires_at });
          made = { link, payment_id: null };
        },
      },
      ...path.map((turn) => ({
        days_ago: days_ago - turn.day,
        async act(ctx: Context) {
          if (made === null) throw new Error("the link was made before");
          made = { ...made, payment_id: (await take(ctx, made, turn)) ?? made.payment_id };
        },
      })),
      // As the job does it every minute.
      ...(days_open < days_ago
        ? [{ days_ago: days_ago - days_open, act: (_: Context, services: Services) => noteExpiries(services) }]
        : []),
    ];
  });
  const opened: Step = {
    days_ago: opened_days_ago,
    act: async (ctx) => void (await createProvider(ctx, { ...provider, account_id: account_id() })),
  };
  return [opened, ...links];
}

/** What happens to a link. Returns the id of the payment, if it is one. */
async function take(ctx: Context, { link, payment_id }: Made, turn: DemoPayment): Promise<string | null> {
  if ("is" in turn) await moveLink(ctx, link.id, turn.is);
  else if ("refund_cents" in turn)
    await refundPayment(ctx, payment_id ?? "", { amount_cents: turn.refund_cents, reason: turn.reason });
  else if ("method" in turn) {
    const { amount_cents, method } = turn;
    return (await recordByHand(ctx, link.id, { amount_cents, method })).id;
  } else return payByCard(ctx, link, turn);
  return null;
}

async function payByCard(
  ctx: Context,
  { id, customer: { name, email } }: PaymentLink,
  { amount_cents, tip_cents = 0, card }: { amount_cents: number; tip_cents?: number; card: string },
): Promise<string | null> {
  const form = { nonce: randomToken(), amount_cents, tip_cents, payer: { name, email, answers: {} } };
  const begun = await beginAttempt(ctx, id, form);
  if ("refused" in begun) throw new Error(`the link cannot be paid: ${begun.refused}`);
  await takeTestCard(begun.attempt, card, netOf(ctx));
  await lookAt(ctx, begun.attempt.id);
  return (await paymentOfAttemptOrNull(ctx.db, ctx.scope.partner_id, begun.attempt.id))?.id ?? null;
}
