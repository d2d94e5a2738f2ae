import { insertDue } from "./features/accounts/pipelines/index.ts";
import { stagesInUse, updateClientClaims } from "./features/crm/deals/index.ts";
import { eraseFailedRows } from "./features/crm/imports/index.ts";
import { leadsOf } from "./features/crm/leads/index.ts";
import { fanOut } from "./features/outbox/webhooks/index.ts";
import type { Services } from "./platform/record/context.ts";

/** The hooks: calls against the declared order of layers and features. The same in every process. */
export const WIRING: Pick<Services, "fanOut" | "hooks"> = {
  fanOut,
  hooks: { furnish: insertDue, updateClientClaims, stagesInUse, leadsOf, eraseFailedRows },
};
