import type { Feature } from "../../../platform/feature.ts";
import { paymentJobs } from "./jobs.ts";
import { paymentRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "billing/payments",
  uses: [
    "accounts/clients",
    "accounts/custom-fields",
    "money/charges",
    "crm/contacts",
    "crm/deals",
    "inbox/conversations",
    "billing/providers",
    "billing/payment-links",
  ],
  reads: ["crm/leads", "billing/payment-links"],
  tags: {
    payments: "Money that was received, its refunds and receipts",
    payment_disputes: "Payments that payers have had their banks call back",
  },
  general_routes: paymentRoutes,
  jobs: paymentJobs,
};
