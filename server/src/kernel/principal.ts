import type { Scope } from "./scopes.ts";

/** Which client accounts somebody may touch: all of the partner's, now and later, or those listed. */
export type ClientAccess = "all" | readonly string[];

/** What a key was admitted by, looked at again when it writes: its secret's hash, whence it came, and its version then. */
export type Credential = { hash: Buffer; ip: string; version: number };

/** A partner's key, as it was when the request was admitted. */
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
  /** How many requests a minute, and how many at once. */
  limit: { per_minute: number; burst: number };
};

/** A key of the company that runs the service. It has no partner. */
export type OperatorPrincipal = { type: "operator"; key_id: string; credential: Credential };

/** The service itself, acting for a partner: the first-run data, scheduled work. */
export type SystemPrincipal = { type: "system"; partner_id: string };

/** Who can send a request. */
export type Caller = KeyPrincipal | OperatorPrincipal;

export type Principal = KeyPrincipal | OperatorPrincipal | SystemPrincipal;

/** The tenant under which the operator's own audit entries and idempotency keys stand. No partner has this id. */
export const OPERATOR_TENANT = "operator";

/** The name that the audit log and idempotency keys know a principal by. */
export function actorOf(principal: Principal): { type: Principal["type"]; id: string } {
  return { type: principal.type, id: principal.type === "system" ? "system" : principal.key_id };
}

/** The tenant and the accounts a query may see: the first argument of every tenant query. */
export type TenantScope = { partner_id: string; clients: ClientAccess };

export function tenantScope(principal: Principal): TenantScope {
  if (principal.type === "operator") return { partner_id: OPERATOR_TENANT, clients: "all" };
  return { partner_id: principal.partner_id, clients: principal.type === "key" ? principal.clients : "all" };
}

/** The accounts that a list covers, null for all. One that is out of the caller's sight gives nothing, as one that never existed does. */
export function requestedAccounts(scope: TenantScope, asked: string | undefined): readonly string[] | null {
  const bound = boundClients(scope);
  if (asked === undefined) return bound;
  return bound === null || bound.includes(asked) ? [asked] : [];
}

/** The list a query compares with, null for all accounts. */
export function boundClients(scope: TenantScope): readonly string[] | null {
  return scope.clients === "all" ? null : scope.clients;
}
