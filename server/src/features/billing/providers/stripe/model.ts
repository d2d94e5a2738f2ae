import { minorDigits } from "../../../../kernel/money.ts";

/** Stripe counts these in hundredths, although they have no minor unit. */
const IN_HUNDREDTHS: ReadonlySet<string> = new Set(["isk", "ugx"]);
/** Stripe counts these in whole units, although they have a minor unit. */
const IN_UNITS: ReadonlySet<string> = new Set(["mga"]);

/** An amount as Stripe counts it; null where it cannot have exactly this one. */
export function toStripe(amount_cents: number, currency: string): number | null {
  if (IN_HUNDREDTHS.has(currency)) return amount_cents * 100;
  if (IN_UNITS.has(currency)) return amount_cents % 100 === 0 ? amount_cents / 100 : null;
  // Of three decimals, Stripe takes two.
  return minorDigits(currency) === 3 && amount_cents % 10 !== 0 ? null : amount_cents;
}

/** An amount of Stripe in minor units. */
export function fromStripe(amount: number, currency: string): number {
  if (IN_HUNDREDTHS.has(currency)) return Math.round(amount / 100);
  return IN_UNITS.has(currency) ? amount * 100 : amount;
}

/** The names of Stripe's states of a dispute that are an end. An inquiry that is closed has cost nothing. */
const DECIDED: Readonly<Record<string, "won" | "lost">> = { won: "won", warning_closed: "won", prevented: "won", lost: "lost" };

export function disputeStatus(status: string): "open" | "won" | "lost" {
  return DECIDED[status] ?? "open";
}
