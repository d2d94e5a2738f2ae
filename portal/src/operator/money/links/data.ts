import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { BASE } from "../../../api/base.ts";
import { api, ifMatch } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";
import { useWrite } from "../../../api/writes.ts";

export type OperatorLink = components["schemas"]["OperatorAffiliateLink"];
export type LinkStatus = OperatorLink["status"];
export type LinkFilter = { status?: LinkStatus[]; partner_id?: string; campaign?: string; code?: string };

const PATH = "/v1/admin/affiliate-links";

export const listRequest = (filter: LinkFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const exportAddress = (filter: LinkFilter) => `${BASE}${PATH}${queryText({ ...filter, format: "csv" })}`;

/** The links of all partners, newest first. */
export function useLinks(filter: LinkFilter) {
  return useList<OperatorLink>(["affiliate_links", "list", filter], async (cursor, signal) => {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export function useLink(id: string) {
  return useQuery({
    queryKey: ["affiliate_links", "one", id],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
  });
}

/** Blocks a link with a reason, or without one gives it back. */
export function useSetBlocked() {
  return useWrite(async ({ link: { id, version }, reason }: { link: OperatorLink; reason: string | null }) => {
    const params = { path: { id }, header: ifMatch(version) };
    if (reason === null) return (await api.POST(`${PATH}/{id}/unblock`, { params })).data;
    return (await api.POST(`${PATH}/{id}/block`, { params, body: { reason } })).data;
  }, "affiliate_links");
}
