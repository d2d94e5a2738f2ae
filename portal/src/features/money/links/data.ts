import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";
import { isPartnerWide, useMay, useSession } from "../../../api/session.ts";
import { lastDaysUtc } from "../../../ui/days.ts";

type Schemas = components["schemas"];
export type AffiliateLink = Schemas["AffiliateLink"];
export type LinkRow = Schemas["AffiliateLinkRow"];
export type LinkStatus = AffiliateLink["status"];
export type LinkBody = Schemas["AffiliateLinkCreate"];
export type LinkPatch = Schemas["AffiliateLinkPatch"];
export type LinkDay = Schemas["LinkDay"];
export type LinkStats = Schemas["LinkStats"];
export type LinkTotals = Schemas["LinkTotals"];

/** What the list is narrowed to. */
export type LinkFilter = { status: LinkStatus[]; campaign?: string; code?: string };

const PATH = "/v1/partners/affiliate-links";
const keys = {
  all: ["affiliate_links"] as const,
  list: (filter: LinkFilter) => ["affiliate_links", "list", filter] as const,
  one: (id: string) => ["affiliate_links", "one", id] as const,
  stats: (id: string, days: number) => ["affiliate_links", "stats", id, days] as const,
};
/** No hint tells of a click. */
const CLICKS_MS = 15_000;

export const listRequest = (filter: LinkFilter) => `GET ${PATH}${queryText({ ...filter, totals: true, limit: PAGE_ROWS })}`;
export const exportAddress = (filter: LinkFilter) => `/portal/api${PATH}${queryText({ ...filter, totals: true, format: "csv" })}`;

export const statsRequest = (id: string, days: number) => `GET ${PATH}/${id}/stats${queryText(lastDaysUtc(days))}`;
export const statsAddress = (id: string, days: number) =>
  `/portal/api${PATH}/${id}/stats${queryText({ ...lastDaysUtc(days), format: "csv" })}`;

/** Links with what each brought since it was made. */
export function useLinks(filter: LinkFilter) {
  return useList<LinkRow>(
    keys.list(filter),
    async (cursor, signal) => {
      const query = { ...filter, totals: true, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
      return (await api.GET(PATH, { params: { query }, signal })).data;
    },
    true,
    CLICKS_MS,
  );
}

export function useLink(id: string, enabled = true) {
  return useQuery({
    queryKey: keys.one(id),
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
    enabled,
  });
}

/** The code of the link that a record came by; null for those who may not see it. */
export function useLinkCode(id: string | null): string | null {
  const session = useSession();
  const may = useMay()("affiliate_links:read") && isPartnerWide(session);
  const { data } = useLink(id ?? "", may && id !== null);
  return data?.code ?? null;
}

/** Links to choose from, the newest first, and the one that is chosen; none for those who may not see them. */
export function useLinkOptions(chosen: string | null): readonly { value: string; label: string }[] {
  const session = useSession();
  const enabled = useMay()("affiliate_links:read") && isPartnerWide(session);
  const { data = [] } = useQuery({
    queryKey: ["affiliate_links", "options"],
    queryFn: async ({ signal }) => (await api.GET(PATH, { params: { query: { limit: 100 } }, signal })).data.data,
    enabled,
  });
  const code = useLinkCode(chosen);
  const options = new Map(data.map(({ id, code }) => [id, code]));
  if (enabled && chosen !== null) options.set(chosen, code ?? chosen);
  return [...options].map(([value, label]) => ({ value, label }));
}

/** The last days with today, in UTC. */
export function useLinkStats(id: string, days: number) {
  return useQuery({
    queryKey: keys.stats(id, days),
    queryFn: async ({ signal }) =>
      (await api.GET(`${PATH}/{id}/stats`, { params: { path: { id }, query: lastDaysUtc(days) }, signal })).data,
    placeholderData: (before) => before,
    refetchInterval: CLICKS_MS,
    meta: { live: ["leads", "deals", "commissions"] },
  });
}

function useChanged() {
  const queries = useQueryClient();
  return async (link?: AffiliateLink) => {
    if (link) queries.setQueryData(keys.one(link.id), link);
    await queries.invalidateQueries({ queryKey: keys.all });
  };
}

export function useCreateLink() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ body, key }: { body: LinkBody; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    onSuccess: changed,
  });
}

export function useUpdateLink() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ link, body }: { link: Pick<AffiliateLink, "id" | "version">; body: LinkPatch }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: link.id }, header: ifMatch(link.version) } })).data,
    onSuccess: changed,
  });
}

export function useArchiveLink() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ id, version }: AffiliateLink): Promise<AffiliateLink> => {
      await api.DELETE(`${PATH}/{id}`, { params: { path: { id }, header: ifMatch(version) } });
      return (await api.GET(`${PATH}/{id}`, { params: { path: { id } } })).data;
    },
    onSuccess: changed,
  });
}
