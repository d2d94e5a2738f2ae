import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { BASE } from "../../../api/base.ts";
import { api } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";

export type Entry = components["schemas"]["LedgerEntry"];
export type Account = Entry["account"];
export type EntryFilter = { account?: Account; currency?: string; commission_id?: string };

const PATH = "/v1/admin/partners/{id}/ledger/entries";
const addressOf = (partner_id: string, query: Record<string, unknown>) =>
  `${PATH.replace("{id}", partner_id)}${queryText(query)}`;

export const entriesRequest = (partner_id: string, filter: EntryFilter) =>
  `GET ${addressOf(partner_id, { ...filter, limit: PAGE_ROWS })}`;
export const entriesHref = (partner_id: string, filter: EntryFilter) =>
  `${BASE}${addressOf(partner_id, { ...filter, format: "csv" })}`;

export function useEntries(partner_id: string, filter: EntryFilter) {
  return useList<Entry>(["ledger", partner_id, filter], async (cursor, signal) => {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { path: { id: partner_id }, query }, signal })).data;
  });
}

/** The balances of all accounts of a book. */
export function useAccounts(partner_id: string) {
  return useQuery({
    queryKey: ["ledger", partner_id, "accounts"],
    queryFn: async ({ signal }) =>
      (await api.GET("/v1/admin/partners/{id}/ledger/accounts", { params: { path: { id: partner_id } }, signal })).data.data,
  });
}
