import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../api/lists.ts";

type Schemas = components["schemas"];
export type Partner = Schemas["Partner"];

export type PartnerFilter = { status?: Partner["status"]; q?: string; access?: boolean; grade?: string };

const PATH = "/v1/admin/partners";
const keys = {
  all: ["partners"] as const,
  list: (filter: PartnerFilter) => ["partners", "list", filter] as const,
  one: (id: string) => ["partners", "one", id] as const,
  like: (text: string) => ["partners", "like", text] as const,
};

const queryOf = ({ status, q, access, grade }: PartnerFilter) => ({
  ...(status ? { status: [status] } : {}),
  ...(q ? { q } : {}),
  ...(grade ? { grade: [grade] } : {}),
  ...(access === undefined ? {} : { api_access: access }),
});

export const listRequest = (filter: PartnerFilter) => `GET ${PATH}${queryText({ ...queryOf(filter), limit: PAGE_ROWS })}`;

export function usePartners(filter: PartnerFilter) {
  return useList<Partner>(keys.list(filter), async (cursor, signal) => {
    const query = { ...queryOf(filter), limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export function usePartner(id: string) {
  return useQuery({
    queryKey: keys.one(id),
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
    enabled: id !== "",
  });
}

/** A few partners by the beginning of their name, for choices. */
export function usePartnersLike(text: string) {
  return useQuery({
    queryKey: keys.like(text),
    queryFn: async ({ signal }) =>
      (await api.GET(PATH, { params: { query: { limit: 10, ...(text === "" ? {} : { q: text }) } }, signal })).data.data,
    placeholderData: (before) => before,
  });
}

const NAMES_MAX = 30;

/** The companies of some partners by their ids. */
export function usePartnerNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(ids)].slice(0, NAMES_MAX);
  const found = useQueries({
    queries: wanted.map((id) => ({
      queryKey: keys.one(id),
      queryFn: async () => (await api.GET(`${PATH}/{id}`, { params: { path: { id } } })).data,
      staleTime: 60_000,
    })),
  });
  return new Map(found.flatMap(({ data }) => (data ? [[data.id, data.company] as const] : [])));
}

function useChanged() {
  const queries = useQueryClient();
  return async (partner: Partner) => {
    queries.setQueryData(keys.one(partner.id), partner);
    await queries.invalidateQueries({ queryKey: keys.all });
  };
}

export function useCreatePartner() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ body, key }: { body: Schemas["PartnerCreate"]; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    onSuccess: changed,
  });
}

export function useUpdatePartner() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ partner, body }: { partner: Partner; body: Schemas["PartnerPatch"] }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: partner.id }, header: ifMatch(partner.version) } })).data,
    onSuccess: changed,
  });
}

export function usePartnerStatus() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ partner, to, reason }: { partner: Partner; to: "suspend" | "reactivate"; reason?: string }) => {
      const params = { path: { id: partner.id }, header: ifMatch(partner.version) };
      return to === "suspend"
        ? (await api.POST(`${PATH}/{id}/suspend`, { body: reason ? { reason } : {}, params })).data
        : (await api.POST(`${PATH}/{id}/reactivate`, { params })).data;
    },
    onSuccess: changed,
  });
}
