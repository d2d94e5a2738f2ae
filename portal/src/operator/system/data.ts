import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api } from "../../api/client.ts";

export type Health = components["schemas"]["SystemHealth"];

/** Asked again every few seconds while somebody looks. */
const EVERY_MS = 5_000;

export function useHealth() {
  return useQuery({
    queryKey: ["operator", "health"],
    queryFn: async ({ signal }) => (await api.GET("/v1/admin/health", { signal })).data,
    refetchInterval: EVERY_MS,
  });
}
