import { operatorRoute, type Route, route } from "../../../../platform/http/route.ts";
import { bookOf } from "../../ledger/index.ts";
import { deletePayoutMethod, getPayoutMethod, setPayoutMethod } from "./commands.ts";
import { PayoutMethod, PayoutMethodPut } from "./schema.ts";

const GET = "The account number and the instructions are never shown: `hint` is what the account is recognised by.";
const PUT =
  "Replaces the former method; payouts that are scheduled keep the details that they have. Every owner of the partner is told by e-mail. The same method again changes nothing.";
const DELETE = "Nothing is paid until another method is set. Every owner of the partner is told by e-mail.";

const own = { path: "/account/payout-method", partner_wide: true, params: {} } as const;
const change = { scope: "account:write", owner_only: true, sensitive: true } as const;

export const payoutMethodRoutes: Route[] = [
  route({
    ...own,
    operation: "payout_method.get",
    method: "GET",
    scope: "payouts:read",
    summary: "Get the payout method",
    description: GET,
    errors: ["not_found"],
    reply: { status: 200, schema: PayoutMethod },
    handle: (ctx) => getPayoutMethod(ctx, ctx.scope.partner_id),
  }),
  route({
    ...own,
    ...change,
    operation: "payout_method.set",
    method: "PUT",
    summary: "Set the payout method",
    description: PUT,
    body: PayoutMethodPut,
    reply: { status: 200, schema: PayoutMethod },
    handle: (ctx, { body }) => setPayoutMethod(ctx, ctx.scope.partner_id, body),
  }),
  route({
    ...own,
    ...change,
    operation: "payout_method.delete",
    method: "DELETE",
    summary: "Remove the payout method",
    description: DELETE,
    errors: ["not_found"],
    reply: { status: 204 },
    handle: async (ctx) => void (await deletePayoutMethod(ctx, ctx.scope.partner_id)),
  }),
];

const ofPartner = { path: "/partners/{id}/payout-method", params: { id: "partner" }, unversioned: true } as const;

export const payoutMethodAdminRoutes: Route[] = [
  operatorRoute({
    ...ofPartner,
    operation: "operator_payout_method.get",
    method: "GET",
    summary: "Get the payout method of a partner",
    description: GET,
    reply: { status: 200, schema: PayoutMethod },
    handle: async (ctx, { params }) => getPayoutMethod(ctx, (await bookOf(ctx, params.id)).partner_id),
  }),
  operatorRoute({
    ...ofPartner,
    operation: "operator_payout_method.set",
    method: "PUT",
    sensitive: true,
    summary: "Set the payout method of a partner",
    description: PUT,
    body: PayoutMethodPut,
    reply: { status: 200, schema: PayoutMethod },
    handle: async (ctx, { params, body }) => setPayoutMethod(ctx, (await bookOf(ctx, params.id)).partner_id, body),
  }),
  operatorRoute({
    ...ofPartner,
    operation: "operator_payout_method.delete",
    method: "DELETE",
    sensitive: true,
    summary: "Remove the payout method of a partner",
    description: DELETE,
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await deletePayoutMethod(ctx, (await bookOf(ctx, params.id)).partner_id)),
  }),
];
