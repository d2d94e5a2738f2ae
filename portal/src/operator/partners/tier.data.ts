import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api } from "../../api/client.ts";
import { useList } from "../../api/lists.ts";

type Schemas = components["schemas"];
export type Standing = Schemas["TierStanding"];
export type TierChange = Schemas["TierChange"];

const meta = { live: ["tiers", "clients", "certifications"] };

/** How a partner stands: what it has of what the next tier, and its own, ask for. */
export function useStanding(id: string) {
  return useQuery({
    queryKey: ["partners", "tier", id],
    queryFn: async ({ signal }) => (await api.GET("/v1/admin/partners/{id}/tier", { params: { path: { id } }, signal })).data,
    meta,
  });
}

export function useTierChanges(id: string) {
  return useList<TierChange>(["partners", "tier-changes", id], async (cursor, signal) => {
    const query = { limit: 20, ...(cursor ? { cursor } : {}) };
    return (await api.GET("/v1/admin/partners/{id}/tier-changes", { params: { path: { id }, query }, signal })).data;
  });
}
