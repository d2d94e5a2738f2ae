import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../api/lists.ts";

type Schemas = components["schemas"];
export type Client = Schemas["Client"];
export type ClientStatus = Client["status"];
export type Activity = Schemas["Activity"];
type Bulk = Schemas["ClientBulkChange"];

export const SORTS = ["-updated_at", "-created_at", "created_at", "company", "-company"] as const;
export type Sort = (typeof SORTS)[number];

/** What the list is narrowed to. */
export type ClientFilter = { status?: ClientStatus; q?: string; tag?: string; plan?: string; sort: Sort };

const PATH = "/v1/partners/clients";
/** The first part of every key is the resource: a hint about a client then reaches all of them. */
const keys = {
  all: ["clients"] as const,
  list: (filter: ClientFilter) => ["clients", "list", filter] as const,
  one: (id: string) => ["clients", "one", id] as const,
  activity: (id: string) => ["clients", "activity", id] as const,
  like: (text: string) => ["clients", "like", text] as const,
};

function queryOf({ status, q, tag, plan, sort }: ClientFilter) {
  return {
    sort,
    ...(status ? { status: [status] } : {}),
    ...(q ? { q } : {}),
    ...(tag ? { tag: [tag] } : {}),
    ...(plan ? { plan: [plan] } : {}),
  };
}

/** The requests of the list, for people: the one that fills it, and the one that exports it. */
export const listRequest = (filter: ClientFilter) => `GET ${PATH}${queryText({ ...queryOf(filter), limit: PAGE_ROWS })}`;
export const exportAddress = (filter: ClientFilter) => `/portal/api${PATH}${queryText({ ...queryOf(filter), format: "csv" })}`;

export function useClients(filter: ClientFilter) {
  return useList<Client>(keys.list(filter), async (cursor, signal) => {
    const query = { ...queryOf(filter), limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export function useClient(id: string, enabled = true) {
  return useQuery({
    queryKey: keys.one(id),
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
    enabled,
  });
}

/** Its events and audit entries, newest first. */
export function useClientActivity(id: string) {
  return useList<Activity>(keys.activity(id), async (cursor, signal) => {
    const params = { path: { id }, query: { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) } };
    return (await api.GET(`${PATH}/{id}/activity`, { params, signal })).data;
  });
}

/** A few clients whose fields match what was typed, for the palette and for choices. */
export function useClientsLike(text: string, enabled = true) {
  return useQuery({
    queryKey: keys.like(text),
    queryFn: async ({ signal }) =>
      (await api.GET(PATH, { params: { query: { ...(text.trim() === "" ? {} : { q: text }), limit: 5 } }, signal })).data.data,
    enabled,
    placeholderData: (before) => before,
  });
}

/** After a write: the record is known, everything else about clients is read again. */
function useChanged() {
  const queries = useQueryClient();
  return async (client?: Client) => {
    if (client) queries.setQueryData(keys.one(client.id), client);
    await queries.invalidateQueries({ queryKey: keys.all });
  };
}

export function useCreateClient() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ body, key }: { body: Schemas["ClientCreate"]; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    onSuccess: changed,
  });
}

export function useUpdateClient() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ client, body }: { client: Client; body: Schemas["ClientPatch"] }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: client.id }, header: ifMatch(client.version) } })).data,
    onSuccess: changed,
  });
}

/** Suspends or reactivates. */
export function useClientStatus() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ client, to, reason }: { client: Client; to: "suspend" | "reactivate"; reason?: string }) => {
      const init = { body: reason ? { reason } : {}, params: { path: { id: client.id }, header: ifMatch(client.version) } };
      return to === "suspend"
        ? (await api.POST(`${PATH}/{id}/suspend`, init)).data
        : (await api.POST(`${PATH}/{id}/reactivate`, init)).data;
    },
    onSuccess: changed,
  });
}

/** Changes many at once; each has its own result. */
export function useBulkClients() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async (body: Bulk) => (await api.POST(`${PATH}/bulk`, { body })).data,
    onSuccess: () => changed(),
  });
}

/** Clients to choose from as one types, with the names of those that are chosen already. */
export function useClientOptions(text: string, chosen: readonly string[]): readonly { value: string; label: string }[] {
  const found = useQuery({
    queryKey: ["clients", "options", text],
    queryFn: async ({ signal }) => {
      const query = { limit: PAGE_ROWS, sort: "company" as const, ...(text === "" ? {} : { q: text }) };
      return (await api.GET(PATH, { params: { query }, signal })).data.data;
    },
    placeholderData: (before) => before,
  }).data;
  const names = useClientNames(chosen);
  const options = new Map([...chosen].map((id) => [id, names.get(id) ?? id]));
  for (const { id, company } of found ?? []) options.set(id, company);
  return [...options].map(([value, label]) => ({ value, label }));
}

/** The companies of some clients. */
export function useClientNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const results = useQueries({
    queries: ids.map((id) => ({
      queryKey: keys.one(id),
      queryFn: async () => (await api.GET(`${PATH}/{id}`, { params: { path: { id } } })).data,
      staleTime: 60_000,
    })),
  });
  return new Map(results.flatMap(({ data }) => (data ? [[data.id, data.company] as const] : [])));
}
