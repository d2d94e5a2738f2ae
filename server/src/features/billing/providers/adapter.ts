import type { Database } from "../../../platform/db/database.ts";
import type { TSchema } from "../../../platform/http/type.ts";

export const PROVIDER_KINDS = ["test", "manual"] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** A provider as adapters need it. */
export type OpenProvider = {
  partner_id: string;
  id: string;
  account_id: string | null;
  kind: ProviderKind;
  config: object;
};

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

/** What adapters reach the world by. The test provider keeps what it knows in the database. */
export type Net = { db: Database; now(): Date };

/** How payers pay online. Every call can be repeated: it does its work once and says the same again. */
export type Online = {
  start(provider: OpenProvider, asked: Asked, net: Net): Promise<Started>;
  /** What became of an attempt; null if the provider could not be asked. */
  look(provider: OpenProvider, attempt: Known, net: Net): Promise<Outcome | null>;
  /** Ends an attempt that was not paid yet: after this it can no longer succeed, unless the outcome says that it has. */
  expire(provider: OpenProvider, attempt: Known, net: Net): Promise<Outcome | null>;
  refund(provider: OpenProvider, refund: RefundCall, net: Net): Promise<RefundOutcome>;
};

export type Adapter = {
  config: TSchema;
  /** Whether real money moves. */
  live: boolean;
  online: Online | null;
};
