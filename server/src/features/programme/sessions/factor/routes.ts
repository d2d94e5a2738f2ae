import { personRoute, type Route } from "../../../../platform/http/route.ts";
import { GUESSES } from "../model.ts";
import { activateTotp, removeTotp, renewRecoveryCodes, startTotp } from "./commands.ts";
import { RecoveryCodes, TotpConfirmation, TotpSecret } from "./schema.ts";

export const factorRoutes: Route[] = [
  personRoute({
    operation: "totp.create",
    method: "POST",
    path: "/totp",
    summary: "Begin to set up an authenticator app",
    sensitive: true,
    params: {},
    reply: { status: 200, schema: TotpSecret, secret: true },
    handle: (ctx) => startTotp(ctx),
  }),
  personRoute({
    operation: "totp.activate",
    method: "POST",
    path: "/totp/confirm",
    summary: "Activate the authenticator app by its first code",
    limit: GUESSES,
    params: {},
    body: TotpConfirmation,
    reply: { status: 200, schema: RecoveryCodes, secret: true },
    handle: (ctx, { body }) => activateTotp(ctx, body.code),
  }),
  personRoute({
    operation: "totp.delete",
    method: "DELETE",
    path: "/totp",
    summary: "Remove the authenticator app",
    sensitive: true,
    params: {},
    reply: { status: 204 },
    handle: async (ctx) => void (await removeTotp(ctx)),
  }),
  personRoute({
    operation: "totp.recovery_codes",
    method: "POST",
    path: "/totp/recovery-codes",
    summary: "Replace the recovery codes",
    sensitive: true,
    params: {},
    reply: { status: 200, schema: RecoveryCodes, secret: true },
    handle: (ctx) => renewRecoveryCodes(ctx),
  }),
];
