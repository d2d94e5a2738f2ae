import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  channelByToken,
  newVisitor,
  newVisitorToken,
  presence,
  readVisitorToken,
  requireOrigin,
  type Visitor,
  type WebchatChannel,
} from "../../features/inbox/channels/index.ts";
import {
  ChatIdentity,
  ChatMessage,
  ChatProfile,
  ChatRead,
  identifyVisitor,
  introduceVisitor,
  markThreadRead,
  readThread,
  streamThread,
  writeMessage,
} from "../../features/inbox/conversations/index.ts";
import { fail, notFound, Refusal } from "../../kernel/errors.ts";
import { networkOf } from "../../platform/http/cidr.ts";
import { refuseOtherMethods } from "../../platform/http/mount.ts";
import { type RequestLimits, requireAdmitted } from "../../platform/http/request-limits.ts";
import { clientAddress } from "../../platform/http/server.ts";
import { createStreamSender } from "../../platform/http/streams.ts";
import type { Static, TSchema } from "../../platform/http/type.ts";
import { compile } from "../../platform/http/validation.ts";
import type { Limit } from "../../platform/limits/limiter.ts";
import { createLocalLimiter } from "../../platform/limits/local.ts";
import type { Services } from "../../platform/record/context.ts";

const PREFIX = "/chat/:token";
const VISITOR_HEADER = "x-visitor-token";
/** An office behind one address has many visitors. */
const NETWORK_LIMIT: Limit = { per_minute: 1_200, burst: 300 };
/** Each page view begins a session, which is a signature and no write. */
const SESSION_LIMIT: Limit = { per_minute: 600, burst: 120 };
const WRITE_LIMIT: Limit = { per_minute: 30, burst: 15 };
const WRITE_NETWORK_LIMIT: Limit = { per_minute: 120, burst: 60 };
/** The maximum of open streams per channel and process. */
const STREAMS_MAX = 5_000;

export type ChatOptions = { services: Services; limits: RequestLimits | undefined };

/** A request of a page that the channel allows. */
type Visit = { channel: WebchatChannel; request: FastifyRequest; reply: FastifyReply };
type Answer = { json: string } | null;

/** What the chat on web pages calls: a session first, then messages of the visitor whose token a request has. */
export function mountChat(app: FastifyInstance, options: ChatOptions): void {
  const { services, limits } = options;
  const channelOf = createChannelFinder(options);
  const admit = createAdmission(channelOf, limits);
  const visitors = createVisitorReader(options);
  const answer: AnswerRoute = (method, path, operation, handle) =>
    app.route({
      method,
      url: PREFIX + path,
      async handler(request, reply) {
        request.operation = operation;
        const given = await handle({ channel: await admit(request, reply), request, reply });
        reply.header("cache-control", "no-store").header("x-content-type-options", "nosniff");
        if (given === null) return reply.code(204).send();
        return reply.type("application/json; charset=utf-8").send(given.json);
      },
    });
  answerSessions(answer, options, visitors);
  answerMessages(answer, options, visitors);

  const sendStream = createStreamSender();
  app.get(`${PREFIX}/events`, async (request, reply) => {
    request.operation = "chat.events";
    const visit = { channel: await admit(request, reply), request, reply };
    const { channel } = visit;
    const visitor = await visitors.require(visit);
    const { after } = request.query as { after?: unknown };
    const seen = request.headers["last-event-id"] ?? after;
    const pieces = streamThread(services, channel, visitor, seen === undefined ? undefined : String(seen));
    const route = { operation: "chat.events", reply: { stream: "events", streams_max: STREAMS_MAX } } as const;
    const readmit = async () => {
      await visitors.require({ ...visit, channel: await channelOf(request) });
    };
    return sendStream(request, reply, { route, partner_id: channel.id, pieces, readmit });
  });
  for (const [path, methods] of Object.entries(METHODS)) answerOthers(app, PREFIX + path, methods, admit);
}

type AnswerRoute = (method: "GET" | "POST", path: string, operation: string, handle: (visit: Visit) => Promise<Answer>) => void;

function answerSessions(answer: AnswerRoute, { services, limits }: ChatOptions, visitors: VisitorReader): void {
  const { signer, clock } = services;
  const sessionOf = (channel: WebchatChannel, visitor: Visitor) => newVisitorToken(signer, channel, visitor, clock.now());
  answer("POST", "/sessions", "chat.session", async (visit) => {
    const { channel, request, reply } = visit;
    await limits?.limitVisitor(`chat session ${channel.id}`, clientAddress(request), SESSION_LIMIT, reply);
    const visitor = (await visitors.find(visit)) ?? newVisitor(clock.now());
    const { title = null, greeting = null, color = null, position = "right" } = channel.config;
    const team = presence(channel.hours ?? null, channel.timezone ?? null, clock.now());
    return { json: JSON.stringify({ ...sessionOf(channel, visitor), channel: { title, greeting, color, position, team } }) };
  });
  const identityOf = bodyReader(ChatIdentity);
  answer("POST", "/identify", "chat.identify", async (visit) => {
    const { channel, request, reply } = visit;
    await limits?.limitVisitor(`chat identify ${channel.id}`, clientAddress(request), SESSION_LIMIT, reply);
    const user = await identifyVisitor(services, channel, await visitors.find(visit), identityOf(request));
    return { json: JSON.stringify(sessionOf(channel, user)) };
  });
}

function answerMessages(answer: AnswerRoute, { services, limits }: ChatOptions, visitors: VisitorReader): void {
  answer("GET", "/messages", "chat.messages", async (visit) => {
    const { before } = visit.request.query as { before?: unknown };
    return readThread(services, visit.channel, await visitors.require(visit), before === undefined ? undefined : String(before));
  });
  const messageOf = bodyReader(ChatMessage);
  answer("POST", "/messages", "chat.write", async (visit) => {
    const { channel, request, reply } = visit;
    const visitor = await visitors.require(visit);
    await limits?.limitVisitor(`chat write ${channel.id}`, clientAddress(request), WRITE_NETWORK_LIMIT, reply);
    await limits?.limitVisitor(`chat write ${channel.id} ${visitor.address}`, null, WRITE_LIMIT, reply);
    return writeMessage(services, channel, visitor, messageOf(request));
  });
  const profileOf = bodyReader(ChatProfile);
  answer("POST", "/profile", "chat.profile", async (visit) => {
    const { channel, request, reply } = visit;
    const visitor = await visitors.require(visit);
    await limits?.limitVisitor(`chat write ${channel.id} ${visitor.address}`, null, WRITE_LIMIT, reply);
    await introduceVisitor(services, channel, visitor, profileOf(request));
    return null;
  });
  const readOf = bodyReader(ChatRead);
  answer("POST", "/read", "chat.read", async (visit) => {
    await markThreadRead(services, visit.channel, await visitors.require(visit), readOf(visit.request).id);
    return null;
  });
}

type VisitorReader = ReturnType<typeof createVisitorReader>;

/** Reads who a request is of: whoever guesses tokens counts against its address. */
function createVisitorReader({ services: { signer, clock }, limits }: ChatOptions) {
  /** Null without a token. */
  async function find({ channel, request, reply }: Visit): Promise<Visitor | null> {
    const token = request.headers[VISITOR_HEADER];
    if (token === undefined) return null;
    const visitor = readVisitorToken(signer, channel, String(token), clock.now());
    if (visitor !== null) return visitor;
    await limits?.limitAddress(clientAddress(request), reply);
    return fail("invalid_visitor_token");
  }
  return { find, require: async (visit: Visit) => (await find(visit)) ?? fail("invalid_visitor_token") };
}

const METHODS = {
  "/sessions": ["POST"],
  "/messages": ["GET", "POST"],
  "/profile": ["POST"],
  "/read": ["POST"],
  "/identify": ["POST"],
  "/events": ["GET"],
};

/** Answers what browsers ask before they let another page call, and refuses all other methods. */
function answerOthers(app: FastifyInstance, url: string, methods: string[], admit: Admit): void {
  app.options(url, async (request, reply) => {
    request.operation = "chat.preflight";
    await admit(request, reply);
    return reply
      .header("access-control-allow-methods", methods.join(", "))
      .header("access-control-allow-headers", `content-type, last-event-id, ${VISITOR_HEADER}`)
      .header("access-control-max-age", "600")
      .code(204)
      .send();
  });
  refuseOtherMethods(app, url, [...methods, "OPTIONS"]);
}

type ChannelOf = (request: FastifyRequest) => Promise<WebchatChannel>;
type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<WebchatChannel>;

/** Finds the channel of a request, and refuses pages that it does not list. */
function createChannelFinder({ services: { db, sealer, settings } }: ChatOptions): ChannelOf {
  return async ({ params, headers: { origin, "sec-fetch-site": site } }) => {
    const { token } = params as { token: string };
    const channel = await channelByToken(db.byKey, sealer, token);
    if (channel?.kind !== "webchat") return notFound(token);
    requireOrigin(channel as WebchatChannel, { origin, site: site?.toString() }, settings.baseUrl());
    return channel as WebchatChannel;
  };
}

/** The same for a request that has just come: it counts against its network, and the page may read the reply. */
function createAdmission(channelOf: ChannelOf, limits: RequestLimits | undefined): Admit {
  const flood = createLocalLimiter();
  return async (request, reply) => {
    const address = clientAddress(request);
    if (limits !== undefined) requireAdmitted(NETWORK_LIMIT, flood.take(networkOf(address), NETWORK_LIMIT));
    const channel = await channelOf(request).catch(async (error: unknown) => {
      // A page that is not listed may read that, and stops asking; it is never told that it may send more.
      if (request.method !== "OPTIONS") allowOrigin(reply, request.headers.origin);
      if (error instanceof Refusal) await limits?.limitAddress(address, reply);
      throw error;
    });
    allowOrigin(reply, request.headers.origin);
    return channel;
  };
}

function allowOrigin(reply: FastifyReply, origin: string | undefined): void {
  reply.header("vary", "origin");
  if (origin !== undefined)
    reply.header("access-control-allow-origin", origin).header("access-control-expose-headers", "retry-after");
}

/** Reads the body of a request, checked by its schema. */
function bodyReader<Body extends TSchema>(schema: Body): (request: FastifyRequest) => Static<Body> {
  const check = compile(schema, "body");
  return ({ body }) => {
    if (body === undefined) fail("validation_failed", { detail: "The body is missing." });
    check(body);
    return body as Static<Body>;
  };
}
