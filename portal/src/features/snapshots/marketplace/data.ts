import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";
import { useWrite } from "../../../api/writes.ts";

type Schemas = components["schemas"];
export type Offer = Schemas["Offer"];
export type OfferDetail = Schemas["OfferDetail"];
export type Listing = Schemas["Listing"];
export type ListingBody = Schemas["ListingSet"];
export type Purchase = Schemas["Purchase"];
export type PurchaseStatus = Purchase["status"];

export type OfferFilter = { q?: string; free?: boolean };
export type PurchaseFilter = { role?: Purchase["role"]; status?: PurchaseStatus[]; snapshot_id?: string };

const PATH = "/v1/partners/marketplace";
const PURCHASES = "/v1/partners/purchases";
const SNAPSHOTS = "/v1/partners/snapshots";
/** What a purchase changes, and what an offer does. */
const SHOWN = ["marketplace", "purchases", "snapshots"] as const;

export const offersRequest = (filter: OfferFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const offerRequest = (id: string) => `GET ${PATH}/${id}`;
export const purchasesRequest = (filter: PurchaseFilter) => `GET ${PURCHASES}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const purchasesExport = (filter: PurchaseFilter) => `/portal/api${PURCHASES}${queryText({ ...filter, format: "csv" })}`;

/** What partners offer, those that were listed last first. */
export function useOffers(filter: OfferFilter) {
  return useList<Offer>(["marketplace", "list", filter], async (cursor, signal) => {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export function useOffer(id: string) {
  return useQuery({
    queryKey: ["marketplace", "one", id],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
    meta: { live: ["purchases"] },
  });
}

export function useBuy() {
  return useWrite(
    async ({ offer, key }: { offer: Offer; key: string }) =>
      (
        await api.POST(`${SNAPSHOTS}/{id}/purchases`, {
          params: { path: { id: offer.id }, header: idempotency(key) },
          // The price that was seen: another one is refused.
          body: { price_cents: offer.price_cents, currency: offer.currency },
        })
      ).data,
    ...SHOWN,
  );
}

/** Cancels the partner's purchase of a snapshot that is not paid yet. False: it is no longer due. */
export function useCancelPurchase() {
  return useWrite(
    async (snapshot_id: string) => {
      const query = { snapshot_id, role: "buyer", status: ["due"] } satisfies PurchaseFilter;
      const [due] = (await api.GET(PURCHASES, { params: { query } })).data.data;
      if (due === undefined) return false;
      await api.POST(`${PURCHASES}/{id}/cancel`, { params: { path: { id: due.id }, header: ifMatch(due.version) } });
      return true;
    },
    ...SHOWN,
  );
}

/** What was bought and sold, newest first. */
export function usePurchases(filter: PurchaseFilter) {
  return useList<Purchase>(["purchases", "list", filter], async (cursor, signal) => {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PURCHASES, { params: { query }, signal })).data;
  });
}

/** The partner's own offer of a snapshot, where there is one. */
export function useListing(id: string, enabled: boolean) {
  return useQuery({
    queryKey: ["snapshots", "listing", id],
    queryFn: async ({ signal }) => (await api.GET(`${SNAPSHOTS}/{id}/listing`, { params: { path: { id } }, signal })).data,
    enabled,
  });
}

export function useSetListing() {
  return useWrite(
    async ({ id, listing, body }: { id: string; listing: Listing | undefined; body: ListingBody }) =>
      (
        await api.PUT(`${SNAPSHOTS}/{id}/listing`, {
          params: { path: { id }, header: listing === undefined ? {} : ifMatch(listing.version) },
          body,
        })
      ).data,
    ...SHOWN,
  );
}

export function useWithdraw() {
  return useWrite(
    async ({ snapshot_id: id, version }: Listing) =>
      (await api.DELETE(`${SNAPSHOTS}/{id}/listing`, { params: { path: { id }, header: ifMatch(version) } })).data,
    ...SHOWN,
  );
}
