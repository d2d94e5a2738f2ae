import type { Feature } from "../../../platform/feature.ts";

export const feature: Feature = {
  name: "money/standing",
  uses: ["accounts/clients", "programme/operators", "programme/tiers", "programme/partners", "money/commissions"],
  reads: [],
};
