import { fail } from "./errors.ts";
import { hasScope, type Principal } from "./principal.ts";
import type { Scope } from "./scopes.ts";

/** The closed list of event types, each with the read scope of its resource. */
export const EVENT_TYPES = {
  "client.created": "clients:read",
  "client.activated": "clients:read",
  "client.suspended": "clients:read",
  "client.churned": "clients:read",
  "deal.registered": "deals:read",
  "deal.stage_changed": "deals:read",
  "deal.won": "deals:read",
  "commission.accrued": "commissions:read",
  "payout.scheduled": "payouts:read",
  "payout.paid": "payouts:read",
  "snapshot.deployed": "snapshots:read",
  "snapshot.purchased": "snapshots:read",
  "tier.changed": "account:read",
} as const satisfies Record<string, Scope>;

export type EventType = keyof typeof EVENT_TYPES;

export const ALL_EVENT_TYPES = Object.keys(EVENT_TYPES) as EventType[];

/** The event types whose resource the principal may read. */
export function readableTypes(principal: Principal): EventType[] {
  return ALL_EVENT_TYPES.filter((type) => hasScope(principal, EVENT_TYPES[type]));
}

/** Refuses event types whose resource the caller may not read, naming the scope that the first of them needs. */
export function requireReadable(principal: Principal, types: readonly EventType[]): void {
  const readable = readableTypes(principal);
  const denied = types.find((type) => !readable.includes(type));
  if (denied === undefined) return;
  const required_scope = EVENT_TYPES[denied];
  fail("insufficient_scope", {
    detail: `Events of the type ${denied} need the scope ${required_scope}.`,
    meta: { required_scope },
  });
}

/** An event that a command emits. Its envelope is built when the transaction is flushed. */
export type EventDraft = {
  type: EventType;
  /** The resource that the event is about: events of one subject keep the commit order of its changes. */
  subject: string;
  subject_version: number;
  /** The client that the event is about; null for events of the whole partner. */
  client_id: string | null;
  data: { partner_id: string } & Record<string, unknown>;
};
