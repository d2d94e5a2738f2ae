import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, ifMatch } from "../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../api/lists.ts";
import { useWrite } from "../../api/writes.ts";

type Schemas = components["schemas"];
export type Listing = Schemas["OperatorListing"];
export type ListingDetail = Schemas["OperatorListingDetail"];
export type Review = Listing["review"];
export type Purchase = Schemas["OperatorPurchase"];
export type PurchaseStatus = Purchase["status"];

export type ListingFilter = { review?: Review[]; partner_id?: string };
export type PurchaseFilter = { status?: PurchaseStatus[]; partner_id?: string; snapshot_id?: string };

const LISTINGS = "/v1/admin/snapshots";
const PURCHASES = "/v1/admin/purchases";

export const listingsRequest = (filter: ListingFilter) => `GET ${LISTINGS}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const purchasesRequest = (filter: PurchaseFilter) => `GET ${PURCHASES}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const purchasesExport = (filter: PurchaseFilter) => `/portal/api${PURCHASES}${queryText({ ...filter, format: "csv" })}`;

/** What partners offer, those that were submitted first before others. */
export function useListings(filter: ListingFilter) {
  return useList<Listing>(["listings", "list", filter], async (cursor, signal) => {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(LISTINGS, { params: { query }, signal })).data;
  });
}

/** An offer with what was submitted. */
export function useListing(id: string) {
  return useQuery({
    queryKey: ["listings", "one", id],
    queryFn: async ({ signal }) => (await api.GET(`${LISTINGS}/{id}`, { params: { path: { id } }, signal })).data,
  });
}

export type Decision = "approve" | "reject" | "unlist";

/** Approves what was read, refuses it, or takes down what is listed. An offer that was changed meanwhile is not decided. */
export function useDecide() {
  return useWrite(
    async ({ listing, as, reason }: { listing: Listing; as: Decision; reason: string }) => {
      const params = { path: { id: listing.snapshot_id }, header: ifMatch(listing.version) };
      if (as === "approve") return (await api.POST(`${LISTINGS}/{id}/approve`, { params })).data;
      return (await api.POST(`${LISTINGS}/{id}/${as}`, { params, body: { reason } })).data;
    },
    "listings",
    "operator",
  );
}

/** The purchases of all partners, newest first. */
export function usePurchases(filter: PurchaseFilter) {
  return useList<Purchase>(["purchases", "list", filter], async (cursor, signal) => {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PURCHASES, { params: { query }, signal })).data;
  });
}

export function usePurchase(id: string) {
  return useQuery({
    queryKey: ["purchases", "one", id],
    queryFn: async ({ signal }) => (await api.GET(`${PURCHASES}/{id}`, { params: { path: { id } }, signal })).data,
  });
}

/** Ends a purchase that is due: its price is there, or never will be. */
export function useEndPurchase() {
  return useWrite(
    async ({ purchase: { id, version }, as }: { purchase: Purchase; as: "complete" | "cancel" }) => {
      const params = { path: { id }, header: ifMatch(version) };
      if (as === "complete") return (await api.POST(`${PURCHASES}/{id}/complete`, { params })).data;
      return (await api.POST(`${PURCHASES}/{id}/cancel`, { params })).data;
    },
    "purchases",
    "operator",
  );
}
