import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { BASE } from "../../../api/base.ts";
import { api, idempotency, ifMatch } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";

type Schemas = components["schemas"];
export type Commission = Schemas["OperatorCommission"];
export type CommissionDetail = Schemas["OperatorCommissionDetail"];
export type Status = Commission["status"];
export type Kind = Commission["kind"];
export type Balance = Schemas["CommissionBalance"];
export type AdjustmentBody = Schemas["AdjustmentCreate"];
export type VoidReason = Schemas["CommissionVoid"]["reason_code"];

export type CommissionFilter = {
  partner_id?: string;
  status?: Status[];
  kind?: Kind[];
  currency?: string;
  accrued_after?: string;
  accrued_before?: string;
};

const PATH = "/v1/admin/commissions";
const OF_PARTNER = "/v1/admin/partners/{id}/commissions";
const keys = {
  all: ["commissions"] as const,
  list: (filter: CommissionFilter) => ["commissions", "list", filter] as const,
  one: (id: string) => ["commissions", "one", id] as const,
  balances: (partner_id: string) => ["commissions", "balances", partner_id] as const,
};

export const listRequest = (filter: CommissionFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const oneRequest = (id: string) => `GET ${PATH}/${id}`;
export const exportHref = (filter: CommissionFilter) => `${BASE}${PATH}${queryText({ ...filter, format: "csv" })}`;

export function useCommissions(filter: CommissionFilter) {
  return useList<Commission>(keys.list(filter), async (cursor, signal) => {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export function useCommission(id: string) {
  return useQuery({
    queryKey: keys.one(id),
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
  });
}

/** What the win of a sale recorded for the seller, once for each time that it was won. */
export function useWinOf(partner_id: string, deal_id: string | null) {
  return useQuery({
    queryKey: ["commissions", "win", partner_id, deal_id],
    queryFn: async ({ signal }) => {
      const query = { deal_id: deal_id ?? "", kind: ["first" as const], level: 0, limit: PAGE_ROWS };
      return (await api.GET(OF_PARTNER, { params: { path: { id: partner_id }, query }, signal })).data.data;
    },
    enabled: deal_id !== null,
  });
}

/** What stands where in a partner's book, by currency. */
export function useBalances(partner_id: string) {
  return useQuery({
    queryKey: keys.balances(partner_id),
    queryFn: async ({ signal }) => {
      const params = { path: { id: partner_id }, query: { summary: true, limit: 1 } };
      return (await api.GET(OF_PARTNER, { params, signal })).data.summary ?? [];
    },
    meta: { live: ["charges"] },
  });
}

/** What moves a commission moves the book. */
function useMoved() {
  const queries = useQueryClient();
  return async (saved: CommissionDetail) => {
    queries.setQueryData(keys.one(saved.id), saved);
    for (const name of ["commissions", "ledger", "charges"]) await queries.invalidateQueries({ queryKey: [name] });
  };
}

export type Act = { to: "hold"; reason: string } | { to: "release" } | { to: "void"; reason_code: VoidReason };

export function useMove() {
  const moved = useMoved();
  return useMutation({
    mutationFn: async ({ row, act }: { row: Pick<Commission, "id" | "version">; act: Act }) => {
      const params = { path: { id: row.id }, header: ifMatch(row.version) };
      if (act.to === "hold") return (await api.POST(`${PATH}/{id}/hold`, { body: { reason: act.reason }, params })).data;
      if (act.to === "release") return (await api.POST(`${PATH}/{id}/release`, { params })).data;
      return (await api.POST(`${PATH}/{id}/void`, { body: { reason_code: act.reason_code }, params })).data;
    },
    onSuccess: moved,
  });
}

export function useAdjust() {
  const moved = useMoved();
  return useMutation({
    mutationFn: async ({ partner_id, body, key }: { partner_id: string; body: AdjustmentBody; key: string }) =>
      (
        await api.POST("/v1/admin/partners/{id}/adjustments", {
          body,
          params: { path: { id: partner_id }, header: idempotency(key) },
        })
      ).data,
    onSuccess: moved,
  });
}
