import type { Scope } from "./scopes.ts";

/** The records that live in an account and are told in the change feed, each with the scope that a reader of it needs. */
export const RESOURCES = {
  contact: "contacts:read",
  lead: "leads:read",
  deal: "deals:read",
} as const satisfies Record<string, Scope>;

export type Resource = keyof typeof RESOURCES;

export const ALL_RESOURCES = Object.keys(RESOURCES) as Resource[];

export const CHANGES = ["created", "updated", "moved", "converted", "merged", "restored", "deleted", "erased"] as const;

/** What a command says has become of a record. */
export type ChangeDraft = {
  resource: Resource;
  id: string;
  account_id: string;
  version: number;
  change: (typeof CHANGES)[number];
  /** What a reader of the feed is told beside the record, such as the stages that a deal moved between. */
  detail?: Record<string, unknown>;
};
