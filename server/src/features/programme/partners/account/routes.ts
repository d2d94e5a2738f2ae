import { type Route, route } from "../../../../platform/http/route.ts";
import { getAccount, updateAccount } from "./commands.ts";
import { Account, AccountPatch } from "./schema.ts";

export const accountRoutes: Route[] = [
  route({
    operation: "account.get",
    method: "GET",
    path: "/account",
    summary: "Get the partner's own account",
    scope: "account:read",
    partner_wide: true,
    params: {},
    reply: { status: 200, schema: Account },
    handle: (ctx) => getAccount(ctx),
  }),
  route({
    operation: "account.update",
    method: "PATCH",
    path: "/account",
    summary: "Update the partner's own account",
    description: "`branding` is replaced as a whole. Clients inherit it, and can override its members.",
    scope: "account:write",
    partner_wide: true,
    params: {},
    body: AccountPatch,
    reply: { status: 200, schema: Account },
    handle: (ctx, { body }) => updateAccount(ctx, body),
  }),
];
