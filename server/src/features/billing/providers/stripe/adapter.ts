import type Stripe from "stripe";
import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import type { Adapter, Asked, Check, Disputed, RefundCall, RefundOutcome, Returned, Started } from "../adapter.ts";
import { disputeStatus, fromStripe, toStripe } from "./model.ts";
import {
  type Config,
  clientOf,
  failureText,
  isPassing,
  outcomeOf,
  readEvent,
  type Secrets,
  type StripeProvider,
} from "./wire.ts";

/** Stripe ends a session 30 minutes after it was created at the earliest; the rest is the time to create it. */
const ENDS_AFTER_S = 35 * 60;
const NAME_MAX = 250;
const LIST_MAX = 100;
const EXPANDED = { expand: ["payment_intent.latest_charge"] };

/** Payments on the pages of Stripe. Everything is made under an id of ours, so that a repeated call makes nothing twice. */
export const stripe: Adapter<Config, Secrets> = {
  config: Type.Object({ base_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })) }, closed),
  secrets: Type.Object(
    {
      secret_key: Type.String({ pattern: "^(sk|rk)_(test|live)_[0-9A-Za-z_]{8,250}$" }),
      webhook_secret: Type.Optional(Type.String({ pattern: "^whsec_[0-9A-Za-z+/=_-]{8,250}$" })),
    },
    closed,
  ),
  live: ({ secret_key = "" }) => /^.k_live_/.test(secret_key),
  check,
  online: {
    supports: (amount_cents, currency) => toStripe(amount_cents, currency) !== null,
    start,
    look: (provider, { provider_ref }) => looked(provider, provider_ref),
    async expire(provider, { provider_ref }) {
      const client = await clientOf(provider);
      // One that is complete or has ended cannot be ended: then it is looked at.
      await client.checkout.sessions.expire(provider_ref).catch(() => null);
      const outcome = await looked(provider, provider_ref);
      return outcome?.state === "pending" ? null : outcome;
    },
    refund,
    async refunds(provider, { payment_ref, currency }) {
      const client = await clientOf(provider);
      const found = await client.refunds.list({ payment_intent: payment_ref, limit: LIST_MAX }).catch(ifPassing);
      return found?.data.map((made) => returned(made, currency)) ?? null;
    },
    async disputes(provider, { payment_ref, currency }) {
      const client = await clientOf(provider);
      const found = await client.disputes.list({ payment_intent: payment_ref, limit: LIST_MAX }).catch(ifPassing);
      return found?.data.map((dispute) => disputed(dispute, currency)) ?? null;
    },
  },
  hooks: {
    verify: readEvent,
    async referenceOf(provider, payment_ref) {
      const client = await clientOf(provider);
      return (await client.paymentIntents.retrieve(payment_ref)).metadata.reference ?? null;
    },
  },
};

const ifPassing = (error: unknown): null => {
  if (isPassing(error)) return null;
  throw error;
};

async function check(provider: StripeProvider): Promise<Check> {
  try {
    const client = await clientOf(provider);
    await client.checkout.sessions.list({ limit: 1 });
    const { webhook_secret } = provider.secrets;
    if (webhook_secret !== undefined) return { ok: true, code: null, detail: "Stripe accepts the key." };
    const detail = "Stripe accepts the key. Add webhook_secret: without it, refunds and disputes at Stripe are not seen.";
    return { ok: true, code: "webhook_secret_missing", detail };
  } catch (error) {
    const { code, type, message } = error as { code?: string; type?: string; message?: string };
    return { ok: false, code: code ?? type ?? "unknown", detail: message ?? "Stripe could not be reached." };
  }
}

async function start(provider: StripeProvider, asked: Asked): Promise<Started> {
  const { id, currency, description, return_url, language } = asked;
  const unit_amount = toStripe(asked.amount_cents, currency);
  if (unit_amount === null) return { failure: "The amount is not supported.", passing: false };
  const reference = `${asked.partner_id}.${id}`;
  try {
    const client = await clientOf(provider);
    const product_data = { name: description.slice(0, NAME_MAX) };
    const session = await client.checkout.sessions.create(
      {
        mode: "payment",
        line_items: [{ quantity: 1, price_data: { currency, unit_amount, product_data } }],
        client_reference_id: reference,
        payment_intent_data: { metadata: { reference } },
        success_url: return_url,
        cancel_url: return_url,
        ...(language !== null && { locale: language }),
        expires_at: Math.floor(asked.created_at.getTime() / 1000) + ENDS_AFTER_S,
      },
      { idempotencyKey: id },
    );
    if (session.url === null) return { failure: "The payment provider has no page for the payment.", passing: false };
    return { redirect: session.url, provider_ref: session.id };
  } catch (error) {
    return { failure: failureText(error), passing: isPassing(error) };
  }
}

async function looked(provider: StripeProvider, provider_ref: string) {
  const client = await clientOf(provider);
  const session = await client.checkout.sessions.retrieve(provider_ref, EXPANDED).catch(() => null);
  return session === null ? null : outcomeOf(session);
}

/** Looks for the refund first: the key of a call is forgotten after a day, and money must not go back twice. */
async function refund(provider: StripeProvider, { id, payment_ref, amount_cents, currency }: RefundCall): Promise<RefundOutcome> {
  const amount = toStripe(amount_cents, currency);
  if (amount === null) return { status: "failed", failure: "The amount is not supported." };
  try {
    const client = await clientOf(provider);
    const { data } = await client.refunds.list({ payment_intent: payment_ref, limit: LIST_MAX });
    const known = data.find(({ metadata }) => metadata?.refund === id);
    const asked = { payment_intent: payment_ref, amount, metadata: { refund: id } };
    return refunded(known ?? (await client.refunds.create(asked, { idempotencyKey: id })));
  } catch (error) {
    return isPassing(error) ? { status: "pending" } : { status: "failed", failure: failureText(error) };
  }
}

function refunded({ id, status, failure_reason }: Stripe.Refund): RefundOutcome {
  if (status === "succeeded") return { status, provider_ref: id };
  if (status === "failed" || status === "canceled")
    return { status: "failed", failure: `The payment provider could not return the money (${failure_reason ?? status}).` };
  return { status: "pending" };
}

function returned(made: Stripe.Refund, currency: string): Returned {
  const { id: provider_ref, amount, metadata } = made;
  const refund_id = metadata?.refund ?? null;
  return { provider_ref, refund_id, amount_cents: fromStripe(amount, currency), outcome: refunded(made) };
}

function disputed({ id, amount, reason, status }: Stripe.Dispute, currency: string): Disputed {
  return { provider_ref: id, amount_cents: fromStripe(amount, currency), reason, status: disputeStatus(status) };
}
