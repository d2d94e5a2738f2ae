import type { components } from "@tributary/sdk";
import { api } from "../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../api/lists.ts";

export type Entry = components["schemas"]["OperatorAuditEntry"];
export type AuditFilter = {
  partner_id?: string;
  action?: string;
  outcome?: Entry["outcome"];
  counted?: boolean;
};

const PATH = "/v1/admin/audit-log";

export const listRequest = (filter: AuditFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;

export const exportAddress = (filter: AuditFilter) => `/portal/api${PATH}${queryText({ ...filter, format: "csv" })}`;

export function useEntries(filter: AuditFilter) {
  return useList<Entry>(["operator", "audit-log", filter], async (cursor, signal) => {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}
