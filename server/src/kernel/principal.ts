import type { Scope } from "./scopes.ts";

/** Which client accounts somebody may touch: all of the partner's, now and later, or those listed. */
export type ClientAccess = "all" | readonly string[];

/** A partner's key, as it was when the request was admitted. */
export type KeyPrincipal = {
  type: "key";
  key_id: string;
  partner_id: string;
  partner_active: boolean;
  company: string;
  grade: string;
  scopes: ReadonlySet<Scope>;
  clients: ClientAccess;
};

/** The service itself, acting for a partner: the first-run data, scheduled work. */
export type SystemPrincipal = { type: "system"; partner_id: string };

export type Principal = KeyPrincipal | SystemPrincipal;

/** The name that the audit log and idempotency keys know a principal by. */
export function actorOf(principal: Principal): { type: Principal["type"]; id: string } {
  return { type: principal.type, id: principal.type === "key" ? principal.key_id : "system" };
}

/** The tenant and the accounts a query may see: the first argument of every tenant query. */
export type TenantScope = { partner_id: string; clients: ClientAccess };

export function tenantScope(principal: Principal): TenantScope {
  return { partner_id: principal.partner_id, clients: principal.type === "key" ? principal.clients : "all" };
}

/** The list a query compares with, null for all accounts. */
export function boundClients(scope: TenantScope): readonly string[] | null {
  return scope.clients === "all" ? null : scope.clients;
}
