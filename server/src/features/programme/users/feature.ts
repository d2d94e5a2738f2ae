import type { Feature } from "../../../platform/feature.ts";
import { composeInvitation, composePasswordReset } from "./links/mail.commands.ts";
import { invitationRoutes } from "./links/routes.ts";
import { operatorUserRoutes } from "./operator/routes.ts";
import { userRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "programme/users",
  uses: ["accounts/clients", "programme/keys"],
  reads: [],
  tags: { users: "Users of the partner", operator_users: "Users of the company that runs the programme" },
  partner_routes: userRoutes,
  operator_routes: operatorUserRoutes,
  portal_routes: invitationRoutes,
  mails: { invitation: composeInvitation, password_reset: composePasswordReset },
};
