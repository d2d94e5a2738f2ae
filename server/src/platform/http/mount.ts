import type { FastifyInstance, FastifyRequest } from "fastify";
import { ERRORS, fail, Refusal } from "../../kernel/errors.ts";
import type { Caller } from "../../kernel/principal.ts";
import { type Context, createContext, type Services } from "../record/context.ts";
import { Replay, type StoredReply } from "../record/idempotency.ts";
import type { Tally } from "../record/tally.ts";
import { record } from "../record/tx.ts";
import type { Authenticate } from "./authenticator.ts";
import { authorise, requirePermission } from "./authorise.ts";
import { BODY_BYTES_MAX } from "./body.ts";
import { deprecationHeaders, refuseAfterSunset, refuseShortNotice } from "./deprecation.ts";
import { createExporter, type Exporter, requestedFormat } from "./export.ts";
import { createInputReader, expectedVersion, idempotentRequest, requireAcceptable } from "./input.ts";
import { covers, methodRefusal, withHead } from "./known-paths.ts";
import type { SuggestPath } from "./near-miss.ts";
import type { Surface } from "./openapi.ts";
import { replyOf, send } from "./reply.ts";
import { authenticateRequest, type RequestLimits } from "./request-limits.ts";
import type { CallerContext, Result, Route } from "./route.ts";
import { clientAddress } from "./server.ts";
import { createStreamSender, isStreamed, type StreamSender } from "./streams.ts";
import { acceptUploads } from "./upload.ts";

export type MountOptions = Pick<Surface, "prefix" | "stability" | "routes"> & {
  services: Services;
  tally: Tally;
  authenticate: Authenticate;
  /** Absent when rate limits are off. */
  limits?: RequestLimits | undefined;
  suggestPath?: SuggestPath;
  /** Whether other routes have the same paths, so that whoever mounts them all refuses other methods. */
  shares_paths?: true;
};

/** Mounts the routes of a surface. A path answers other methods with 405. */
export function mount(app: FastifyInstance, options: MountOptions): void {
  const senders = { sendExport: createExporter(), sendStream: createStreamSender() };
  for (const route of options.routes) {
    const { upload } = route;
    if (upload === undefined) mountRoute(app, route, options, senders);
    else {
      // Encapsulated, so that no other route accepts uploads.
      app.register(async (part) => {
        acceptUploads(part, upload);
        mountRoute(part, route, options, senders);
      });
    }
  }
  if (options.shares_paths !== true) refuseOtherMethodsOf(app, options.prefix, options.routes);
}

/** Answers 405 to every method that none of the routes of a path supports. */
export function refuseOtherMethodsOf(app: FastifyInstance, prefix: string, all: readonly Pick<Route, "method" | "path">[]): void {
  const paths = [...Map.groupBy(all, ({ path }) => path)].map(([path, routes]) => {
    const url = fastifyPath(prefix + path);
    return { url, segments: url.split("/"), methods: routes.map(({ method }) => method) };
  });
  for (const { url, segments, methods } of paths) {
    app.known_paths.add(url, methods);
    // A route with a parameter would take these for its own: /contacts/bulk is no id of a contact.
    const others = paths.filter((other) => other.url !== url && covers(other.segments, segments));
    refuseMethods(app, url, methods, new Set(others.flatMap((other) => withHead(other.methods))));
  }
}

/** Answers 405 to every method that a path does not support. */
export function refuseOtherMethods(app: FastifyInstance, url: string, methods: readonly string[]): void {
  refuseMethods(app, url, methods, new Set(app.supportedMethods));
}

function refuseMethods(app: FastifyInstance, url: string, supported: readonly string[], methods: ReadonlySet<string>): void {
  const refused = [...methods].filter((method) => !withHead(supported).includes(method));
  if (refused.length === 0) return;
  app.route({
    method: refused,
    url,
    onRequest: async (request) => {
      request.operation = request.method;
      throw methodRefusal(request.method, supported);
    },
    handler: () => undefined,
  });
}

type Senders = { sendExport: Exporter; sendStream: StreamSender };

function mountRoute(app: FastifyInstance, route: Route, options: MountOptions, { sendExport, sendStream }: Senders): void {
  const { services, tally, prefix } = options;
  const read = createInputReader(route, options.suggestPath);
  refuseShortNotice(route, options.stability);
  app.route({
    method: route.method,
    url: fastifyPath(prefix + route.path),
    config: { upload: route.upload !== undefined },
    bodyLimit: route.body_bytes_max ?? BODY_BYTES_MAX,
    async onRequest(request, reply) {
      request.operation = route.operation;
      if (route.deprecated !== undefined) {
        reply.headers(deprecationHeaders(route.deprecated, prefix));
        refuseAfterSunset(route.deprecated, prefix, services.clock.now());
      }
      request.principal = await authenticateRequest(options.authenticate, options.limits, request, reply);
      await options.limits?.limitCaller(request.principal, reply, route);
      try {
        authorise(route, request.principal, services.clock.now());
      } catch (error) {
        countDenial(tally, route, request, error);
        throw error;
      }
    },
    async handler(request, reply) {
      const principal = request.principal ?? fail("missing_credentials");
      const format = requestedFormat(route, request);
      if (format === null) requireAcceptable(request, route);
      const input = read(request);
      const origin = { request_id: request.id, ip: clientAddress(request) };
      const ctx = createContext(services, {
        principal,
        origin,
        expected_version: expectedVersion(request, route),
        idempotency: idempotentRequest(request, route, prefix),
      }) as CallerContext;
      ctx.call = async (other, input) => {
        try {
          requirePermission(other, principal);
        } catch (error) {
          countDenial(tally, other, request, error);
          throw error;
        }
        return operate(other, { headers: request.headers, respond_async: false, ...input });
      };
      const operate = async (called: Route, input: Parameters<Route["handle"]>[1]) => {
        let answer: Awaited<ReturnType<typeof run>>;
        try {
          answer = await run(called, prefix, ctx, input);
        } catch (error) {
          answer = await replay(called, createContext(services, { principal, origin }), error).catch((failure: unknown) => {
            countDenial(tally, called, request, failure);
            throw failure;
          });
        }
        if (called.method === "GET" || called.read_only === true) countRead(tally, called, input.params, origin.ip, principal);
        return answer;
      };
      const readmit = () => readmitCaller(options.authenticate, route, request, principal);
      if (format === "csv" || format === "ndjson") {
        return sendExport(request, reply, { route, format, ctx, input, readmit });
      }
      const answer = await operate(route, input);
      const { pieces, headers } = answer;
      if (pieces !== undefined && isStreamed(route))
        return sendStream(request, reply, { route, partner_id: ctx.scope.partner_id, pieces, headers, readmit });
      return send(request, reply, route, answer);
    },
  });
}

/** Checks the caller of a long-running request again: it must still be valid and unchanged. */
async function readmitCaller(
  authenticate: Authenticate,
  route: Route,
  request: FastifyRequest,
  principal: Caller,
): Promise<void> {
  const now = await authenticate(request);
  requirePermission(route, now);
  if (now.credential.version !== principal.credential.version) fail("invalid_credentials");
}

async function run(
  route: Route,
  prefix: string,
  ctx: CallerContext,
  input: Parameters<Route["handle"]>[1],
): Promise<StoredReply & Pick<Result, "pieces">> {
  const result = await route.handle(ctx, input);
  const reply = replyOf(route, prefix, input.params, result);
  return result?.pieces === undefined ? reply : { ...reply, pieces: result.pieces };
}

/** The stored reply, if the request was a repeated one. That a secret was shown again is audited before it is shown. */
async function replay(route: Route, ctx: Context, error: unknown): Promise<StoredReply> {
  if (!(error instanceof Replay)) throw error;
  const { headers, body } = error.reply;
  if (route.reply.secret === true) {
    const { id } = JSON.parse(body ?? "{}") as { id?: string };
    const action = `${route.operation}_replay`;
    await ctx.tx(async (tx) => record(tx, ctx.scope, [], { action, target: id ?? null, client_id: null }));
  }
  return { ...error.reply, headers: { ...headers, "idempotent-replayed": "true" } };
}

/** Some permissions are checked only after the body is read, such as those of a new key. An id that is not found may be a guess at others'. */
function countDenial(tally: Tally, route: Route, request: FastifyRequest, error: unknown): void {
  if (request.principal === null || !(error instanceof Refusal)) return;
  if (ERRORS[error.code][0] !== 403 && error.code !== "not_found") return;
  const denial = { action: route.operation, outcome: "denied", client_id: null, code: error.code } as const;
  tally.count(request.principal, clientAddress(request), denial);
}

function countRead(tally: Tally, route: Route, params: Record<string, string>, ip: string, principal: Caller): void {
  const client_id = route.client_param === undefined ? null : (params[route.client_param] ?? null);
  tally.count(principal, ip, { action: route.operation, outcome: "success", client_id });
}

function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}
