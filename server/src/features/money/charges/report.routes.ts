import { operatorRoute, type Route } from "../../../platform/http/route.ts";
import { reportCharge, reportCharges, reportClientRefund, reportRefund } from "./report.commands.ts";
import { ChargeBulk, ChargeBulkResult, ChargeCreate, ClientRefundCreate, RefundCreate } from "./report.schema.ts";
import { ChargeDetail, Refund } from "./schema.ts";

const REPEAT = "A report that is repeated with the same `external_id` and the same facts changes nothing.";

export const chargeReportRoutes: Route[] = [
  operatorRoute({
    operation: "operator_charges.create",
    method: "POST",
    path: "/clients/{id}/charges",
    summary: "Report a charge",
    description: `What a client paid. It settles the first commission of the client's sale, or earns a recurring one, for the partner and those above it. ${REPEAT}`,
    params: { id: "client" },
    unversioned: true,
    body: ChargeCreate,
    errors: ["duplicate_charge"],
    reply: { status: 200, or_created: true, schema: ChargeDetail, location: (id) => `/charges/${id}` },
    handle: (ctx, { params, body }) => reportCharge(ctx, params.id, body),
  }),
  operatorRoute({
    operation: "operator_charges.bulk",
    method: "POST",
    path: "/charges/bulk",
    summary: "Report charges in bulk",
    description: `Up to 500 charges of any clients, each with its own result, as if reported alone. The earliest is earned first. ${REPEAT}`,
    params: {},
    body: ChargeBulk,
    reply: { status: 200, schema: ChargeBulkResult },
    handle: (ctx, { body }) => reportCharges(ctx, body),
  }),
  operatorRoute({
    operation: "operator_charges.refund",
    method: "POST",
    path: "/charges/{id}/refunds",
    summary: "Report a refund of a charge",
    description: `Takes back what the charge earned for the refunded part, at every level. ${REPEAT}`,
    params: { id: "charge" },
    unversioned: true,
    body: RefundCreate,
    errors: ["duplicate_refund", "refund_exceeds_charge"],
    reply: { status: 200, or_created: true, schema: Refund },
    handle: (ctx, { params, body }) => reportRefund(ctx, params.id, body),
  }),
  operatorRoute({
    operation: "operator_charges.refund_client",
    method: "POST",
    path: "/clients/{id}/refunds",
    summary: "Report a refund of a client",
    description: `The charge is named by its \`external_id\`. A refund that comes before its charge waits for it. ${REPEAT}`,
    params: { id: "client" },
    unversioned: true,
    body: ClientRefundCreate,
    errors: ["duplicate_refund", "refund_exceeds_charge"],
    reply: { status: 200, or_created: true, schema: Refund },
    handle: (ctx, { params, body }) => reportClientRefund(ctx, params.id, body),
  }),
];
