import { type PublicRoute, publicRoute } from "../../../../platform/http/public-route.ts";
import { withCookie } from "../routes.ts";
import { acceptInvitation, lookAtInvitation, signInByLink } from "./commands.ts";
import { InvitationAcceptance, LinkUse } from "./schema.ts";

const limit = { per_minute: 20, burst: 20 };

export const linkPublicRoutes: PublicRoute[] = [
  publicRoute({
    operation: "sessions.create_by_link",
    method: "POST",
    path: "/session/link",
    summary: "Sign in by a link",
    status: 201,
    limit,
    body: LinkUse,
    handle: async (visit, { token }) => withCookie(visit.services.settings, await signInByLink(visit, token)),
  }),
  publicRoute({
    operation: "invitations.look",
    method: "POST",
    path: "/invitations/look",
    summary: "Look at an invitation",
    status: 200,
    limit,
    body: LinkUse,
    handle: (visit, { token }) => lookAtInvitation(visit, token),
  }),
  publicRoute({
    operation: "invitations.accept",
    method: "POST",
    path: "/invitations/accept",
    summary: "Accept an invitation",
    status: 201,
    limit,
    body: InvitationAcceptance,
    handle: async (visit, body) => withCookie(visit.services.settings, await acceptInvitation(visit, body)),
  }),
];
