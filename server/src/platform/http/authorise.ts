import { fail } from "../../kernel/errors.ts";
import { type Caller, isPerson, type PartnerCaller } from "../../kernel/principal.ts";
import type { Route } from "./route.ts";

/** How long after giving the password a person may do what is sensitive. */
const FRESH_MS = 10 * 60_000;

/**
 * Checks that the caller may use the operation, before any query. Tenancy is not checked here: every query takes the
 * tenant scope.
 */
export function authorise(route: Route, principal: Caller, now: Date): void {
  requirePermission(route, principal);
  if (route.sensitive !== true || !isPerson(principal)) return;
  if (now.getTime() - principal.authenticated_at.getTime() > FRESH_MS) fail("reauthentication_required");
}

/** Whether the private beta of the partner API concerns a caller, and how it is told that it lacks a scope. */
const CALLERS: Record<PartnerCaller["type"], { gated: boolean; lacks: string }> = {
  key: { gated: true, lacks: "which the key does not have" },
  user: { gated: false, lacks: "which the role of the user does not have" },
};

export function requirePermission(route: Route, principal: Caller): void {
  if (principal.type === "operator") return;
  if (!principal.partner_active) fail("partner_suspended");
  const { gated, lacks } = CALLERS[principal.type];
  if (gated && !principal.api_access && route.beta_exempt !== true) fail("beta_access_required");
  if (route.scope !== "none" && !principal.scopes.has(route.scope)) {
    fail("insufficient_scope", {
      detail: `This operation needs the scope ${route.scope}, ${lacks}.`,
      meta: { required_scope: route.scope },
    });
  }
  if (route.partner_wide && principal.clients !== "all") fail("partner_wide_key_required");
  if (route.owner_only === true) requireOwner(principal);
}

/** A kind of caller that is new has no role, so this would not compile. */
function requireOwner(caller: PartnerCaller): void {
  if (caller.type === "key") fail("person_required", { detail: "Only an owner who is signed in to the portal can do this." });
  if (caller.role !== "owner") fail("role_required", { detail: "Only an owner can do this.", meta: { required_role: "owner" } });
}
