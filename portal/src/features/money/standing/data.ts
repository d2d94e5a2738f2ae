import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api } from "../../../api/client.ts";
import { PAGE_ROWS, useList } from "../../../api/lists.ts";

type Schemas = components["schemas"];
export type Standing = Schemas["TierStanding"];
export type Requirement = Schemas["TierProgress"];
export type Tier = Schemas["Tier"];
export type Grant = Schemas["CertificationGrant"];
export type TierChange = Schemas["TierChange"];

export const REQUEST = "GET /v1/partners/account/tier";

/** Counted at the time of the request: clients and sales change it. */
export function useStanding(enabled = true) {
  return useQuery({
    queryKey: ["tiers", "standing"],
    queryFn: async ({ signal }) => (await api.GET("/v1/partners/account/tier", { signal })).data,
    meta: { live: ["clients", "deals", "commissions"] },
    enabled,
  });
}

/** The tiers of the programme, the lowest first. */
export function useTiers() {
  return useQuery({
    queryKey: ["tiers", "all"],
    queryFn: async ({ signal }) => (await api.GET("/v1/partners/tiers", { signal })).data.data,
  });
}

/** The certifications of the partner, newest first; those that have ended too. */
export function useCertifications() {
  return useList<Grant>(["tiers", "certifications"], async (cursor, signal) => {
    const query = { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET("/v1/partners/account/certifications", { params: { query }, signal })).data;
  });
}

export function useTierChanges() {
  return useList<TierChange>(["tiers", "changes"], async (cursor, signal) => {
    const query = { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET("/v1/partners/account/tier-changes", { params: { query }, signal })).data;
  });
}
