import { type Fault, fail } from "../../../kernel/errors.ts";
import { isCurrency } from "../../../kernel/money.ts";

export const PLAN_STATES = ["active", "archived", "legacy"] as const;

/** Refuses prices in what is no currency. */
export function checkPrices(prices: Record<string, number>): void {
  const faults: Fault[] = Object.keys(prices)
    .filter((code) => !isCurrency(code))
    .map((code) => ({
      in: "body",
      pointer: `#/prices/${code}`,
      code: "unknown_currency",
      detail: `prices.${code} must be named by a lower-case ISO 4217 code such as usd.`,
    }));
  if (faults.length > 0) fail("validation_failed", { faults });
}
