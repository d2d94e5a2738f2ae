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

/** The whole home in one request. */
export function useOverview() {
  return useQuery({
    queryKey: ["overview"],
    queryFn: async ({ signal }) => (await api.GET("/v1/partners/overview", { signal })).data,
    meta: { live: ["clients", "deals", "leads", "contacts", "imports", "webhooks"] },
    refetchInterval: REFRESH_MS,
  });
}
