import { personRoute, type Route } from "../../../../platform/http/route.ts";
import { repeatInvitation } from "./commands.ts";
import { Invitation, InvitationCreate } from "./schema.ts";

export const invitationRoutes: Route[] = [
  personRoute({
    operation: "invitations.create",
    method: "POST",
    path: "/invitations",
    summary: "Invite a user again",
    sensitive: true,
    params: {},
    body: InvitationCreate,
    reply: { status: 201, schema: Invitation, secret: true },
    handle: (ctx, { body }) => repeatInvitation(ctx, body.user_id),
  }),
];
