import type { Scope } from "./scopes.ts";

/** The client accounts that a principal may access: all of the partner's, including future ones, or a list. */
export type ClientAccess = "all" | readonly string[];

/** What a key was authenticated by, checked again when it writes: the hash of its secret, its address, its version. */
export type Credential = { hash: Buffer; ip: string; version: number };

/** A partner's key, as of the authentication of the request. */
export type KeyPrincipal = {
  type: "key";
  key_id: string;
  credential: Credential;
  partner_id: string;
  partner_active: boolean;
  /** Whether the partner may use the partner API while it is a private beta. */
  api_access: boolean;
  company: string;
  grade: string;
  /** The partner's default currency. */
  currency: string;
  scopes: ReadonlySet<Scope>;
  clients: ClientAccess;
  /** Rate limit: requests per minute, and burst. */
  limit: { per_minute: number; burst: number };
};

/** A key of the company that runs the service. It has no partner. */
export type OperatorPrincipal = { type: "operator"; key_id: string; credential: Credential };

/** The service itself, acting for a partner: the first-run data, scheduled work. */
export type SystemPrincipal = { type: "system"; partner_id: string };

/** A principal that can send a request. */
export type Caller = KeyPrincipal | OperatorPrincipal;

export type Principal = KeyPrincipal | OperatorPrincipal | SystemPrincipal;

/** The tenant of the operator's own audit entries and idempotency keys. No partner has this id. */
export const OPERATOR_TENANT = "operator";

/** A principal's name in the audit log and in idempotency keys. */
export function actorOf(principal: Principal): { type: Principal["type"]; id: string } {
  return { type: principal.type, id: principal.type === "system" ? "system" : principal.key_id };
}

/** The tenant and the accounts that a query may access: the first argument of every tenant query. */
export type TenantScope = { partner_id: string; clients: ClientAccess };

export function tenantScope(principal: Principal): TenantScope {
  if (principal.type === "operator") return { partner_id: OPERATOR_TENANT, clients: "all" };
  return { partner_id: principal.partner_id, clients: principal.type === "key" ? principal.clients : "all" };
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
