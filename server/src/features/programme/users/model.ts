import { type Explanation, fail } from "../../../kernel/errors.ts";
import { PARTNER_ROLES, type PartnerRole, type Principal } from "../../../kernel/principal.ts";
import { ALL_SCOPES, type Scope } from "../../../kernel/scopes.ts";

export const ROLES = PARTNER_ROLES;
export type Role = PartnerRole;

const READS = ALL_SCOPES.filter((scope) => scope.endsWith(":read"));
const WORK = /^(clients|deals|affiliate_links|snapshots|leads|contacts|conversations|agents|billing):/;

/** The scopes of a role. Owners and administrators may also do what no key may. */
export const SCOPES_OF_ROLE: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  owner: new Set(ALL_SCOPES),
  admin: new Set(ALL_SCOPES),
  member: new Set(ALL_SCOPES.filter((scope) => READS.includes(scope) || WORK.test(scope))),
  read_only: new Set(READS),
};

/**
 * Refuses to give, change or take a role that the caller may not. Only owners decide who is an owner. A key makes nobody an owner or
 * administrator, and gives a role only if it has every scope of it.
 */
export function requireGrantable(principal: Principal, role: Role): void {
  switch (principal.type) {
    case "key":
      requireKeyGrants(principal.scopes, role);
      return;
    case "user":
      if (role === "owner" && principal.role !== "owner") {
        fail("role_required", {
          detail: "Only an owner can give, change or take the role owner.",
          meta: { required_role: "owner" },
        });
      }
      return;
    case "operator":
    case "system":
      return;
  }
}

function requireKeyGrants(scopes: ReadonlySet<Scope>, role: Role): void {
  if (role === "owner" || role === "admin") fail("person_required", { detail: `Only a person can give access as ${role}.` });
  const missing_scopes = [...SCOPES_OF_ROLE[role]].filter((scope) => !scopes.has(scope));
  if (missing_scopes.length === 0) return;
  const meta: Explanation["meta"] = { required_scope: missing_scopes[0], missing_scopes };
  const detail = `A key can grant only what it has. For the role ${role} the calling key lacks ${missing_scopes.join(", ")}.`;
  fail("insufficient_scope", { detail, meta });
}
