import type { Feature } from "../../../platform/feature.ts";

export const feature: Feature = {
  name: "money/payouts",
  uses: [],
  reads: [],
};
