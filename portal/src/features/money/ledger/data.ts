import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";

type Schemas = components["schemas"];
export type Entry = Schemas["LedgerEntry"];
export type Account = Entry["account"];
export type TrialBalance = Schemas["TrialBalance"];
export type EntryFilter = { account?: Account; currency?: string; commission_id?: string; at_after?: string; at_before?: string };

const ENTRIES = "/v1/partners/ledger/entries";
const TRIAL = "/v1/partners/ledger/trial-balance";

const asOf = (as_of: string | undefined) => (as_of === undefined ? {} : { as_of });

export const entriesRequest = (filter: EntryFilter) => `GET ${ENTRIES}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const trialRequest = (as_of: string | undefined) => `GET ${TRIAL}${queryText(asOf(as_of))}`;
export const entriesExport = (filter: EntryFilter) => `/portal/api${ENTRIES}${queryText({ ...filter, format: "csv" })}`;
export const trialExport = (as_of: string | undefined) => `/portal/api${TRIAL}${queryText({ ...asOf(as_of), format: "csv" })}`;

/** Nothing moves in the book without a change of a commission, so its keys begin with them. */
export function useEntries(filter: EntryFilter, enabled: boolean) {
  return useList<Entry>(
    ["commissions", "entries", filter],
    async (cursor, signal) => {
      const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
      return (await api.GET(ENTRIES, { params: { query }, signal })).data;
    },
    enabled,
  );
}

/** The balance of each account, now or at a time that has passed. */
export function useTrialBalance(as_of: string | undefined) {
  return useQuery({
    queryKey: ["commissions", "trial-balance", as_of],
    queryFn: async ({ signal }) => (await api.GET(TRIAL, { params: { query: asOf(as_of) }, signal })).data,
    placeholderData: (before) => before,
  });
}
