import type { Scope } from "./scopes.ts";

/** The client accounts that a principal may access: all of the partner's, including future ones, or a list. */
export type ClientAccess = "all" | readonly string[];

/** What a caller was authenticated by, checked again when it writes: the hash of its secret, its address, and its version then. */
export type Credential = { hash: Buffer; ip: string; version: number };

/** Access to the data of one partner, as of the authentication of the request. */
export type PartnerAccess = {
  partner_id: string;
  partner_active: boolean;
  /** Whether the partner may use the partner API while it is a private beta. */
  api_access: boolean;
  company: string;
  grade: string;
  /** The partner's default currency. */
  currency: string;
  /** Whether new clients of the partner get snapshots by default. */
  default_snapshots: boolean;
  scopes: ReadonlySet<Scope>;
  clients: ClientAccess;
  /** Rate limit: requests per minute, and burst. */
  limit: { per_minute: number; burst: number };
};

/** A partner's key. */
export type KeyPrincipal = PartnerAccess & { type: "key"; key_id: string; credential: Credential };

/** How a person is signed in. */
export type SignIn = {
  user_id: string;
  session_id: string;
  /** When the person last gave the password. */
  authenticated_at: Date;
};

/** A user of a partner, signed in to the portal. */
export type UserPrincipal = PartnerAccess & SignIn & { type: "user"; role: PartnerRole; credential: Credential };

/** The company that runs the service: one of its keys, or one of its users. It has no partner. */
export type OperatorPrincipal = { type: "operator"; credential: Credential } & ({ key_id: string } | SignIn);

/** The service itself, acting for a partner: the first-run data, scheduled work, and what comes from outside without a key. */
export type SystemPrincipal = { type: "system"; partner_id: string; as?: Actor };

/** Whom the service acts for where nobody has sent a request with a key. */
export type Actor = { type: "agent" | "channel" | "visitor" | "user" | "payer" | "provider"; id: string };

/** A principal that uses the APIs of partners. */
export type PartnerCaller = KeyPrincipal | UserPrincipal;

/** A principal that can send a request. */
export type Caller = PartnerCaller | OperatorPrincipal;

/** A person who is signed in. */
export type PersonPrincipal = Extract<Caller, SignIn>;

export type Principal = Caller | SystemPrincipal;

export const PARTNER_ROLES = ["owner", "admin", "member", "read_only"] as const;
export type PartnerRole = (typeof PARTNER_ROLES)[number];

/** The tenant of the operator's own audit entries and idempotency keys. No partner has this id. */
export const OPERATOR_TENANT = "operator";

/** A principal's name in the audit log and in idempotency keys. */
export function actorOf(principal: Principal): { type: Principal["type"] | Actor["type"]; id: string } {
  if (principal.type === "system") return principal.as ?? { type: "system", id: "system" };
  return { type: principal.type, id: callerId(principal) };
}

/** The id of the key or of the user. */
export function callerId(caller: Caller): string {
  return "key_id" in caller ? caller.key_id : caller.user_id;
}

export function isPerson(principal: Principal): principal is PersonPrincipal {
  return "session_id" in principal;
}

/** Whether a principal has a scope. The service itself and the operator have all of them. */
export function hasScope(principal: Principal, scope: Scope): boolean {
  switch (principal.type) {
    case "key":
    case "user":
      return principal.scopes.has(scope);
    case "operator":
    case "system":
      return true;
  }
}

/** The tenant and the accounts that a query may access: the first argument of every tenant query. */
export type TenantScope = { partner_id: string; clients: ClientAccess };

export function tenantScope(principal: Principal): TenantScope {
  switch (principal.type) {
    case "key":
    case "user":
      return { partner_id: principal.partner_id, clients: principal.clients };
    case "operator":
      return { partner_id: OPERATOR_TENANT, clients: "all" };
    case "system":
      return { partner_id: principal.partner_id, clients: "all" };
  }
}

/** The accounts that a list covers, null for all. An account without access gives an empty list, like one that does not exist. */
export function requestedAccounts(scope: TenantScope, requested: string | undefined): readonly string[] | null {
  const bound = boundClients(scope);
  if (requested === undefined) return bound;
  return bound === null || bound.includes(requested) ? [requested] : [];
}

/** Whether some clients are a subset of others. */
export function within(clients: ClientAccess, others: ClientAccess): boolean {
  return others === "all" || (clients !== "all" && clients.every((id) => others.includes(id)));
}

/** The accounts that a scope is limited to, null for all. */
export function boundClients(scope: TenantScope): readonly string[] | null {
  return scope.clients === "all" ? null : scope.clients;
}
