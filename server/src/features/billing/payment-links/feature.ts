import type { Feature } from "../../../platform/feature.ts";
import { linkJobs } from "./jobs.ts";
import { linkRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "billing/payment-links",
  uses: [
    "accounts/clients",
    "accounts/custom-fields",
    "crm/contacts",
    "inbox/channels",
    "inbox/conversations",
    "billing/providers",
  ],
  reads: ["accounts/clients", "crm/contacts", "crm/deals", "inbox/conversations"],
  tags: { payment_links: "Requests for money, each with a page where the customer pays" },
  general_routes: linkRoutes,
  jobs: linkJobs,
};
