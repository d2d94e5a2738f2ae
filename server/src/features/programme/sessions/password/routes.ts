import { type PublicRoute, publicRoute } from "../../../../platform/http/public-route.ts";
import { personRoute, type Route } from "../../../../platform/http/route.ts";
import { GUESSES } from "../model.ts";
import { changePassword, completeReset, requestReset } from "./commands.ts";
import { PasswordChange, PasswordReset, PasswordResetRequest } from "./schema.ts";

export const passwordRoutes: Route[] = [
  personRoute({
    operation: "password.update",
    method: "PUT",
    path: "/password",
    summary: "Change the password",
    limit: GUESSES,
    params: {},
    body: PasswordChange,
    reply: { status: 204 },
    handle: async (ctx, { body }) => void (await changePassword(ctx, body)),
  }),
];

export const passwordPublicRoutes: PublicRoute[] = [
  publicRoute({
    operation: "password_resets.create",
    method: "POST",
    path: "/password-resets",
    summary: "Ask for a link to reset the password",
    status: 202,
    limit: { per_minute: 10, burst: 10 },
    body: PasswordResetRequest,
    handle: async (visit, { email }) => void (await requestReset(visit, email)),
  }),
  publicRoute({
    operation: "password_resets.complete",
    method: "POST",
    path: "/password-resets/complete",
    summary: "Reset the password by a link",
    status: 204,
    limit: { per_minute: 10, burst: 10 },
    body: PasswordReset,
    handle: async (visit, body) => void (await completeReset(visit, body)),
  }),
];
