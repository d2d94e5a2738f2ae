import type { Feature } from "../../../platform/feature.ts";
import { payoutHoldRoutes } from "./hold.routes.ts";
import { payoutJobs } from "./jobs.ts";
import { payoutMethodMails } from "./methods/mail.commands.ts";
import { payoutMethodAdminRoutes, payoutMethodRoutes } from "./methods/routes.ts";
import { payoutAdminRoutes } from "./operator.routes.ts";
import { payoutRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "money/payouts",
  uses: [
    "accounts/clients",
    "programme/users",
    "programme/tiers",
    "programme/partners",
    "money/ledger",
    "money/commissions",
    "money/charges",
  ],
  reads: ["accounts/clients", "money/ledger", "money/commissions", "money/charges"],
  tags: {
    payouts: "What the partner is paid",
    payout_method: "Where the partner is paid",
    payout_runs: "Payouts of all partners, by run",
    payout_exports: "Files for the bank",
    operator_payouts: "Payouts of all partners, one by one",
    operator_payout_method: "Where partners are paid, for the operator",
    payout_hold: "Payouts that the operator holds",
  },
  partner_routes: [...payoutRoutes, ...payoutMethodRoutes],
  operator_routes: [...payoutAdminRoutes, ...payoutMethodAdminRoutes, ...payoutHoldRoutes],
  mails: payoutMethodMails,
  jobs: payoutJobs,
};
