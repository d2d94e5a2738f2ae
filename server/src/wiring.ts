import { eraseRuns } from "./features/agents/sandbox/index.ts";
import { eraseSessions, received } from "./features/agents/sessions/index.ts";
import { eraseTests, passSuite } from "./features/agents/suites/index.ts";
import { eraseCustomers, hasLinks } from "./features/billing/payment-links/index.ts";
import { erasePayers, paymentsOf } from "./features/billing/payments/index.ts";
import { stagesEverUsed, stagesInUse, updateClientClaims } from "./features/crm/deals/index.ts";
import { eraseFailedRows } from "./features/crm/imports/index.ts";
import { leadsOf } from "./features/crm/leads/index.ts";
import { contactInUse, eraseConversations, eraseJoined, messagesOf } from "./features/inbox/conversations/index.ts";
import { fanOut } from "./features/outbox/webhooks/index.ts";
import { admitKey, admitKeyWork } from "./features/programme/keys/index.ts";
import { admitPerson, admitUserWork, endAccess } from "./features/programme/sessions/index.ts";
import { checkDefaults } from "./features/snapshots/catalogue/index.ts";
import { furnish, installedRecords } from "./features/snapshots/deployments/index.ts";
import { isId } from "./kernel/ids.ts";
import { isPerson } from "./kernel/principal.ts";
import type { Services } from "./platform/record/context.ts";

/** The hooks: calls against the declared order of layers and features. The same in every process. */
export const WIRING: Pick<Services, "admitWriter" | "admitWork" | "fanOut" | "hooks"> = {
  admitWriter: (tx, caller, now, claim) =>
    isPerson(caller) ? admitPerson(tx, caller, now, claim) : admitKey(tx, caller, now, claim),
  admitWork: (tx, work, now) => (isId("user", work.by) ? admitUserWork(tx, work) : admitKeyWork(tx, work, now)),
  fanOut,
  hooks: {
    furnish,
    updateClientClaims,
    stagesInUse,
    stagesEverUsed,
    leadsOf,
    eraseFailedRows,
    async erased(...call) {
      const [db, partner_id, record_ids] = call;
      await eraseTests(...call);
      await eraseRuns(db, partner_id, record_ids);
      // Locks the conversations that the sessions are about.
      await eraseConversations(...call);
      await eraseJoined(...call);
      await eraseSessions(...call);
      await eraseCustomers(...call);
      await erasePayers(...call);
    },
    contactInUse: async (...call) => (await contactInUse(...call)) || hasLinks(...call),
    messagesOf,
    paymentsOf,
    received,
    passSuite,
    checkDefaults,
    installedRecords,
    endAccess,
  },
};
