import { operatorRoute, type Route } from "../../../platform/http/route.ts";
import { getPayoutHold, setPayoutHold } from "./hold.commands.ts";
import { PayoutHold, PayoutHoldPut } from "./hold.schema.ts";

const one = {
  path: "/partners/{id}/payout-hold",
  params: { id: "partner" },
  reply: { status: 200, schema: PayoutHold },
} as const;

export const payoutHoldRoutes: Route[] = [
  operatorRoute({
    ...one,
    operation: "payout_hold.get",
    method: "GET",
    summary: "Get the payout hold of a partner",
    handle: (ctx, { params }) => getPayoutHold(ctx, params.id),
  }),
  operatorRoute({
    ...one,
    operation: "payout_hold.set",
    method: "PUT",
    summary: "Hold or release the payouts of a partner",
    description: "Runs leave the partner out while payouts are held; the partner sees the reason. Scheduled payouts stay.",
    body: PayoutHoldPut,
    handle: (ctx, { params, body }) => setPayoutHold(ctx, params.id, body),
  }),
];
