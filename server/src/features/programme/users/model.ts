import { type Explanation, fail } from "../../../kernel/errors.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { ALL_SCOPES, type Scope } from "../../../kernel/scopes.ts";

export const ROLES = ["owner", "admin", "member", "read_only"] as const;
export type Role = (typeof ROLES)[number];

const READS = ALL_SCOPES.filter((scope) => scope.endsWith(":read"));
const WORK = /^(clients|deals|affiliate_links|snapshots|leads|contacts|conversations|agents|billing):/;

/** What a role permits. Owners and administrators may do everything, also what no key may. */
const PERMITS: Record<Role, readonly Scope[] | "everything"> = {
  owner: "everything",
  admin: "everything",
  member: ALL_SCOPES.filter((scope) => READS.includes(scope) || WORK.test(scope)),
  read_only: READS,
};

/** A key grants at most what it has: it makes nobody an owner or administrator, and gives access only to what it may do itself. */
export function requireGrantable(principal: Principal, role: Role): void {
  if (principal.type !== "key") return;
  const permits = PERMITS[role];
  if (permits === "everything") fail("person_required", { detail: `Only a person can give access as ${role}.` });
  const missing_scopes = permits.filter((scope) => !principal.scopes.has(scope));
  if (missing_scopes.length === 0) return;
  const meta: Explanation["meta"] = { required_scope: missing_scopes[0], missing_scopes };
  const detail = `A key can grant only what it has. For the role ${role} the calling key lacks ${missing_scopes.join(", ")}.`;
  fail("insufficient_scope", { detail, meta });
}
