import type { FastifyInstance } from "fastify";
import { fail } from "../../kernel/errors.ts";
import type { Caller, PersonPrincipal } from "../../kernel/principal.ts";
import type { Authenticate, Credentials } from "../../platform/http/authenticator.ts";
import { type MountOptions, mount, refuseOtherMethodsOf } from "../../platform/http/mount.ts";
import { mountPublic } from "../../platform/http/public-route.ts";
import { refuseCrossSite } from "../../platform/http/session-cookie.ts";
import { adminV1 } from "../admin-v1.ts";
import { FEATURES } from "../features.ts";
import { generalV1 } from "../general-v1.ts";
import { partnerV1 } from "../partner-v1.ts";

const PREFIX = "/portal/api";

export type PortalApiOptions = Omit<MountOptions, "prefix" | "stability" | "routes" | "authenticate"> & {
  authenticate: Authenticate<PersonPrincipal>;
  baseUrl(): string;
};

/**
 * The APIs once more for people who are signed in, by cookie instead of key, and what only a person does: sign in, sessions, the
 * password. The portal has no other power than the API.
 */
export function mountPortalApi(app: FastifyInstance, { baseUrl, authenticate, ...options }: PortalApiOptions): void {
  const guard = (request: Credentials) => refuseCrossSite(request, baseUrl());
  const people = async (request: Credentials) => {
    guard(request);
    return authenticate(request);
  };
  const only = (type: Caller["type"], detail: string) => async (request: Credentials) => {
    const person = await people(request);
    return person.type === type ? person : fail("role_required", { detail });
  };
  const users = only("user", "This is for the users of a partner.");
  const operators = only("operator", "This is for the users of the company that runs the programme.");
  for (const [surface, authenticate] of [
    [partnerV1, users],
    [generalV1, users],
    [adminV1, operators],
  ] as const) {
    mount(app, { ...options, ...surface, prefix: PREFIX + surface.prefix, authenticate });
  }
  const routes = FEATURES.flatMap(({ portal_routes = [] }) => portal_routes);
  mount(app, { ...options, stability: "preview", prefix: PREFIX, routes, authenticate: people, shares_paths: true });
  const publicRoutes = FEATURES.flatMap(({ portal_public_routes = [] }) => portal_public_routes);
  const { services, tally, limits } = options;
  mountPublic(app, { prefix: PREFIX, routes: publicRoutes, services, tally, limits, guard });
  refuseOtherMethodsOf(app, PREFIX, [...routes, ...publicRoutes]);
}
