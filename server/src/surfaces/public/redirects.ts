import type { FastifyInstance, FastifyReply } from "fastify";
import { type Clicks, followLink } from "../../features/money/links/index.ts";
import { networkOf } from "../../platform/http/cidr.ts";
import { refuseOtherMethods } from "../../platform/http/mount.ts";
import { requireAdmitted } from "../../platform/http/request-limits.ts";
import { clientAddress } from "../../platform/http/server.ts";
import type { Limit } from "../../platform/limits/limiter.ts";
import type { LocalLimiter } from "../../platform/limits/local.ts";
import type { Services } from "../../platform/record/context.ts";

const PATH = "/r/:code";
/** Enough for an office behind one address, too low for a flood. */
const LIMIT: Limit = { per_minute: 300, burst: 100 };

const NOT_FOUND = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Link not found</title></head>
<body>
<h1>Link not found</h1>
<p>There is no such link. Check its spelling, or ask whoever gave it to you.</p>
</body>
</html>
`;

export type RedirectOptions = { services: Services; clicks: Clicks; limiter: LocalLimiter | undefined };

/** Affiliate links: `/r/{code}` leads to the destination of the link, without credentials and without a write. */
export function mountRedirects(app: FastifyInstance, { services, clicks, limiter }: RedirectOptions): void {
  app.route<{ Params: { code: string }; Querystring: Record<string, unknown> }>({
    method: "GET",
    url: PATH,
    async handler(request, reply) {
      request.operation = "links.redirect";
      const ip = clientAddress(request);
      if (limiter !== undefined) requireAdmitted(LIMIT, limiter.take(networkOf(ip), LIMIT));
      const { params, query, headers } = request;
      const visit = { code: params.code, clicks: request.method === "GET", query, headers, ip };
      const location = await followLink(services, clicks, visit);
      reply.header("cache-control", "no-store").header("x-robots-tag", "noindex");
      if (location === null) return notFound(reply);
      return reply.code(302).header("location", location).send();
    },
  });
  refuseOtherMethods(app, PATH, ["GET"]);
}

function notFound(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .header("content-security-policy", "default-src 'none'")
    .header("x-content-type-options", "nosniff")
    .type("text/html; charset=utf-8")
    .send(NOT_FOUND);
}
