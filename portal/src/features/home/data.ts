import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api } from "../../api/client.ts";

type Schemas = components["schemas"];
export type Overview = Schemas["Overview"];
export type Revenue = Schemas["Revenue"];
export type Need = Overview["needs"]["items"][number];
export type RecentEvent = Schemas["RecentEvent"];

export const REQUEST = "GET /v1/partners/overview";
const REFRESH_MS = 60_000;

/** The deal of the demo programme that waits to be won; null once somebody has won it. */
export function useDemoDeal(enabled: boolean) {
  return useQuery({
    queryKey: ["deals", "demo"],
    queryFn: async ({ signal }) => {
      const query = { q: "Dune Architects", status: ["open" as const], limit: 1 };
      return (await api.GET("/v1/deals", { params: { query }, signal })).data.data[0] ?? null;
    },
    enabled,
  });
}

/** The whole home in one request. */
export function useOverview() {
  return useQuery({
    queryKey: ["overview"],
    queryFn: async ({ signal }) => (await api.GET("/v1/partners/overview", { signal })).data,
    meta: { live: ["clients", "deals", "leads", "contacts", "imports", "webhooks", "approvals"] },
    refetchInterval: REFRESH_MS,
  });
}
