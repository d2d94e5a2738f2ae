import { type Explanation, fail } from "../../../kernel/errors.ts";
import { type ClientAccess, PARTNER_ROLES, type PartnerRole, type Principal, within } from "../../../kernel/principal.ts";
import { ALL_SCOPES, type Scope } from "../../../kernel/scopes.ts";
import type { Settings } from "../../../platform/record/context.ts";

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

/** What the programme is called towards people: the brand, if the operator has set one. */
export function programmeName({ brand }: Pick<Settings, "brand">): string {
  return brand === "Service" ? "Tributary" : brand;
}

/** What a user may do, and where. */
export type Rights = { role: Role; accounts: ClientAccess };

/** Whether a change takes a right from a user. Each role in the list may do all that the later ones may. */
export function loses(before: Rights, after: Rights): boolean {
  return ROLES.indexOf(after.role) > ROLES.indexOf(before.role) || !within(before.accounts, after.accounts);
}

/** Whether a user can administer the partner, to the roles of owners. */
export function administers({ role, accounts, state }: Rights & { state: "invited" | "active" }): boolean {
  return role === "owner" && accounts === "all" && state === "active";
}

/** Refuses a change of a user that the caller may not make. */
export function requireChangeable(principal: Principal, before: Changed, after: Changed): void {
  switch (principal.type) {
    case "key":
      if (before.role !== after.role || before.email !== after.email)
        fail("person_required", { detail: "Only a person can change a user's role or e-mail address." });
      if (!within(after.accounts, before.accounts)) requireGrantable(principal, before.role);
      return;
    case "user":
      requireGrantable(principal, before.role);
      requireGrantable(principal, after.role);
      if (before.id === principal.user_id) refuseOwnRights(before, after);
      return;
    case "operator":
    case "system":
      return;
    default:
      principal satisfies never;
  }
}

type Changed = Rights & { id: string; email: string };

/** So that nobody locks themselves out, and no role has to be weighed against itself. */
function refuseOwnRights(before: Rights, after: Rights): void {
  if (!loses(before, after) && !loses(after, before)) return;
  fail("role_required", { detail: "Nobody can change their own role or accounts. Another owner or administrator can." });
}

/** Refuses to remove a user whose role the caller may not take. A key may remove anybody but the last owner. */
export function requireRemovable(principal: Principal, { role }: Rights): void {
  switch (principal.type) {
    case "user":
      requireGrantable(principal, role);
      return;
    case "key":
    case "operator":
    case "system":
      return;
    default:
      principal satisfies never;
  }
}

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
      requireRoleGrants(principal.role, role);
      return;
    case "operator":
    case "system":
      return;
    default:
      principal satisfies never;
  }
}

function requireRoleGrants(own: Role, role: Role): void {
  if (role !== "owner" || own === "owner") return;
  fail("role_required", {
    detail: "Only an owner can give, change or take the role owner.",
    meta: { required_role: "owner" },
  });
}

function requireKeyGrants(scopes: ReadonlySet<Scope>, role: Role): void {
  if (role === "owner" || role === "admin") fail("person_required", { detail: `Only a person can give access as ${role}.` });
  const missing_scopes = [...SCOPES_OF_ROLE[role]].filter((scope) => !scopes.has(scope));
  if (missing_scopes.length === 0) return;
  const meta: Explanation["meta"] = { required_scope: missing_scopes[0], missing_scopes };
  const detail = `A key can grant only what it has. For the role ${role} the calling key lacks ${missing_scopes.join(", ")}.`;
  fail("insufficient_scope", { detail, meta });
}
