import type { Feature } from "../../../platform/feature.ts";

export const feature: Feature = {
  name: "money/charges",
  uses: ["accounts/clients", "money/ledger", "money/commissions"],
  reads: [],
};
