import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { BASE } from "../../api/base.ts";
import { api, idempotency, ifMatch } from "../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../api/lists.ts";

type Schemas = components["schemas"];
export type Payout = Schemas["OperatorPayout"];
export type PayoutDetail = Schemas["OperatorPayoutDetail"];
export type Status = Payout["status"];
export type Outcome = Schemas["PayoutOutcomes"]["outcomes"][number];
export type OutcomesResult = Schemas["PayoutOutcomesResult"];

export type PayoutFilter = {
  partner_id?: string;
  run_id?: string;
  status?: Status[];
  currency?: string;
  created_after?: string;
  created_before?: string;
};

const PATH = "/v1/admin/payouts";
const keys = {
  list: (filter: PayoutFilter) => ["payouts", "list", filter] as const,
  one: (id: string) => ["payouts", "one", id] as const,
  commissions: (id: string) => ["payouts", "commissions", id] as const,
};

export const listRequest = (filter: PayoutFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const oneRequest = (id: string) => `GET ${PATH}/${id}`;
export const exportHref = (filter: PayoutFilter) => `${BASE}${PATH}${queryText({ ...filter, format: "csv" })}`;
export const statementHref = (id: string) => `${BASE}${PATH}/${id}/statement`;

/** `refresh_ms` while something goes on that changes them. */
export function usePayouts(filter: PayoutFilter) {
  return useList<Payout>(keys.list(filter), async (cursor, signal) => {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export function usePayout(id: string) {
  return useQuery({
    queryKey: keys.one(id),
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
  });
}

export function usePayoutCommissions(id: string) {
  return useList<Schemas["OperatorCommission"]>(keys.commissions(id), async (cursor, signal) => {
    const params = { path: { id }, query: { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) } };
    return (await api.GET(`${PATH}/{id}/commissions`, { params, signal })).data;
  });
}

/** A payout that moves takes its commissions, the book and what a run would do with it. */
function useMoved() {
  const queries = useQueryClient();
  return async () => {
    for (const name of ["payouts", "payout-runs", "commissions", "ledger", "operator"])
      await queries.invalidateQueries({ queryKey: [name] });
  };
}

export type Act = "retry" | "cancel";

export function useMovePayout() {
  const moved = useMoved();
  return useMutation({
    mutationFn: async ({ payout: { id, version }, act }: { payout: Pick<Payout, "id" | "version">; act: Act }) => {
      const params = { path: { id }, header: ifMatch(version) };
      return act === "retry"
        ? (await api.POST(`${PATH}/{id}/retry`, { params })).data
        : (await api.POST(`${PATH}/{id}/cancel`, { params })).data;
    },
    onSuccess: moved,
  });
}

/** As many as one request may have. */
export const OUTCOMES_MAX = 500;

export function useOutcomes() {
  const moved = useMoved();
  return useMutation({
    mutationFn: async ({ outcomes, key }: { outcomes: Outcome[]; key: string }) =>
      (await api.POST(`${PATH}/outcomes`, { body: { outcomes }, params: { header: idempotency(key) } })).data,
    onSuccess: moved,
  });
}

/** What outcomes would change; nothing is changed. */
export function useOutcomesPreview(outcomes: readonly Outcome[]) {
  return useQuery({
    queryKey: ["payouts", "outcomes", outcomes],
    queryFn: async ({ signal }) =>
      (await api.POST(`${PATH}/outcomes`, { body: { outcomes: [...outcomes], dry_run: true }, signal })).data,
    enabled: outcomes.length > 0 && outcomes.length <= OUTCOMES_MAX,
    retry: false,
  });
}
