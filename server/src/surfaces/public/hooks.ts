import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { channelByToken, type RawRequest, type Receive, takeHook } from "../../features/inbox/channels/index.ts";
import { fail, notFound, Refusal } from "../../kernel/errors.ts";
import { networkOf } from "../../platform/http/cidr.ts";
import { refuseOtherMethods } from "../../platform/http/mount.ts";
import { type RequestLimits, requireAdmitted } from "../../platform/http/request-limits.ts";
import { clientAddress } from "../../platform/http/server.ts";
import type { Limit } from "../../platform/limits/limiter.ts";
import { createLocalLimiter } from "../../platform/limits/local.ts";
import type { Services } from "../../platform/record/context.ts";
import { RAW_BYTES_MAX, withRawBodies } from "./raw-bodies.ts";

const PATH = "/hooks/:token";
/** Many channels of one provider come from the same network. */
const NETWORK_LIMIT: Limit = { per_minute: 12_000, burst: 3_000 };
const CHANNEL_LIMIT: Limit = { per_minute: 6_000, burst: 1_000 };
const RETRY_AFTER_S = "10";

export type HookOptions = { services: Services; receive: Receive; limits: RequestLimits | undefined };

/** What providers of channels call: `/hooks/{token}` takes messages and statuses, signed by the provider. */
export function mountHooks(app: FastifyInstance, { services, receive, limits }: HookOptions): void {
  const flood = createLocalLimiter();
  const { db, sealer } = services;

  async function take(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { token } = request.params as { token: string };
    const address = clientAddress(request);
    if (limits !== undefined) requireAdmitted(NETWORK_LIMIT, flood.take(networkOf(address), NETWORK_LIMIT));
    const channel = await channelByToken(db.byKey, sealer, token);
    if (channel === null) {
      await limits?.limitAddress(address, reply);
      notFound(token);
    }
    await limits?.limitVisitor(`hooks ${channel.id}`, null, CHANNEL_LIMIT, reply);
    const answer = await takeHook(services, channel, rawRequest(services, request), receive).catch(async (error: unknown) => {
      if (error instanceof Refusal && error.code === "invalid_signature") await limits?.limitAddress(address, reply);
      throw error;
    });
    reply.header("cache-control", "no-store").header("x-content-type-options", "nosniff");
    return reply.code(answer.status).type(answer.type).send(answer.text);
  }

  withRawBodies(app, (scope) => {
    scope.route({
      method: ["GET", "POST"],
      url: PATH,
      bodyLimit: RAW_BYTES_MAX,
      async handler(request, reply) {
        request.operation = "hooks.receive";
        // Whatever goes wrong here, the provider is to send it again.
        return take(request, reply).catch((error: unknown) => {
          if (error instanceof Refusal) throw error;
          fail("service_unavailable", { cause: error, headers: { "retry-after": RETRY_AFTER_S } });
        });
      },
    });
    refuseOtherMethods(scope, PATH, ["GET", "POST"]);
  });
}

/** The request as the provider sent it: to the public address, whatever proxies made of it. */
function rawRequest({ settings, clock }: Services, { method, url, headers, body }: FastifyRequest): RawRequest {
  return {
    method,
    url: new URL(settings.baseUrl() + url),
    headers: joined(headers),
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    at: clock.now(),
    brand: settings.brand,
  };
}

/** Headers that were sent more than once are lists. */
function joined(headers: FastifyRequest["headers"]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value = ""] of Object.entries(headers)) texts[name] = typeof value === "string" ? value : value.join(", ");
  return texts;
}
