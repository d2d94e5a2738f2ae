import type { PlanCreate } from "../accounts/plans/index.ts";
import type { DemoClient } from "./demo.ts";
import { client } from "./demo.ts";

export const DEMO_PLANS: PlanCreate[] = [
  { name: "Starter", prices: { usd: 9_900, eur: 8_900 } },
  { name: "Growth", prices: { usd: 49_900, eur: 44_900 } },
  { name: "Scale", prices: { usd: 129_000, eur: 119_000 } },
];

/** The clients of the sub-partner, all won by sales. The partner above earns overrides by them. */
export const DEMO_SUB_CLIENTS: DemoClient[] = [
  client("Nordlys Yoga", "Ingrid Moe", "Starter", 8_900, 142, []),
  client("Skagen Seafood", "Mads Juhl", "Growth", 44_900, 103, []),
  client("Viken Cycles", "Sunniva Dahl", "Growth", 44_900, 47, []),
];

/** Clients pay a month at a time, from the day after they were won. */
const EVERY_DAYS = 30;

/** What clients paid that was not their monthly price: a discount on the first month, which settles the first commission for less. */
const OTHER_AMOUNTS: Record<string, number> = { "INV-stone-sons-roofing-1": 44_910, "INV-skagen-seafood-1": 35_920 };

export type DemoCharge = { days_ago: number; external_id: string; amount_cents: number };

export function demoCharges({ company, mrr_cents, days_ago }: DemoClient): DemoCharge[] {
  const count = Math.floor((days_ago - 1) / EVERY_DAYS) + 1;
  return Array.from({ length: count }, (_, month) => {
    const external_id = `INV-${company.toLowerCase().replaceAll(/[^a-z]+/g, "-")}-${month + 1}`;
    return { days_ago: days_ago - 1 - month * EVERY_DAYS, external_id, amount_cents: OTHER_AMOUNTS[external_id] ?? mrr_cents };
  });
}

export const DEMO_REFUND = {
  days_ago: 33,
  external_id: "CN-stone-sons-roofing-1",
  company: "Stone & Sons Roofing",
  charge_external_id: "INV-stone-sons-roofing-4",
  amount_cents: 24_950,
  reason: "Half a month without service",
};

/** The commission of this charge is held. */
export const DEMO_HOLD = { days_ago: 4, charge_external_id: "INV-kite-anchor-3", reason: "Invoice disputed" };

export const DEMO_ADJUSTMENT = {
  days_ago: 20,
  amount_cents: 25_000,
  currency: "usd",
  reason_code: "bonus",
  reference: "ADJ-autumn-campaign",
  description: "Bonus for the autumn campaign",
} as const;

export const DEMO_CERTIFICATION = {
  name: "Certified Implementer",
  description: "Sets up accounts of clients without help",
  valid_days: 365,
};
/** When the demo partner passed it. */
export const DEMO_CERTIFIED_DAYS_AGO = 110;
