import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";
import { lastMonths } from "../../../ui/days.ts";
import type { MonthsOf } from "../../../ui/months.tsx";

type Schemas = components["schemas"];
export type Commission = Schemas["Commission"];
export type CommissionDetail = Schemas["CommissionDetail"];
export type CommissionStatus = Commission["status"];
export type CommissionKind = Commission["kind"];
export type Balance = Schemas["CommissionBalance"];
export type LedgerEntry = Schemas["LedgerEntry"];

/** What the list is narrowed to; names as the API has them. */
export type CommissionFilter = {
  status?: CommissionStatus;
  kind?: CommissionKind;
  client_id?: string;
  deal_id?: string;
  charge_id?: string;
  link_id?: string;
  source_partner_id?: string;
  level?: number;
  currency?: string;
  accrued_after?: string;
  accrued_before?: string;
};

const PATH = "/v1/partners/deals/commissions";
export const EARNED_MONTHS = 12;

function queryOf({ status, kind, ...rest }: CommissionFilter) {
  return { ...rest, ...(status ? { status: [status] } : {}), ...(kind ? { kind: [kind] } : {}) };
}

export const listRequest = (filter: CommissionFilter) => `GET ${PATH}${queryText({ ...queryOf(filter), limit: PAGE_ROWS })}`;
/** The page that lists what a month earned. */
export const monthAddress = (month: string, currency: string) => `/earn/commissions?month=${month}&currency=${currency}`;
export const oneRequest = (id: string) => `GET ${PATH}/${id}`;
export const exportAddress = (filter: CommissionFilter) =>
  `/portal/api${PATH}${queryText({ ...queryOf(filter), format: "csv" })}`;

export function useCommissions(filter: CommissionFilter, enabled = true) {
  return useList<Commission>(
    ["commissions", "list", filter],
    async (cursor, signal) => {
      const query = { ...queryOf(filter), limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
      return (await api.GET(PATH, { params: { query }, signal })).data;
    },
    enabled,
  );
}

export function useCommission(id: string) {
  return useQuery({
    queryKey: ["commissions", "one", id],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
  });
}

/** What stands where, in each currency. */
export function useBalances(enabled = true) {
  return useQuery({
    queryKey: ["commissions", "balances"],
    queryFn: async ({ signal }) => {
      const query = { summary: true, limit: 1 };
      return (await api.GET(PATH, { params: { query }, signal })).data.summary ?? [];
    },
    enabled,
  });
}

/** What the months of one currency earned; months without a commission are 0. */
export type Earned = MonthsOf;

/** The last twelve months with this one, by currency, the one that earned most first. */
export function useEarnedByMonth(enabled = true) {
  return useQuery({
    queryKey: ["commissions", "months"],
    queryFn: async ({ signal }): Promise<Earned[]> => {
      const { data } = (await api.GET(`${PATH}/summary`, { params: { query: { group_by: "month" as const } }, signal })).data;
      const total = (currency: string) =>
        data.reduce((sum, row) => (row.currency === currency ? sum + Math.abs(row.amount_cents) : sum), 0);
      const currencies = [...new Set(data.map(({ currency }) => currency))].sort((a, b) => total(b) - total(a));
      return currencies.map((currency) => ({
        currency,
        months: lastMonths(EARNED_MONTHS).map((month) => ({
          month,
          amount_cents: data.find((row) => row.key === month && row.currency === currency)?.amount_cents ?? 0,
        })),
      }));
    },
    enabled,
  });
}

/** How a commission was moved between the accounts of the book, oldest first. */
export function useTransfersOf(commission_id: string) {
  return useQuery({
    queryKey: ["commissions", "transfers", commission_id],
    queryFn: async ({ signal }) => {
      const query = { commission_id, limit: PAGE_ROWS };
      return (await api.GET("/v1/partners/ledger/entries", { params: { query }, signal })).data.data;
    },
  });
}
