import { addDefaultPipeline } from "./features/accounts/pipelines/index.ts";
import { stagesInUse, updateClientClaims } from "./features/crm/deals/index.ts";
import { leadsOf } from "./features/crm/leads/index.ts";
import { fanOut } from "./features/outbox/webhooks/index.ts";
import type { Services } from "./platform/record/context.ts";

/** What is called against the order of the layers and features, the same in every process. */
export const WIRING: Pick<Services, "fanOut" | "hooks"> = {
  fanOut,
  hooks: { furnish: addDefaultPipeline, updateClientClaims, stagesInUse, leadsOf },
};
