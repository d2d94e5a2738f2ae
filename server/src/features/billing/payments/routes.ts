import { type Route, route } from "../../../platform/http/route.ts";
import { getPayment, listAttempts, listPayments, receiptOf, recordByHand } from "./commands.ts";
import { refundPayment } from "./refunds.commands.ts";
import {
  AttemptList,
  AttemptListQuery,
  Payment,
  PaymentList,
  PaymentListQuery,
  Receipt,
  RecordBody,
  RefundBody,
} from "./schema.ts";

const one = { partner_wide: false, params: { id: "payment" } } as const;
const ofLink = { partner_wide: false, params: { id: "payment_link" } } as const;

export const paymentRoutes: Route[] = [
  route({
    operation: "payments.list",
    method: "GET",
    path: "/billing/payments",
    partner_wide: false,
    params: {},
    summary: "List payments",
    description: "Money that was received, newest first.",
    scope: "billing:read",
    query: PaymentListQuery,
    exportable: true,
    reply: { status: 200, schema: PaymentList },
    handle: (ctx, { query }) => listPayments(ctx, query),
  }),
  route({
    ...one,
    operation: "payments.get",
    method: "GET",
    path: "/billing/payments/{id}",
    summary: "Get a payment",
    scope: "billing:read",
    reply: { status: 200, schema: Payment },
    handle: (ctx, { params }) => getPayment(ctx, params.id),
  }),
  route({
    ...one,
    operation: "payments.refund",
    method: "POST",
    path: "/billing/payments/{id}/refund",
    summary: "Refund a payment",
    description:
      "All that is left of it, or a part. The reply shows the refund as `pending` until the provider has decided: read the payment again. What came by hand is returned by hand, and counts at once.",
    scope: "billing:write",
    body: RefundBody,
    errors: ["payment_not_refundable", "client_inactive"],
    reply: { status: 200, schema: Payment },
    handle: (ctx, { params, body }) => refundPayment(ctx, params.id, body),
  }),
  route({
    ...one,
    operation: "payments.receipt",
    method: "GET",
    path: "/billing/payments/{id}/receipt",
    summary: "Get the receipt of a payment",
    description: "Its number, and the address of the page that shows it.",
    scope: "billing:read",
    reply: { status: 200, schema: Receipt, secret: true },
    handle: (ctx, { params }) => receiptOf(ctx, params.id),
  }),
  route({
    ...ofLink,
    operation: "payment_links.attempts",
    method: "GET",
    path: "/billing/payment-links/{id}/attempts",
    summary: "List the attempts to pay a link",
    description: "Newest first, with the reason of each that failed.",
    scope: "billing:read",
    query: AttemptListQuery,
    reply: { status: 200, schema: AttemptList },
    handle: (ctx, { params, query }) => listAttempts(ctx, params.id, query),
  }),
  route({
    ...ofLink,
    operation: "payment_links.record_payment",
    method: "POST",
    path: "/billing/payment-links/{id}/record-payment",
    summary: "Record a payment",
    description: "For money that came another way: cash, a cheque, a transfer. It gets a receipt like any other.",
    scope: "billing:write",
    body: RecordBody,
    errors: ["amount_not_due", "client_inactive"],
    reply: { status: 201, schema: Payment, location: (id) => `/billing/payments/${id}` },
    handle: (ctx, { params, body }) => recordByHand(ctx, params.id, body),
  }),
];
