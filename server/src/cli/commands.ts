import { testAgent } from "./agents.ts";
import { backup } from "./backup.ts";
import { listPaymentLinks, listPayments } from "./billing.ts";
import { importCharges, listCharges, recordCharge } from "./charges.ts";
import { createClient, listClients, reactivateClient, suspendClient } from "./clients.ts";
import { listCommissions, showBalances } from "./commissions.ts";
import { distribute } from "./distribute.ts";
import { doctor } from "./doctor.ts";
import { tailEvents } from "./events.ts";
import { importRecords } from "./imports.ts";
import { createKey, listKeys, revokeKey } from "./keys.ts";
import { verifyLedger } from "./ledger.ts";
import { migrate } from "./migrate.ts";
import { openapi } from "./openapi.ts";
import { createPartner, grantAccess, listPartners, showPartner } from "./partners.ts";
import { exportRun, listRuns, previewRun, reportOutcomes, startRun } from "./payout-runs.ts";
import { cancelPayout, failPayout, listPayouts, payPayout, retryPayout, showUpcoming } from "./payouts.ts";
import { createPlan, listPlans, updatePlan } from "./plans.ts";
import { showProgramme } from "./programme.ts";
import { cancelPurchase, completePurchase, listPurchases } from "./purchases.ts";
import { restore } from "./restore.ts";
import { listRules, showRule } from "./rules.ts";
import { serve } from "./serve.ts";
import type { Command } from "./shell/command.ts";
import { diffSnapshot, pullSnapshot, pushSnapshot } from "./snapshot-files.ts";
import { captureSnapshot, listSnapshots } from "./snapshots.ts";
import { status } from "./status.ts";
import { listTiers, showTier } from "./tiers.ts";
import { inviteUser, makeSignInLink, resetTotp } from "./users.ts";
import { listenForWebhooks } from "./webhooks.ts";

/** Every command, in the order of help and of docs/command-line.md. */
export const COMMANDS: readonly Command[] = [
  serve,
  migrate,
  status,
  doctor,
  backup,
  restore,
  distribute,
  createPartner,
  listPartners,
  showPartner,
  grantAccess,
  showProgramme,
  listPlans,
  createPlan,
  updatePlan,
  listRules,
  showRule,
  listTiers,
  showTier,
  inviteUser,
  makeSignInLink,
  resetTotp,
  createKey,
  listKeys,
  revokeKey,
  createClient,
  listClients,
  suspendClient,
  reactivateClient,
  captureSnapshot,
  listSnapshots,
  pullSnapshot,
  diffSnapshot,
  pushSnapshot,
  testAgent,
  recordCharge,
  importCharges,
  listCharges,
  listCommissions,
  showBalances,
  verifyLedger,
  showUpcoming,
  listPayouts,
  failPayout,
  retryPayout,
  cancelPayout,
  previewRun,
  startRun,
  listRuns,
  exportRun,
  reportOutcomes,
  payPayout,
  listPurchases,
  completePurchase,
  cancelPurchase,
  listPaymentLinks,
  listPayments,
  importRecords,
  tailEvents,
  listenForWebhooks,
  openapi,
];

/** The description of each group of commands. */
export const GROUPS: Record<string, string> = {
  partners: "Partners of the programme",
  programme: "Settings of the programme",
  plans: "Plans that partners sell",
  rules: "Commission rules",
  tiers: "Tiers of partners",
  users: "Users of a partner",
  keys: "API keys of partners and of the operator",
  clients: "Client accounts of a partner",
  snapshots: "Configuration of accounts, in versions",
  agents: "Agents that answer people",
  charges: "What clients paid",
  commissions: "Commissions of a partner",
  ledger: "The money of partners",
  payouts: "What partners are paid",
  purchases: "Snapshots that partners sell to each other",
  "payment-links": "What customers are asked to pay",
  payments: "What customers have paid",
  events: "Events of a partner",
  webhooks: "Webhook development",
};
