import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api } from "../../api/client.ts";

export type Overview = components["schemas"]["OperatorOverview"];

export const REQUEST = "GET /v1/admin/overview";
const EVERY_MS = 30_000;

/** The whole first page in one request. What has it in passing does not ask again and again. */
export function useOverview({ enabled = true, repeats = false }: { enabled?: boolean; repeats?: boolean } = {}) {
  return useQuery({
    queryKey: ["operator", "overview"],
    queryFn: async ({ signal }) => (await api.GET("/v1/admin/overview", { signal })).data,
    enabled,
    refetchInterval: repeats && EVERY_MS,
  });
}
