import type { Feature } from "../../../platform/feature.ts";

export const feature: Feature = {
  name: "crm/records",
  uses: ["accounts/clients", "accounts/custom-fields"],
  reads: [],
};
