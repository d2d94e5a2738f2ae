import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ERRORS, fail, notFound, Refusal } from "../../kernel/errors.ts";
import { isId } from "../../kernel/ids.ts";
import type { KeyPrincipal } from "../../kernel/principal.ts";
import { createContext, type Services } from "../record/context.ts";
import { fingerprint, type IdempotentRequest, Replay, type StoredReply } from "../record/idempotency.ts";
import type { Tally } from "../record/tally.ts";
import type { CallerContext, Result, Route } from "./route.ts";
import { clientAddress } from "./server.ts";
import { compile } from "./validation.ts";

export type MountOptions = {
  prefix: string;
  routes: Route[];
  services: Services;
  tally: Tally;
  authenticate(authorization: string | undefined): Promise<KeyPrincipal>;
};

/** Puts the routes of a surface on the server. A path answers every other method with 405. */
export function mount(app: FastifyInstance, options: MountOptions): void {
  for (const route of options.routes) mountRoute(app, route, options);
  for (const [path, routes] of Map.groupBy(options.routes, ({ path }) => path)) {
    const methods = routes.map(({ method }) => method);
    refuseOtherMethods(app, fastifyPath(options.prefix + path), methods);
  }
}

/** Answers 405 to every method that an address does not take. */
export function refuseOtherMethods(app: FastifyInstance, url: string, methods: readonly string[]): void {
  const taken = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  app.route({
    method: app.supportedMethods.filter((method) => !taken.includes(method)),
    url,
    onRequest: async (request) => {
      request.operation = request.method;
      fail("method_not_allowed", { headers: { allow: taken.join(", ") }, meta: { allowed: taken } });
    },
    handler: () => undefined,
  });
}

function mountRoute(app: FastifyInstance, route: Route, options: MountOptions): void {
  const { services, tally, prefix } = options;
  const read = createInputReader(route);
  app.route({
    method: route.method,
    url: fastifyPath(prefix + route.path),
    async onRequest(request) {
      request.operation = route.operation;
      request.principal = await options.authenticate(request.headers.authorization);
      try {
        authorise(route, request.principal);
      } catch (error) {
        countDenial(tally, route, request, error);
        throw error;
      }
    },
    async handler(request, reply) {
      const principal = request.principal ?? fail("missing_credentials");
      refuseOtherForms(request);
      const input = read(request);
      const ctx = createContext(services, {
        principal,
        origin: { request_id: request.id, ip: clientAddress(request) },
        expected_version: expectedVersion(request),
        idempotency: idempotentRequest(request, route, prefix),
      }) as CallerContext;
      const answer = await run(route, prefix, ctx, input).catch((error: unknown) => {
        countDenial(tally, route, request, error);
        throw error;
      });
      if (route.method === "GET") countRead(tally, route, request, principal);
      return send(request, reply, route, answer);
    },
  });
}

function authorise(route: Route, principal: KeyPrincipal): void {
  if (!principal.partner_active) fail("partner_suspended");
  if (route.scope !== "none" && !principal.scopes.has(route.scope)) {
    fail("insufficient_scope", {
      detail: `This needs the scope ${route.scope}, which the key does not have.`,
      meta: { required_scope: route.scope },
    });
  }
  if (route.partner_wide && principal.clients !== "all") fail("partner_wide_key_required");
}

/** Reads path, query and body by the route's schemas, in that order. */
function createInputReader(route: Route) {
  const checkQuery = compile(route.query ?? { type: "object", additionalProperties: false }, "query");
  const checkBody = route.body === undefined ? null : compile(route.body, "body");
  return (request: FastifyRequest) => {
    const params = request.params as Record<string, string>;
    for (const [name, kind] of Object.entries(route.params)) {
      if (!isId(kind, params[name] ?? "")) notFound(params[name] ?? "");
    }
    const query = { ...(request.query as object) };
    checkQuery(query);
    const body = request.body === undefined && route.body_optional === true ? {} : request.body;
    if (checkBody !== null) checkBody(body);
    else if (body !== undefined) {
      fail("validation_failed", {
        faults: [{ in: "body", pointer: "#", code: "no_body", detail: "This operation takes no body." }],
      });
    }
    return { params, query, body };
  };
}

function refuseOtherForms(request: FastifyRequest): void {
  const { accept } = request.headers;
  if (accept !== undefined && !/\*\/\*|application\/(\*|json|problem\+json)/i.test(accept)) fail("not_acceptable");
}

function expectedVersion(request: FastifyRequest): number | null {
  const match = request.headers["if-match"];
  if (match === undefined || match === "*") return null;
  const version = /^"(\d{1,9})"$/.exec(match)?.[1];
  if (version === undefined) fail("invalid_header", { detail: 'If-Match must be an ETag as it was given, such as "3".' });
  return Number(version);
}

function idempotentRequest(request: FastifyRequest, route: Route, prefix: string): IdempotentRequest | null {
  const key = request.headers["idempotency-key"];
  if (key === undefined || route.method !== "POST") return null;
  if (typeof key !== "string" || !/^[A-Za-z0-9_.:-]{1,255}$/.test(key)) fail("idempotency_key_invalid");
  return {
    key,
    fingerprint: fingerprint(route.method, prefix + route.path, request.params, request.body),
    secret: route.reply.secret ?? false,
    respond: (result) => replyOf(route, prefix, result as Result | undefined),
  };
}

async function run(
  route: Route,
  prefix: string,
  ctx: CallerContext,
  input: Parameters<Route["handle"]>[1],
): Promise<StoredReply> {
  try {
    return replyOf(route, prefix, await route.handle(ctx, input));
  } catch (error) {
    if (!(error instanceof Replay)) throw error;
    return { ...error.reply, headers: { ...error.reply.headers, "idempotent-replayed": "true" } };
  }
}

function replyOf(route: Route, prefix: string, result: Result | undefined): StoredReply {
  const headers: Record<string, string> = {};
  if (result?.version !== undefined) headers.etag = `"${result.version}"`;
  if (route.reply.location !== undefined && result?.id !== undefined) headers.location = prefix + route.reply.location(result.id);
  return { status: route.reply.status, headers, body: result?.json ?? null };
}

function send(request: FastifyRequest, reply: FastifyReply, route: Route, answer: StoredReply): FastifyReply {
  reply.header("request-id", request.id);
  reply.header("cache-control", route.reply.secret === true ? "no-store" : "private, no-cache");
  for (const name in answer.headers) reply.header(name, answer.headers[name]);
  if (route.method === "GET" && isKnown(request, answer.headers.etag)) return reply.code(304).send();
  if (answer.body === null) return reply.code(answer.status).send();
  return reply.code(answer.status).header("content-type", "application/json; charset=utf-8").send(answer.body);
}

/** Whether the caller has this version already. A proxy that compresses makes the ETag weak, which must not matter here. */
function isKnown(request: FastifyRequest, etag: string | undefined): boolean {
  const seen = request.headers["if-none-match"];
  if (seen === undefined || etag === undefined) return false;
  return seen.trim() === "*" || seen.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

/** Some rights are looked at only once the body is read, such as those that a new key is given. */
function countDenial(tally: Tally, route: Route, request: FastifyRequest, error: unknown): void {
  if (request.principal === null || !(error instanceof Refusal) || ERRORS[error.code][0] !== 403) return;
  const denial = { action: route.operation, outcome: "denied", client_id: null, code: error.code } as const;
  tally.count(request.principal, clientAddress(request), denial);
}

function countRead(tally: Tally, route: Route, request: FastifyRequest, principal: KeyPrincipal): void {
  const params = request.params as Record<string, string>;
  const client_id = route.client_param === undefined ? null : (params[route.client_param] ?? null);
  tally.count(principal, clientAddress(request), { action: route.operation, outcome: "success", client_id });
}

function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}
