import type { Feature } from "../../../platform/feature.ts";
import { commissionJobs } from "./jobs.ts";

export const feature: Feature = {
  name: "money/commissions",
  uses: ["programme/rules", "money/ledger"],
  reads: ["accounts/clients"],
  jobs: commissionJobs,
};
