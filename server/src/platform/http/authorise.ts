import { fail } from "../../kernel/errors.ts";
import type { Caller } from "../../kernel/principal.ts";
import type { Route } from "./route.ts";

/**
 * Checks that the caller may use the operation, before any query. Tenancy is not checked here: every query takes the
 * tenant scope.
 */
export function authorise(route: Route, principal: Caller): void {
  if (principal.type === "operator") return;
  if (!principal.partner_active) fail("partner_suspended");
  if (!principal.api_access && route.beta_exempt !== true) fail("beta_access_required");
  if (route.scope !== "none" && !principal.scopes.has(route.scope)) {
    fail("insufficient_scope", {
      detail: `This operation needs the scope ${route.scope}, which the key does not have.`,
      meta: { required_scope: route.scope },
    });
  }
  if (route.partner_wide && principal.clients !== "all") fail("partner_wide_key_required");
}
