import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";
import { useWrite } from "../../../api/writes.ts";

type Schemas = components["schemas"];
export type Payment = Schemas["Payment"];
export type PaymentStatus = Payment["status"];
export type Refund = Schemas["PaymentRefund"];
export type RefundBody = Schemas["PaymentRefundCreate"];

/** What the list is narrowed to, as the API names it. */
export type PaymentFilter = {
  account_id?: string;
  status?: PaymentStatus;
  payment_link_id?: string;
  contact_id?: string;
  live?: boolean;
  created_after?: string;
  created_before?: string;
};

const PATH = "/v1/billing/payments";
const KEY = "payments";

export const listRequest = (filter: PaymentFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const exportAddress = (filter: PaymentFilter) => `/portal/api${PATH}${queryText({ ...filter, format: "csv" })}`;

export function usePayments(filter: PaymentFilter, enabled = true) {
  return useList<Payment>(
    [KEY, "list", filter],
    async (cursor, signal) => {
      const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
      return (await api.GET(PATH, { params: { query }, signal })).data;
    },
    enabled,
  );
}

export function usePayment(id: string) {
  return useQuery({
    queryKey: [KEY, "one", id],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
  });
}

/** The address of a receipt; whoever has it can read the receipt. */
export const readReceipt = async (id: string) => (await api.GET(`${PATH}/{id}/receipt`, { params: { path: { id } } })).data;

export function useRefund() {
  return useWrite(
    async ({ id, body, key }: { id: string; body: RefundBody; key: string }) =>
      (await api.POST(`${PATH}/{id}/refund`, { body, params: { path: { id }, header: idempotency(key) } })).data,
    KEY,
    "payment_links",
    "contacts",
  );
}

/** What can still be returned of a payment. */
export const refundableCents = ({ amount_cents, tip_cents, refunded_cents, refunding_cents }: Payment) =>
  amount_cents + tip_cents - refunded_cents - refunding_cents;
