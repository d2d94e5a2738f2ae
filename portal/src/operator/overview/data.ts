import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api } from "../../api/client.ts";

export type Overview = components["schemas"]["OperatorOverview"];

export const REQUEST = "GET /v1/admin/overview";
const EVERY_MS = 30_000;

/** The whole first page in one request. */
export function useOverview() {
  return useQuery({
    queryKey: ["operator", "overview"],
    queryFn: async ({ signal }) => (await api.GET("/v1/admin/overview", { signal })).data,
    refetchInterval: EVERY_MS,
  });
}
