import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Clock } from "../../kernel/clock.ts";
import { fail, Refusal } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { Caller } from "../../kernel/principal.ts";
import type { Logger } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import { BODY_BYTES_MAX, parseBody } from "./body.ts";
import { createForwardedReader } from "./forwarded.ts";
import { createKnownPaths, type KnownPaths } from "./known-paths.ts";
import type { SuggestPath } from "./near-miss.ts";
import { problemOf } from "./problem.ts";

const HEADER_BYTES_MAX = 16 * 1024;
/** A request must arrive within 30 s, so a slow sender cannot hold a connection open. Only uploads may take longer. */
const REQUEST_WITHIN_MS = 30_000;
const UPLOAD_WITHIN_MS = 15 * 60_000;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether the body is an upload, which has a longer timeout. */
    upload?: boolean;
  }
  interface FastifyInstance {
    /** The paths of the APIs. */
    known_paths: KnownPaths;
  }
  interface FastifyRequest {
    principal: Caller | null;
    /** The address that a trusted proxy forwarded; null without trusted proxies. */
    forwarded_address: string | null;
    /** The operation's name; only the method if no operation was reached. */
    operation: string;
    error_code: string | null;
  }
}

export type HttpOptions = {
  baseUrl(): string;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  suggestPath?: SuggestPath;
  request_within_ms?: number | undefined;
  /** The networks of the proxies whose X-Forwarded-For is believed. */
  trusted_proxies?: readonly string[] | undefined;
};

/** A server with our limits, request ids, problem documents and request log, without routes. */
export function createServer(options: HttpOptions): FastifyInstance {
  const { baseUrl, clock, log, metrics, suggestPath, request_within_ms = REQUEST_WITHIN_MS } = options;
  const app = Fastify({
    logger: false,
    genReqId: () => newId("request", clock.now().getTime()),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: UPLOAD_WITHIN_MS,
    keepAliveTimeout: 72_000,
    connectionTimeout: 0,
    http: { headersTimeout: 10_000, maxHeaderSize: HEADER_BYTES_MAX },
    forceCloseConnections: "idle",
    // Requests that arrive over a keep-alive connection while draining are served, then the connection is closed.
    return503OnClosing: false,
    // No separate limit for path parameters: an id that is too long is not found, like any malformed one.
    routerOptions: { maxParamLength: HEADER_BYTES_MAX, caseSensitive: true, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => void sendProblem(error, request as FastifyRequest, reply as FastifyReply),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, baseUrl(), clock),
  });

  function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const problem = problemOf(error, request.id, baseUrl(), request.routeOptions.bodyLimit);
    request.error_code = problem.code;
    if (problem.cause !== undefined) log.error({ request_id: request.id, err: problem.cause }, "request failed");
    return reply.code(problem.status).headers(problem.headers).header("request-id", request.id).send(problem.body);
  }

  app.decorate("known_paths", createKnownPaths());
  app.decorateRequest("principal", null);
  app.decorateRequest("forwarded_address", null);
  app.decorateRequest("operation", "");
  app.decorateRequest("error_code", null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, async (request: FastifyRequest, body: Buffer) => readBody(request, body));
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  believeProxies(app, options.trusted_proxies ?? []);
  // Before the body is read: the unknown path is reported, not a fault of the body.
  app.addHook("onRequest", (request, _reply, done) => {
    const ambiguous = hostHeaders(request.raw) > 1;
    if (!ambiguous && !request.is404) return done();
    request.operation = request.method;
    if (ambiguous) return done(new Refusal("invalid_header", { detail: "A request has one Host header." }));
    const refusal = app.supportedMethods.includes(request.method) ? app.known_paths.refusalOf(request) : null;
    if (refusal !== null) return done(refusal);
    const path = (request.url.split("?")[0] ?? "").slice(0, 100).toWellFormed();
    const hint = suggestPath?.(request.method, path) || " The reference at /docs lists all paths.";
    done(new Refusal("route_not_found", { detail: `${request.method} ${path} was not found.${hint}` }));
  });
  refuseSlowBodies(app, request_within_ms, (socket) => answerBrokenRequest(new LateRequest(), socket, baseUrl(), clock));
  app.addHook("onResponse", (request, reply, done) => {
    const duration_ms = reply.elapsedTime;
    metrics.observeRequest(request.operation || request.method, reply.statusCode, duration_ms);
    log.info({
      request_id: request.id,
      method: request.method,
      operation: request.operation,
      status: reply.statusCode,
      duration_ms: Math.round(duration_ms * 100) / 100,
      ...namesOf(request.principal),
      code: request.error_code ?? undefined,
    });
    done();
  });
  return app;
}

/** Who sent a request, for the log. */
function namesOf(principal: Caller | null): Record<string, string> {
  if (principal === null) return {};
  const tenant = principal.type === "operator" ? {} : { partner_id: principal.partner_id };
  return { ...tenant, ...("key_id" in principal ? { key_id: principal.key_id } : { user_id: principal.user_id }) };
}

/** Ends a request whose body takes too long to arrive. */
function refuseSlowBodies(app: FastifyInstance, within_ms: number, refuse: (socket: Socket) => void): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!hasBody(request) || request.routeOptions.config.upload === true) return done();
    const timer = setTimeout(() => {
      if (!request.raw.complete) refuse(request.raw.socket);
    }, within_ms).unref();
    request.raw.once("end", () => clearTimeout(timer));
    reply.raw.once("close", () => clearTimeout(timer));
    done();
  });
}

/** Node keeps the first Host and drops the others; a proxy before the service may have gone by another one. */
function hostHeaders({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count;
}

/** A content type without a body is accepted; a body that is not JSON is not. */
async function readBody(request: FastifyRequest, body: Buffer): Promise<unknown> {
  if (body.length === 0) return undefined;
  const type = request.headers["content-type"] ?? "";
  if (!/^application\/json *(; *charset="?utf-8"? *)?$/i.test(type)) fail("unsupported_media_type");
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") fail("unsupported_media_type", { detail: "Send the body without a Content-Encoding." });
  return parseBody(body);
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** The error code that Node uses for a request timeout. */
class LateRequest extends Error {
  readonly code = "ERR_HTTP_REQUEST_TIMEOUT";
}

/** Answers a request that is not valid HTTP with a problem document, written directly to the socket. */
function answerBrokenRequest(error: Error, socket: Socket, base_url: string, clock: Clock): void {
  if (!socket.writable || ("code" in error && error.code === "ECONNRESET")) return void socket.destroy();
  const known = "code" in error && ["HPE_HEADER_OVERFLOW", "ERR_HTTP_REQUEST_TIMEOUT"].includes(String(error.code));
  const refusal = known ? error : new Refusal("invalid_header", { detail: "The request is not valid HTTP." });
  const request_id = newId("request", clock.now().getTime());
  const { status, headers, body } = problemOf(refusal, request_id, base_url);
  const lines = Object.entries({
    ...headers,
    "request-id": request_id,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  });
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`);
}

/** Finds the address of each request behind trusted proxies; without any, requests cost nothing more. */
function believeProxies(app: FastifyInstance, trusted: readonly string[]): void {
  if (trusted.length === 0) return;
  const readForwarded = createForwardedReader(trusted);
  app.addHook("onRequest", (request, _reply, done) => {
    request.forwarded_address = readForwarded(peerAddress(request.raw), request.headers["x-forwarded-for"]);
    done();
  });
}

/** The client's address: that of the connection, or the one that trusted proxies forwarded. */
export function clientAddress(request: { raw: IncomingMessage; forwarded_address: string | null }): string {
  return request.forwarded_address ?? peerAddress(request.raw);
}

/** The address of the connection in the form of the database: IPv4-mapped addresses as IPv4, without a zone. */
function peerAddress({ socket }: IncomingMessage): string {
  const address = socket.remoteAddress ?? "0.0.0.0";
  return address.includes(":") ? address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "") : address;
}
