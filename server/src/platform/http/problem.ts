import { ERRORS, type ErrorCode, type Explanation, Refusal } from "../../kernel/errors.ts";
import { isLockedOut, isUnreachable } from "../db/connection.ts";
import { BODY_BYTES_MAX } from "./body.ts";

export type Problem = { status: number; headers: Record<string, string>; body: string; code: ErrorCode; cause: unknown };

/** Errors of Fastify and Node before a handler is reached. */
const FRAMEWORK_ERRORS: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "payload_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "invalid_header",
  FST_ERR_BAD_URL: "route_not_found",
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

/** Converts any thrown error into a problem document (RFC 9457). Nothing else does. */
export function problemOf(error: unknown, request_id: string, base_url: string, limit_bytes = BODY_BYTES_MAX): Problem {
  const { code, explanation } = classify(error, limit_bytes);
  const [status, title, remedy] = ERRORS[code];
  const { detail, faults, meta, headers } = explanation;
  const body = {
    type: `${base_url}/docs/errors/${code}`,
    title,
    status,
    detail: detail ?? remedy,
    instance: `urn:request:${request_id}`,
    code,
    request_id,
    ...(faults === undefined ? {} : { errors: faults }),
    ...meta,
  };
  return {
    status,
    code,
    cause: status >= 500 ? faultOf(error) : undefined,
    headers: {
      "content-type": "application/problem+json; charset=utf-8",
      ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
      ...headers,
    },
    body: JSON.stringify(body),
  };
}

/** What to log: a refusal is an answer and no fault, unless it has a cause. */
function faultOf(error: unknown): unknown {
  return error instanceof Refusal ? error.cause : error;
}

function classify(error: unknown, limit_bytes: number): { code: ErrorCode; explanation: Explanation } {
  if (error instanceof Refusal) return error;
  if (isUnreachable(error) || isLockedOut(error))
    return { code: "service_unavailable", explanation: { headers: { "retry-after": "2" } } };
  const framework = error instanceof Error && "code" in error ? FRAMEWORK_ERRORS[String(error.code)] : undefined;
  if (framework === "payload_too_large") return { code: framework, explanation: { meta: { limit_bytes } } };
  return { code: framework ?? "internal_error", explanation: {} };
}
