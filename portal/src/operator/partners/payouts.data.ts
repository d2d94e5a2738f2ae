import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError, type components } from "@tributary/sdk";
import { api, ifMatch } from "../../api/client.ts";

type Schemas = components["schemas"];
export type Method = Schemas["PayoutMethod"];
export type MethodBody = Schemas["PayoutMethodPut"];
export type Hold = Schemas["PayoutHold"];

const METHOD = "/v1/admin/partners/{id}/payout-method";
const HOLD = "/v1/admin/partners/{id}/payout-hold";
const methodKey = (id: string) => ["partners", "payout-method", id] as const;
const holdKey = (id: string) => ["partners", "payout-hold", id] as const;

/** Where a partner is paid; null where nothing is set. */
export function usePayoutMethod(id: string) {
  return useQuery({
    queryKey: methodKey(id),
    queryFn: async ({ signal }): Promise<Method | null> => {
      try {
        return (await api.GET(METHOD, { params: { path: { id } }, signal })).data;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
}

/** What a run would do with the partner changes with both. */
function useStale() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ["payout-runs"] });
}

export function useSetMethod(id: string) {
  const queries = useQueryClient();
  const stale = useStale();
  return useMutation({
    mutationFn: async (body: MethodBody | null): Promise<Method | null> => {
      const params = { path: { id } };
      if (body !== null) return (await api.PUT(METHOD, { body, params })).data;
      await api.DELETE(METHOD, { params });
      return null;
    },
    onSuccess: async (saved) => {
      queries.setQueryData(methodKey(id), saved);
      await stale();
    },
  });
}

export function usePayoutHold(id: string) {
  return useQuery({
    queryKey: holdKey(id),
    queryFn: async ({ signal }) => (await api.GET(HOLD, { params: { path: { id } }, signal })).data,
  });
}

export function useSetHold(id: string) {
  const queries = useQueryClient();
  const stale = useStale();
  return useMutation({
    mutationFn: async ({ version, body }: { version: number; body: Schemas["PayoutHoldPut"] }) =>
      (await api.PUT(HOLD, { body, params: { path: { id }, header: ifMatch(version) } })).data,
    onSuccess: async (saved) => {
      queries.setQueryData(holdKey(id), saved);
      await stale();
    },
  });
}
