import type { Database } from "../../../platform/db/database.ts";
import type { TSchema } from "../../../platform/http/type.ts";

export const PROVIDER_KINDS = ["test", "manual", "stripe"] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** A provider that payments can start with. The operator's have the partner `operator`. */
export type UsableProvider = {
  partner_id: string;
  id: string;
  account_id: string | null;
  kind: ProviderKind;
  config: object;
  /** Whether real money moves. */
  live: boolean;
};

/** A provider with its secrets, as adapters need it. */
export type OpenProvider<C = object, S = object> = UsableProvider & { config: C; secrets: S };

/** An attempt that is asked for: its id is the idempotency key of everything that is done for it. */
export type Asked = {
  partner_id: string;
  id: string;
  /** With the tip. */
  amount_cents: number;
  currency: string;
  description: string;
  /** The address of the pay page. */
  pay_url: string;
  /** Where the payer comes back to. */
  return_url: string;
  /** What the payer reads; null if nobody knows. */
  language: string | null;
  created_at: Date;
};

/** An attempt that the provider knows, by the provider's own reference. */
export type Known = { partner_id: string; id: string; provider_ref: string };

/** What the provider says of an attempt. `ref` names the payment itself, which refunds refer to. */
export type Outcome =
  | { state: "pending" | "processing" }
  | { state: "succeeded"; ref: string; method: string; method_hint: string | null }
  | { state: "failed" | "cancelled" | "expired"; failure: string };

/** `passing`: nobody knows whether the provider has it, so the same call is made again. */
export type Started = { redirect: string; provider_ref: string } | { failure: string; passing: boolean };

export type RefundCall = { partner_id: string; id: string; payment_ref: string; amount_cents: number; currency: string };
export type RefundOutcome =
  | { status: "pending" }
  | { status: "succeeded"; provider_ref: string | null }
  | { status: "failed"; failure: string };

/** A refund as the provider knows it: asked for under an id of ours, or made at the provider. */
export type Returned = { provider_ref: string; refund_id: string | null; amount_cents: number; outcome: RefundOutcome };

/** A dispute of a payment, by the provider's own reference. */
export type Disputed = { provider_ref: string; amount_cents: number; reason: string; status: "open" | "won" | "lost" };

/** A payment that the provider has received, by its own reference. */
export type Paid = { partner_id: string; attempt_id: string; payment_ref: string; amount_cents: number; currency: string };

/** A request of a provider, as it came. */
export type RawRequest = { headers: Readonly<Record<string, string>>; body: Buffer };

/** What a provider tells: that something happened to an attempt, or to the payment that it became. What it is now, is asked. */
export type ProviderEvent = {
  id: string;
  type: string;
  about: "attempt" | "refund" | "dispute" | null;
  /** Names the attempt: `<partner id>.<attempt id>`. */
  reference: string | null;
  payment_ref: string | null;
};

/** The outcome of a test: whether the provider accepts the secrets, and what it says. */
export type Check = { ok: boolean; code: string | null; detail: string };

/** What adapters reach the world by. The test provider keeps what it knows in the database. */
export type Net = { db: Database; now(): Date };

/** How payers pay online. Every call can be repeated: it does its work once and says the same again. */
export type Online<P = OpenProvider> = {
  /** Whether the provider can take, or return, exactly this amount. */
  supports(amount_cents: number, currency: string): boolean;
  start(provider: P, asked: Asked, net: Net): Promise<Started>;
  /** What became of an attempt; null if the provider could not be asked. */
  look(provider: P, attempt: Known, net: Net): Promise<Outcome | null>;
  /** Ends an attempt that was not paid yet: after this it can no longer succeed, unless the outcome says that it has. */
  expire(provider: P, attempt: Known, net: Net): Promise<Outcome | null>;
  refund(provider: P, refund: RefundCall, net: Net): Promise<RefundOutcome>;
  /** The refunds of a payment; null if the provider could not be asked. */
  refunds(provider: P, payment: Pick<Paid, "payment_ref" | "currency">, net: Net): Promise<Returned[] | null>;
  /** The disputes of a payment; null if the provider could not be asked. */
  disputes(provider: P, payment: Paid, net: Net): Promise<Disputed[] | null>;
};

/** How a provider tells us that something happened. */
export type Hooks<P = OpenProvider> = {
  /** What a request says; null unless the provider has signed it. */
  verify(provider: P, request: RawRequest, now: Date): Promise<ProviderEvent | null>;
  /** The attempt that a payment came from, as `<partner id>.<attempt id>`; null if it is none of ours. */
  referenceOf(provider: P, payment_ref: string): Promise<string | null>;
};

export type Adapter<C = object, S = object> = {
  config: TSchema;
  /** Every member is a text that is never shown; null for a kind without any. */
  secrets: TSchema | null;
  /** Whether real money moves. */
  live(secrets: S): boolean;
  online: Online<OpenProvider<C, S>> | null;
  hooks: Hooks<OpenProvider<C, S>> | null;
  check?(provider: OpenProvider<C, S>): Promise<Check>;
};
