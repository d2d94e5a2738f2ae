import type { Scope } from "./scopes.ts";

/** What appears in the change feed, each with its read scope. */
export const RESOURCES = {
  contact: "contacts:read",
  lead: "leads:read",
  deal: "deals:read",
  commission: "commissions:read",
  payout: "payouts:read",
  conversation: "conversations:read",
  message: "conversations:read",
  agent: "agents:read",
  session: "agents:read",
  approval: "agents:read",
  payment_link: "billing:read",
  payment: "billing:read",
} as const satisfies Record<string, Scope>;

export type Resource = keyof typeof RESOURCES;

/** The records of an account: they have custom fields, notes and imports. */
export const RECORDS = ["contact", "lead", "deal"] as const satisfies Resource[];

export type RecordKind = (typeof RECORDS)[number];

export const ALL_RESOURCES = Object.keys(RESOURCES) as Resource[];

export const CHANGES = ["created", "updated", "moved", "converted", "merged", "restored", "deleted", "erased"] as const;

/** A change of a record that a command records. */
export type ChangeDraft = {
  resource: Resource;
  id: string;
  account_id: string;
  version: number;
  change: (typeof CHANGES)[number];
  /** Additional data for the feed, such as the two stages of a move. */
  detail?: Record<string, unknown>;
};
