import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError, type components } from "@tributary/sdk";
import { api } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";

type Schemas = components["schemas"];
export type Payout = Schemas["Payout"];
export type PayoutDetail = Schemas["PayoutDetail"];
export type PayoutStatus = Payout["status"];
export type Upcoming = Schemas["UpcomingPayout"];
export type PayoutBlocker = Schemas["PayoutBlocker"];
export type Method = Schemas["PayoutMethod"];
export type MethodBody = Schemas["PayoutMethodPut"];

/** What the list is narrowed to; names as the API has them. */
export type PayoutFilter = { status?: PayoutStatus; currency?: string; created_after?: string; created_before?: string };

const PATH = "/v1/partners/payouts";
const METHOD = "/v1/partners/account/payout-method";

export const UPCOMING_REQUEST = `GET ${PATH}/upcoming`;
export const METHOD_REQUEST = `GET ${METHOD}`;
export const oneRequest = (id: string) => `GET ${PATH}/${id}`;

const queryOf = ({ status, ...rest }: PayoutFilter) => ({ ...rest, ...(status ? { status: [status] } : {}) });
export const listRequest = (filter: PayoutFilter) => `GET ${PATH}${queryText({ ...queryOf(filter), limit: PAGE_ROWS })}`;
export const exportAddress = (filter: PayoutFilter) => `/portal/api${PATH}${queryText({ ...queryOf(filter), format: "csv" })}`;

/** The statement, which the browser opens. */
export const statementAddress = (id: string, format: "pdf" | "csv") =>
  `/portal/api${PATH}/${id}/statement${format === "csv" ? ".csv" : ""}`;

export function usePayouts(filter: PayoutFilter) {
  return useList<Payout>(["payouts", "list", filter], async (cursor, signal) => {
    const query = { ...queryOf(filter), limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export function usePayout(id: string, enabled = true) {
  return useQuery({
    queryKey: ["payouts", "one", id],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
    enabled,
  });
}

/** What a payout pays, page by page. */
export function useCommissionsOf(id: string) {
  return useList<Schemas["Commission"]>(["payouts", "commissions", id], async (cursor, signal) => {
    const query = { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(`${PATH}/{id}/commissions`, { params: { path: { id }, query }, signal })).data;
  });
}

/** What the next run would pay, by currency, and what stands in its way. */
export function useUpcoming(enabled = true) {
  return useQuery({
    queryKey: ["payouts", "upcoming"],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/upcoming`, { signal })).data.data,
    meta: { live: ["commissions"] },
    enabled,
  });
}

/** Where the partner is paid; null for nowhere. */
export function useMethod(enabled = true) {
  return useQuery({
    queryKey: ["payouts", "method"],
    queryFn: async ({ signal }): Promise<Method | null> => {
      try {
        return (await api.GET(METHOD, { signal })).data;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    enabled,
  });
}

/** What a change of the method concerns: the method, and what is paid next. */
function useMethodChanged() {
  const queries = useQueryClient();
  return (method: Method | null) => {
    queries.setQueryData(["payouts", "method"], method);
    void queries.invalidateQueries({ queryKey: ["payouts", "upcoming"] });
  };
}

export function useSetMethod() {
  return useMutation({
    mutationFn: async (body: MethodBody) => (await api.PUT(METHOD, { body })).data,
    onSuccess: useMethodChanged(),
  });
}

export function useRemoveMethod() {
  const changed = useMethodChanged();
  return useMutation({
    mutationFn: async () => void (await api.DELETE(METHOD)),
    onSuccess: () => changed(null),
  });
}
