import { feature as clients } from "../features/accounts/clients/index.ts";
import { feature as configuring } from "../features/accounts/configuring/index.ts";
import { feature as customFields } from "../features/accounts/custom-fields/index.ts";
import { feature as pipelines } from "../features/accounts/pipelines/index.ts";
import { feature as plans } from "../features/accounts/plans/index.ts";
import { feature as tags } from "../features/accounts/tags/index.ts";
import { feature as templates } from "../features/accounts/templates/index.ts";
import { feature as views } from "../features/accounts/views/index.ts";
import { feature as agentDefinitions } from "../features/agents/definitions/index.ts";
import { feature as agentEngine } from "../features/agents/engine/index.ts";
import { feature as agentKnowledge } from "../features/agents/knowledge/index.ts";
import { feature as agentModels } from "../features/agents/models/index.ts";
import { feature as agentSandbox } from "../features/agents/sandbox/index.ts";
import { feature as agentSessions } from "../features/agents/sessions/index.ts";
import { feature as agentSuites } from "../features/agents/suites/index.ts";
import { feature as mcp } from "../features/assistants/mcp/index.ts";
import { feature as paymentLinks } from "../features/billing/payment-links/index.ts";
import { feature as payments } from "../features/billing/payments/index.ts";
import { feature as providers } from "../features/billing/providers/index.ts";
import { feature as contacts } from "../features/crm/contacts/index.ts";
import { feature as deals } from "../features/crm/deals/index.ts";
import { feature as imports } from "../features/crm/imports/index.ts";
import { feature as leads } from "../features/crm/leads/index.ts";
import { feature as metrics } from "../features/crm/metrics/index.ts";
import { feature as records } from "../features/crm/records/index.ts";
import { feature as timeline } from "../features/crm/timeline/index.ts";
import { feature as channels } from "../features/inbox/channels/index.ts";
import { feature as conversations } from "../features/inbox/conversations/index.ts";
import { feature as charges } from "../features/money/charges/index.ts";
import { feature as commissions } from "../features/money/commissions/index.ts";
import { feature as ledger } from "../features/money/ledger/index.ts";
import { feature as links } from "../features/money/links/index.ts";
import { feature as payouts } from "../features/money/payouts/index.ts";
import { feature as standing } from "../features/money/standing/index.ts";
import { feature as subPartners } from "../features/money/sub-partners/index.ts";
import { feature as auditLog } from "../features/outbox/audit-log/index.ts";
import { feature as changes } from "../features/outbox/changes/index.ts";
import { feature as events } from "../features/outbox/events/index.ts";
import { feature as webhooks } from "../features/outbox/webhooks/index.ts";
import { feature as operatorOverview } from "../features/overview/operator/index.ts";
import { feature as partnerOverview } from "../features/overview/partner/index.ts";
import { feature as keys } from "../features/programme/keys/index.ts";
import { feature as operators } from "../features/programme/operators/index.ts";
import { feature as partners } from "../features/programme/partners/index.ts";
import { feature as rules } from "../features/programme/rules/index.ts";
import { feature as sessions } from "../features/programme/sessions/index.ts";
import { feature as tiers } from "../features/programme/tiers/index.ts";
import { feature as users } from "../features/programme/users/index.ts";
import { feature as catalogue } from "../features/snapshots/catalogue/index.ts";
import { feature as deployments } from "../features/snapshots/deployments/index.ts";
import { feature as marketplace } from "../features/snapshots/marketplace/index.ts";
import { feature as rollouts } from "../features/snapshots/rollouts/index.ts";
import type { Feature } from "../platform/feature.ts";

/** Every feature, in the order in which they may need each other: one uses and reads only those that stand before it. */
export const FEATURES: readonly Feature[] = [
  plans,
  clients,
  configuring,
  customFields,
  tags,
  templates,
  pipelines,
  views,
  events,
  webhooks,
  changes,
  auditLog,
  keys,
  users,
  operators,
  tiers,
  rules,
  partners,
  sessions,
  ledger,
  commissions,
  charges,
  standing,
  subPartners,
  links,
  payouts,
  records,
  timeline,
  contacts,
  deals,
  leads,
  imports,
  metrics,
  channels,
  conversations,
  providers,
  paymentLinks,
  payments,
  agentEngine,
  agentModels,
  agentKnowledge,
  agentDefinitions,
  agentSessions,
  agentSandbox,
  agentSuites,
  catalogue,
  marketplace,
  deployments,
  rollouts,
  mcp,
  partnerOverview,
  operatorOverview,
];
