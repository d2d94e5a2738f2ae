/** The permissions of an API key. Every route names exactly one; none implies another. */
export const SCOPES = {
  "clients:read": "See client accounts and their activity",
  "clients:write": "Create, change, suspend, reactivate and close client accounts",
  "snapshots:read": "See snapshots and their versions",
  "snapshots:write": "Create and change snapshots",
  "snapshots:deploy": "Deploy snapshots to clients and roll them out",
  "deals:read": "See deals, pipelines and their metrics",
  "deals:write": "Register, change and move deals",
  "commissions:read": "See commissions and the ledger",
  "payouts:read": "See payouts and statements",
  "affiliate_links:read": "See affiliate links and their statistics",
  "affiliate_links:write": "Create and change affiliate links",
  "account:read": "See the partner account, its tier, users and sub-partners",
  "account:write": "Change the partner account",
  "keys:read": "See API keys",
  "keys:write": "Create, change, rotate and revoke API keys",
  "webhooks:read": "See webhook endpoints and deliveries",
  "webhooks:write": "Create, change and replay webhook endpoints",
  "events:read": "Read the event feed",
  "audit:read": "Read the audit log",
  "leads:read": "See leads",
  "leads:write": "Create and change leads",
  "contacts:read": "See contacts",
  "contacts:write": "Create and change contacts",
  "conversations:read": "See conversations and channels",
  "conversations:write": "Send messages and change conversations and channels",
  "agents:read": "See agents and their sessions",
  "agents:write": "Create, change and publish agents",
  "agents:sandbox": "Run sandbox conversations",
  "billing:read": "See payment links, payments and their providers",
  "billing:write": "Create and change payment links and providers, record and refund payments",
} as const;

export type Scope = keyof typeof SCOPES;

export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];
