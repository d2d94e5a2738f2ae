import type { ErrorCode } from "../../kernel/errors.ts";
import type { Route } from "./route.ts";

/** Every error of a route: those implied by its shape, and those it declares. */
export function errorsOf(route: Route): ErrorCode[] {
  const hasCursor =
    JSON.stringify(route.query ?? {}).includes('"cursor"') || JSON.stringify(route.query ?? {}).includes('"after"');
  const changes = route.method !== "GET";
  const codes: (ErrorCode | false)[] = [
    "invalid_parameter",
    "unknown_parameter",
    hasCursor && "invalid_cursor",
    "invalid_header",
    "missing_credentials",
    "invalid_credentials",
    route.operator !== true && "partner_suspended",
    route.operator !== true && route.beta_exempt !== true && "beta_access_required",
    route.scope !== "none" && "insufficient_scope",
    route.partner_wide && "partner_wide_key_required",
    route.owner_only === true && "person_required",
    route.owner_only === true && "role_required",
    route.method === "POST" && "reply_withheld",
    Object.keys(route.params).length > 0 && "not_found",
    "not_acceptable",
    route.deprecated?.sunset !== undefined && "endpoint_sunset",
    takesVersion(route) && "version_mismatch",
    route.if_match_required === true && "precondition_required",
    changes && "invalid_json",
    changes && "payload_too_large",
    changes && "unsupported_media_type",
    changes && "validation_failed",
    route.method === "POST" && "idempotency_key_invalid",
    route.method === "POST" && "idempotency_key_in_progress",
    route.method === "POST" && "idempotency_key_reused",
    ...(route.errors ?? []),
    "rate_limit_exceeded",
    "internal_error",
    "service_unavailable",
  ];
  return codes.filter((code) => code !== false);
}

/** Whether the route changes one resource, so that If-Match can name its expected version. */
export function takesVersion({ method, params, if_match_required, unversioned }: Route): boolean {
  if (unversioned === true) return false;
  return method === "PATCH" || (method !== "GET" && (Object.keys(params).length > 0 || if_match_required === true));
}
