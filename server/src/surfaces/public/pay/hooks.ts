import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { takeProviderEvent } from "../../../features/billing/payments/index.ts";
import { providerByToken } from "../../../features/billing/providers/index.ts";
import { fail, notFound, Refusal } from "../../../kernel/errors.ts";
import { networkOf } from "../../../platform/http/cidr.ts";
import { refuseOtherMethods } from "../../../platform/http/mount.ts";
import { type RequestLimits, requireAdmitted } from "../../../platform/http/request-limits.ts";
import { clientAddress } from "../../../platform/http/server.ts";
import type { Limit } from "../../../platform/limits/limiter.ts";
import { createLocalLimiter } from "../../../platform/limits/local.ts";
import type { Services } from "../../../platform/record/context.ts";
import { RAW_BYTES_MAX, withRawBodies } from "../raw-bodies.ts";

const PATH = "/hooks/payments/:token";
const NETWORK_LIMIT: Limit = { per_minute: 6_000, burst: 1_000 };
const RETRY_AFTER_S = "10";

export type PaymentHookOptions = { services: Services; limits: RequestLimits | undefined };

/** What payment providers call: `/hooks/payments/{token}` takes their events, signed. It is answered once all of it is settled. */
export function mountPaymentHooks(app: FastifyInstance, { services, limits }: PaymentHookOptions): void {
  const flood = createLocalLimiter();

  async function take(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { token } = request.params as { token: string };
    const address = clientAddress(request);
    if (limits !== undefined) requireAdmitted(NETWORK_LIMIT, flood.take(networkOf(address), NETWORK_LIMIT));
    const provider = await providerByToken(services, services.db.byKey, token);
    if (provider === null) {
      await limits?.limitAddress(address, reply);
      notFound(token);
    }
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(", ")]));
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    await takeProviderEvent(services, provider, { headers, body }).catch(async (error: unknown) => {
      if (error instanceof Refusal && error.code === "invalid_signature") await limits?.limitAddress(address, reply);
      throw error;
    });
    return reply.code(204).header("cache-control", "no-store").send();
  }

  withRawBodies(app, (scope) => {
    scope.route({
      method: "POST",
      url: PATH,
      bodyLimit: RAW_BYTES_MAX,
      async handler(request, reply) {
        request.operation = "payment_hooks.receive";
        // Whatever goes wrong here, the provider is to send it again.
        return take(request, reply).catch((error: unknown) => {
          if (error instanceof Refusal) throw error;
          fail("service_unavailable", { cause: error, headers: { "retry-after": RETRY_AFTER_S } });
        });
      },
    });
    refuseOtherMethods(scope, PATH, ["POST"]);
  });
}
