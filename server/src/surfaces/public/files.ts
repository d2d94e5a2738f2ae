import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { openLinkedFile } from "../../features/inbox/conversations/index.ts";
import { notFound } from "../../kernel/errors.ts";
import { networkOf } from "../../platform/http/cidr.ts";
import { refuseOtherMethods } from "../../platform/http/mount.ts";
import { type RequestLimits, requireAdmitted } from "../../platform/http/request-limits.ts";
import { clientAddress } from "../../platform/http/server.ts";
import type { Limit } from "../../platform/limits/limiter.ts";
import { createLocalLimiter } from "../../platform/limits/local.ts";
import type { Services } from "../../platform/record/context.ts";

const PATH = "/files/:partner_id/:id";
/** Providers fetch the files of many messages from a few networks. */
const NETWORK_LIMIT: Limit = { per_minute: 6_000, burst: 1_500 };

export type FileOptions = { services: Services; limits: RequestLimits | undefined };

/** The files of messages, for providers that fetch them: by a link that is signed and expires, without credentials. */
export function mountFiles(app: FastifyInstance, { services, limits }: FileOptions): void {
  const flood = createLocalLimiter();
  app.route<{ Params: { partner_id: string; id: string }; Querystring: Record<string, unknown> }>({
    method: "GET",
    url: PATH,
    async handler(request, reply) {
      request.operation = "files.fetch";
      const address = clientAddress(request);
      if (limits !== undefined) requireAdmitted(NETWORK_LIMIT, flood.take(networkOf(address), NETWORK_LIMIT));
      const { params, query } = request;
      const file = await openLinkedFile(services, { ...params, until: Number(query.until), mac: String(query.mac) });
      if (file === null) {
        await limits?.limitAddress(address, reply);
        return notFound(params.id);
      }
      reply.headers(file.headers).header("cache-control", "private, no-store").header("x-robots-tag", "noindex");
      return reply.send(Readable.from(file.pieces()));
    },
  });
  refuseOtherMethods(app, PATH, ["GET"]);
}
