import type { FastifyRequest } from "fastify";
import { fail, notFound } from "../../kernel/errors.ts";
import { isIdOrName, resemblesId } from "../../kernel/ids.ts";
import { textFault } from "../../kernel/storable.ts";
import { fingerprint, type IdempotentRequest } from "../record/idempotency.ts";
import { escapePointer } from "./body.ts";
import { queryOf, withoutExport } from "./export.ts";
import type { SuggestPath } from "./near-miss.ts";
import { replyOf } from "./reply.ts";
import type { Result, Route } from "./route.ts";
import { STREAM_TYPES } from "./streams.ts";
import type { TSchema } from "./type.ts";
import { Upload, type UploadRule } from "./upload.ts";
import { compile } from "./validation.ts";

const NO_QUERY: TSchema = { type: "object", additionalProperties: false };

/** Validates path, query and body by the route's schemas, in that order. */
export function createInputReader(route: Route, suggestPath?: SuggestPath) {
  const checkQuery = compile(queryOf(route) ?? NO_QUERY, "query");
  const checkBody = route.body === undefined ? null : compile(route.body, "body");
  return (request: FastifyRequest) => {
    const params = request.params as Record<string, string>;
    for (const [name, kind] of Object.entries(route.params)) {
      const id = params[name] ?? "";
      // Another word than an id may be a part of another path, such as metrics.
      if (!isIdOrName(kind, id)) notFound(id, resemblesId(kind, id) ? "" : suggestPath?.(request.method, request.url));
    }
    const query: Record<string, unknown> = { ...(request.query as object) };
    const resumed = resumedAfter(request, route);
    if (resumed !== null) query.after = resumed;
    refuseUnstorable(query);
    checkQuery(query);
    const own = route.exportable === true ? withoutExport(query) : query;
    const body = request.body === undefined && route.body_optional === true ? {} : request.body;
    if (route.upload !== undefined) requireUpload(body, route.upload);
    else if (checkBody !== null) checkBody(body);
    else if (body !== undefined) {
      fail("validation_failed", {
        faults: [{ in: "body", pointer: "#", code: "no_body", detail: "This operation takes no body." }],
      });
    }
    const { headers } = request;
    const respond_async = headers.prefer !== undefined && /(^|[\s,;])respond-async($|[\s,;])/i.test(String(headers.prefer));
    return { params, query: own, body, headers, respond_async };
  };
}

/** Where a reader of events that lost its connection goes on: it repeats the address of its first request, so this overrides `after`. */
function resumedAfter({ headers }: FastifyRequest, { reply }: Route): string | null {
  const last = headers["last-event-id"];
  return reply.endless === true && typeof last === "string" && last !== "" ? last : null;
}

/** Texts in a body are checked when it is parsed, path parameters are ids or names, and the headers that are stored have patterns. */
function refuseUnstorable(query: Record<string, unknown>): void {
  const faults = Object.entries(query).flatMap(([name, value]) => {
    const detail = [name, ...[value].flat()].map((text) => textFault(String(text))).find((fault) => fault !== null);
    return detail === undefined
      ? []
      : [{ in: "query", pointer: `#/${escapePointer(name)}`, code: "invalid_text", detail } as const];
  });
  if (faults.length > 0) fail("invalid_parameter", { detail: faults[0]?.detail ?? "", faults: faults.slice(0, 50) });
}

function requireUpload(body: unknown, { type }: UploadRule): void {
  if (body === undefined) refuseEmpty(type);
  if (!(body instanceof Upload))
    fail("unsupported_media_type", { detail: `Send the file itself as the body, with Content-Type: ${type}.` });
}

function refuseEmpty(type: UploadRule["type"]): never {
  const detail = "The file is empty.";
  if (type === "text/csv") fail("invalid_csv", { detail });
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#", code: "empty_file", detail }] });
}

export function requireAcceptable(request: FastifyRequest, { reply }: Route): void {
  const { accept } = request.headers;
  if (accept === undefined || /\*\/\*|application\/(\*|json|problem\+json)/i.test(accept)) return;
  if (reply.stream === undefined || !accept.toLowerCase().includes(STREAM_TYPES[reply.stream])) fail("not_acceptable");
}

/** The version in If-Match; null without a precondition. */
export function expectedVersion(request: FastifyRequest, route: Route): number | null {
  const match = request.headers["if-match"];
  if (match === undefined && route.if_match_required === true) fail("precondition_required");
  if (match === undefined || match === "*") return null;
  const version = /^"(\d{1,9})(?:-\d{1,15})?"$/.exec(match)?.[1];
  if (version === undefined) fail("invalid_header", { detail: 'If-Match must be an unchanged ETag, such as "3".' });
  return Number(version);
}

export function idempotentRequest(request: FastifyRequest, route: Route, prefix: string): IdempotentRequest | null {
  const key = request.headers["idempotency-key"];
  if (key === undefined || route.method !== "POST") return null;
  if (typeof key !== "string" || !/^[A-Za-z0-9_.:-]{1,255}$/.test(key)) fail("idempotency_key_invalid");
  return {
    key,
    // A getter, because the hash of an upload is known only once it has been read; its options are in the query.
    get fingerprint() {
      const parameters = route.upload === undefined ? request.params : { ...(request.query as object) };
      return fingerprint(route.method, prefix + route.path, parameters, request.body);
    },
    secret: route.reply.secret ?? false,
    respond: (result) => replyOf(route, prefix, request.params as Record<string, string>, result as Result | undefined),
  };
}
