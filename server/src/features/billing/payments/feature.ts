import type { Feature } from "../../../platform/feature.ts";
import { paymentJobs } from "./jobs.ts";
import { paymentRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "billing/payments",
  uses: ["accounts/clients", "accounts/custom-fields", "crm/contacts", "billing/providers", "billing/payment-links"],
  reads: [],
  tags: { payments: "Money that was received, its refunds and receipts" },
  general_routes: paymentRoutes,
  jobs: paymentJobs,
};
