import type Stripe from "stripe";
import type { OpenProvider, Outcome, ProviderEvent } from "../adapter.ts";

export type Config = { base_url?: string };
export type Secrets = { secret_key?: string; webhook_secret?: string };
export type StripeProvider = OpenProvider<Config, Secrets>;

/** Secrets that were sealed under another key are missing: Stripe then refuses every call, and nothing here breaks. */
const NO_KEY = "sk_missing";
const TIMEOUT_MS = 10_000;
/** Seconds between the signature of an event and its arrival. */
const TOLERANCE_S = 300;

/** Stripe's own library, loaded by the first payment. It repeats a call whose answer was lost once, under the same key. */
export async function clientOf({ config, secrets }: StripeProvider): Promise<Stripe> {
  const { secret_key = NO_KEY } = secrets;
  const { default: Library } = await import("stripe");
  const common = { timeout: TIMEOUT_MS, maxNetworkRetries: 1, telemetry: false };
  if (config.base_url === undefined) return new Library(secret_key, common);
  const { hostname, port, protocol } = new URL(config.base_url);
  const at = { host: hostname, protocol: protocol === "http:" ? ("http" as const) : ("https" as const) };
  return new Library(secret_key, { ...common, ...at, ...(port === "" ? {} : { port }) });
}

type Failure = { statusCode?: number; code?: string; type?: string; message?: string };

/** Whether nobody knows what became of a call, or it may succeed later: the same call is made again. */
export function isPassing(error: unknown): boolean {
  const { statusCode } = error as Failure;
  return statusCode === undefined || statusCode >= 500 || statusCode === 429 || statusCode === 409;
}

/** What a payer may read of an error: of a card what Stripe says, of anything else only its name. */
export function failureText(error: unknown): string {
  const { type, code, message } = error as Failure;
  if (type === "StripeCardError" && message !== undefined) return message;
  return `The payment provider refused the payment (${code ?? type ?? "unknown"}).`;
}

/** What a session says of its attempt; it was read with the charge of its payment. */
export function outcomeOf(session: Stripe.Checkout.Session): Outcome {
  const intent = typeof session.payment_intent === "object" ? session.payment_intent : null;
  if (session.status === "expired") return { state: "expired", failure: "The payment was not completed." };
  if (session.status !== "complete") return { state: "pending" };
  if (session.payment_status === "paid" && intent !== null) {
    const charge = typeof intent.latest_charge === "object" ? intent.latest_charge : null;
    const { type = "card", card } = charge?.payment_method_details ?? {};
    return { state: "succeeded", ref: intent.id, method: type, method_hint: card?.last4 ?? null };
  }
  // A direct debit, for example, fails days after the session is complete.
  const failed = intent?.status === "requires_payment_method" || intent?.status === "canceled";
  if (failed) return { state: "failed", failure: intent.last_payment_error?.message ?? "The payment failed." };
  return { state: "processing" };
}

type Told = { client_reference_id?: string | null; payment_intent?: string | { id: string } | null };

function refOf({ payment_intent = null }: Told): string | null {
  return typeof payment_intent === "string" || payment_intent === null ? payment_intent : payment_intent.id;
}

const ABOUT: readonly [prefix: string, about: NonNullable<ProviderEvent["about"]>][] = [
  ["checkout.session.", "attempt"],
  ["refund.", "refund"],
  ["charge.dispute.", "dispute"],
];

/** What a signed request says; null without Stripe's signature. */
export async function readEvent(
  provider: StripeProvider,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: Buffer },
  now: Date,
): Promise<ProviderEvent | null> {
  const { webhook_secret } = provider.secrets;
  const signature = headers["stripe-signature"];
  if (webhook_secret === undefined || signature === undefined) return null;
  const { webhooks } = (await import("stripe")).default;
  try {
    const event = webhooks.constructEvent(body, signature, webhook_secret, TOLERANCE_S, undefined, now.getTime());
    const object = event.data.object as Told;
    const about = ABOUT.find(([prefix]) => event.type.startsWith(prefix))?.[1] ?? null;
    return { id: event.id, type: event.type, about, reference: object.client_reference_id ?? null, payment_ref: refOf(object) };
  } catch {
    return null;
  }
}
