import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { BASE } from "../../../api/base.ts";
import { api, idempotency } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";
import { useWrite } from "../../../api/writes.ts";

type Schemas = components["schemas"];
export type Charge = Schemas["Charge"];
export type ChargeDetail = Schemas["ChargeDetail"];
export type Outcome = Charge["outcome"];
export type ChargeCreate = Schemas["ChargeCreate"];
export type BulkCharge = Schemas["ChargeBulk"]["charges"][number];
export type BulkResult = Schemas["ChargeBulkResult"];

export type ChargeFilter = {
  partner_id?: string;
  client_id?: string;
  outcome?: Outcome[];
  charged_after?: string;
  charged_before?: string;
};

const PATH = "/v1/admin/charges";
const keys = {
  all: ["charges"] as const,
  list: (filter: ChargeFilter) => ["charges", "list", filter] as const,
  one: (id: string) => ["charges", "one", id] as const,
  clients: (partner_id: string) => ["charges", "clients", partner_id] as const,
};

export const listRequest = (filter: ChargeFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const exportHref = (filter: ChargeFilter) => `${BASE}${PATH}${queryText({ ...filter, format: "csv" })}`;

export function useCharges(filter: ChargeFilter) {
  return useList<Charge>(keys.list(filter), async (cursor, signal) => {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export function useCharge(id: string) {
  return useQuery({
    queryKey: keys.one(id),
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
  });
}

/** The clients for which a partner has earned, by what they earned: those who can be charged for it again. */
export function useEarningClients(partner_id: string | null) {
  return useQuery({
    queryKey: keys.clients(partner_id ?? ""),
    queryFn: async ({ signal }) => {
      const params = { path: { id: partner_id ?? "" }, query: { group_by: "client" as const } };
      const { data } = (await api.GET("/v1/admin/partners/{id}/commissions/summary", { params, signal })).data;
      return [...new Map(data.flatMap(({ key, name }) => (key && name ? [[key, name] as const] : [])))];
    },
    enabled: partner_id !== null,
  });
}

/** What is reported moves balances, commissions and perhaps a tier. */
const MOVED = ["charges", "commissions", "ledger", "partners"];

export const useReportCharge = () =>
  useWrite(
    async ({ client_id, body, key }: { client_id: string; body: ChargeCreate; key: string }) =>
      (await api.POST("/v1/admin/clients/{id}/charges", { body, params: { path: { id: client_id }, header: idempotency(key) } }))
        .data,
    ...MOVED,
  );

/** As many as one request may have. */
export const BULK_MAX = 500;

export const useReportCharges = () =>
  useWrite(
    async ({ charges, key }: { charges: BulkCharge[]; key: string }) =>
      (await api.POST(`${PATH}/bulk`, { body: { charges }, params: { header: idempotency(key) } })).data,
    ...MOVED,
  );

export const useRefund = () =>
  useWrite(
    async ({ id, body, key }: { id: string; body: Schemas["RefundCreate"]; key: string }) =>
      (await api.POST(`${PATH}/{id}/refunds`, { body, params: { path: { id }, header: idempotency(key) } })).data,
    ...MOVED,
  );
