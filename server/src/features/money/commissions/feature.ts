import type { Feature } from "../../../platform/feature.ts";

export const feature: Feature = {
  name: "money/commissions",
  uses: ["programme/operators", "programme/rules", "programme/tiers", "money/ledger"],
  reads: [],
};
