import type { FastifyInstance, FastifyRequest } from "fastify";
import { fail } from "../../kernel/errors.ts";
import type { Limit } from "../limits/limiter.ts";
import type { Origin } from "../record/audit.ts";
import type { Services } from "../record/context.ts";
import type { Tally } from "../record/tally.ts";
import { createInputReader } from "./input.ts";
import { send } from "./reply.ts";
import type { RequestLimits } from "./request-limits.ts";
import type { Route } from "./route.ts";
import { clientAddress } from "./server.ts";
import type { Static, TSchema } from "./type.ts";

/** What is known of a request without credentials. */
export type Visit = {
  services: Services;
  tally: Tally;
  origin: NonNullable<Origin>;
  /** The User-Agent, shortened. */
  agent: string;
  /** Counts against a limit of this name and the visitor's network, or of this name alone. */
  limit(name: string, limit: Limit, of?: "network" | "all networks"): Promise<void>;
};

export type PublicResult = { json?: string; headers?: Readonly<Record<string, string>> };

/** An operation that needs no credentials: it has none yet, or a token in its body. */
export type PublicRoute = Pick<Route, "operation" | "method" | "path" | "summary"> & {
  status: 200 | 201 | 202 | 204;
  /** How often a network may use it. */
  limit: Limit;
  body: TSchema;
  handle(visit: Visit, body: unknown): Promise<PublicResult | undefined>;
};

/** Declares a public route with a handler typed by its body. */
export function publicRoute<Body extends TSchema>(
  definition: Omit<PublicRoute, "body" | "handle"> & {
    body: Body;
    handle(visit: Visit, body: Static<Body>): Promise<PublicResult | undefined>;
  },
): PublicRoute {
  return definition as unknown as PublicRoute;
}

export type PublicOptions = {
  prefix: string;
  routes: readonly PublicRoute[];
  services: Services;
  tally: Tally;
  limits: RequestLimits | undefined;
  /** Refuses requests from elsewhere, before anything else. */
  guard(request: FastifyRequest): void;
};

/** Mounts public routes. Whoever mounts them refuses other methods. */
export function mountPublic(app: FastifyInstance, options: PublicOptions): void {
  const { services, tally, limits, guard } = options;
  for (const route of options.routes) {
    const asRoute = { ...route, scope: "none", partner_wide: false, params: {}, reply: { status: route.status, secret: true } };
    const read = createInputReader(asRoute as unknown as Route);
    app.route({
      method: route.method,
      url: options.prefix + route.path,
      async onRequest(request, reply) {
        request.operation = route.operation;
        guard(request);
        await limits?.limitVisitor(route.operation, clientAddress(request), route.limit, reply);
      },
      async handler(request, reply) {
        const { body } = read(request);
        if (body === undefined) fail("validation_failed");
        const ip = clientAddress(request);
        const visit: Visit = {
          services,
          tally,
          origin: { request_id: request.id, ip },
          agent: (request.headers["user-agent"] ?? "").slice(0, 300),
          limit: async (name, limit, of = "network") => limits?.limitVisitor(name, of === "network" ? ip : null, limit, reply),
        };
        const result = await route.handle(visit, body);
        const answer = { status: route.status, headers: { ...result?.headers }, body: result?.json ?? null };
        return send(request, reply, asRoute as unknown as Route, answer);
      },
    });
  }
}
