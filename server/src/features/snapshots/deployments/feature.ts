import type { Feature } from "../../../platform/feature.ts";

export const feature: Feature = {
  name: "snapshots/deployments",
  uses: ["accounts/configuring"],
  reads: [],
};
