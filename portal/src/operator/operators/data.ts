import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency } from "../../api/client.ts";
import { PAGE_ROWS, useList } from "../../api/lists.ts";

export type OperatorKey = components["schemas"]["OperatorKey"];

const PATH = "/v1/admin/keys";
const queryKey = ["operator-keys"];

export function useOperatorKeys() {
  return useList<OperatorKey>(queryKey, async (cursor, signal) => {
    const query = { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export function useCreateOperatorKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, key }: { name: string; key: string }) =>
      (await api.POST(PATH, { body: { name }, params: { header: idempotency(key) } })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
}

export function useRevokeOperatorKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => void (await api.DELETE(`${PATH}/{id}`, { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
}
