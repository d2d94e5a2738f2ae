import { type PublicResult, type PublicRoute, publicRoute } from "../../../platform/http/public-route.ts";
import { personRoute, type Route } from "../../../platform/http/route.ts";
import type { SessionCookie } from "../../../platform/http/session-cookie.ts";
import { type Begun, confirmPassword, endOne, endOthers, getSession, listSessions, rename, signIn, signOut } from "./commands.ts";
import { GUESSES, LIFE_MS } from "./model.ts";
import { Confirmation, OwnName, Session, SessionList, SignIn } from "./schema.ts";

/** The reply to a sign-in: the session, with its secret in the cookie. */
export function withCookie({ cookie }: { cookie: SessionCookie }, { json, secret }: Begun): PublicResult {
  return { json, headers: { "set-cookie": cookie.set(secret, LIFE_MS / 1000) } };
}

export const sessionPublicRoutes: PublicRoute[] = [
  publicRoute({
    operation: "sessions.create",
    method: "POST",
    path: "/session",
    summary: "Sign in",
    status: 201,
    limit: { per_minute: 20, burst: 20 },
    body: SignIn,
    handle: async (visit, body) => withCookie(visit.services.settings, await signIn(visit, body)),
  }),
];

export const sessionRoutes: Route[] = [
  personRoute({
    operation: "session.get",
    method: "GET",
    path: "/session",
    summary: "Get the session",
    params: {},
    reply: { status: 200, schema: Session },
    handle: (ctx) => getSession(ctx),
  }),
  personRoute({
    operation: "session.rename",
    method: "PATCH",
    path: "/session/user",
    summary: "Change the name of the person",
    params: {},
    body: OwnName,
    reply: { status: 200, schema: Session },
    handle: (ctx, { body }) => rename(ctx, body),
  }),
  personRoute({
    operation: "session.delete",
    method: "DELETE",
    path: "/session",
    summary: "Sign out",
    params: {},
    reply: { status: 204 },
    async handle(ctx) {
      await signOut(ctx);
      return { headers: { "set-cookie": ctx.settings.cookie.clear() } };
    },
  }),
  personRoute({
    operation: "session.confirm",
    method: "POST",
    path: "/session/confirm",
    summary: "Confirm the password",
    limit: GUESSES,
    params: {},
    body: Confirmation,
    reply: { status: 204 },
    handle: async (ctx, { body }) => void (await confirmPassword(ctx, body)),
  }),
  personRoute({
    operation: "sessions.list",
    method: "GET",
    path: "/sessions",
    summary: "List the sessions of the person",
    params: {},
    reply: { status: 200, schema: SessionList },
    handle: (ctx) => listSessions(ctx),
  }),
  personRoute({
    operation: "sessions.delete_others",
    method: "DELETE",
    path: "/sessions",
    summary: "End all other sessions",
    params: {},
    reply: { status: 204 },
    handle: async (ctx) => void (await endOthers(ctx)),
  }),
  personRoute({
    operation: "sessions.delete",
    method: "DELETE",
    path: "/sessions/{id}",
    summary: "End a session",
    params: { id: "sign_in" },
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await endOne(ctx, params.id)),
  }),
];
