import { operatorRoute, type Route } from "../../../platform/http/route.ts";
import { adjust, hold, release, voidCommission } from "./operator.commands.ts";
import { AdjustmentCreate, HoldBody, VoidBody } from "./operator.schema.ts";
import { OperatorCommissionDetail } from "./schema.ts";

const one = { method: "POST", params: { id: "commission" }, reply: { status: 200, schema: OperatorCommissionDetail } } as const;
const TOGETHER = "A commission and the rows that correct it move together, whichever is named.";

export const commissionAdminRoutes: Route[] = [
  operatorRoute({
    operation: "operator_commissions.adjust",
    method: "POST",
    path: "/partners/{id}/adjustments",
    summary: "Adjust the balance of a partner",
    description:
      "Adds a commission by hand, positive or negative, which is approved at once. The same `reference` with the same facts changes nothing.",
    params: { id: "partner" },
    unversioned: true,
    body: AdjustmentCreate,
    errors: ["duplicate_adjustment"],
    reply: { status: 200, or_created: true, schema: OperatorCommissionDetail, location: (id) => `/commissions/${id}` },
    handle: (ctx, { params, body }) => adjust(ctx, params.id, body),
  }),
  operatorRoute({
    ...one,
    operation: "operator_commissions.hold",
    path: "/commissions/{id}/hold",
    summary: "Hold a commission",
    description: `Keeps it out of payouts until it is released. ${TOGETHER}`,
    body: HoldBody,
    errors: ["commission_locked"],
    handle: (ctx, { params, body }) => hold(ctx, params.id, body.reason),
  }),
  operatorRoute({
    ...one,
    operation: "operator_commissions.release",
    path: "/commissions/{id}/release",
    summary: "Release a commission",
    description: `Ends a hold. ${TOGETHER}`,
    errors: ["commission_locked"],
    handle: (ctx, { params }) => release(ctx, params.id),
  }),
  operatorRoute({
    ...one,
    operation: "operator_commissions.void",
    path: "/commissions/{id}/void",
    summary: "Void a commission",
    description: `Takes it back by a reversal, and the overrides that came of it. ${TOGETHER}`,
    body: VoidBody,
    errors: ["commission_locked"],
    handle: (ctx, { params, body }) => voidCommission(ctx, params.id, body.reason_code),
  }),
];
