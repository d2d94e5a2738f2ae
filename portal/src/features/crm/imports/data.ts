import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency } from "../../../api/client.ts";
import { STREAM_LOST_MS, useFollow } from "../../../api/follow.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";

type Schemas = components["schemas"];
export type Import = Schemas["Import"];
export type ImportFields = Schemas["ImportFields"];
export type ImportError = Schemas["ImportError"];
export type Resource = Import["resource"];
export type Mode = Import["mode"];
export type Status = Import["status"];
/** The field of each column; null where it is not imported. */
export type Mapping = Record<string, string | null>;
export type ImportOptions = { account: string; resource: Resource; mode: Mode; country: string; mapping: Mapping };

export const ACTIVE: readonly Status[] = ["queued", "running", "reverting"];
export const isActive = ({ status }: Pick<Import, "status">) => ACTIVE.includes(status);

const PATH = "/v1/imports";
const keys = {
  all: ["imports"] as const,
  one: (id: string) => ["imports", "one", id] as const,
  errors: (id: string) => ["imports", "errors", id] as const,
};

export const listRequest = (account: string) => `GET ${PATH}${queryText({ account_id: account, limit: PAGE_ROWS })}`;
export const failedRowsAddress = (id: string) => `/portal/api${PATH}/${id}/failed-rows`;
export const errorsAddress = (id: string) => `/portal/api${PATH}/${id}/errors?format=csv`;

export function useImports(account: string) {
  return useList<Import>(["imports", "list", account], async (cursor, signal) => {
    const query = { account_id: account, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

/** An import, up to date while it runs: its stream tells every change, and if the stream is lost it is asked for. */
export function useImport(id: string) {
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: keys.one(id),
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
    enabled: id !== "",
    refetchInterval: ({ state }) => (state.data && isActive(state.data) ? STREAM_LOST_MS : false),
  });
  useFollow(keys.one(id), `${PATH}/${id}/events`, query.data !== undefined && isActive(query.data), () => {
    for (const queryKey of [["contacts"], ["leads"], ["deals"], ["imports", "list"], keys.errors(id)])
      void queries.invalidateQueries({ queryKey });
  });
  return query;
}

export function useImportErrors(id: string, enabled: boolean) {
  return useList<ImportError>(
    keys.errors(id),
    async (cursor, signal) => {
      const params = { path: { id }, query: { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) } };
      return (await api.GET(`${PATH}/{id}/errors`, { params, signal })).data;
    },
    enabled,
  );
}

/** What columns can be mapped to; the same for every account. */
export function useImportFields(resource: Resource) {
  return useQuery({
    queryKey: ["imports", "fields", resource],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/fields`, { params: { query: { resource } }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function useChanged() {
  const queries = useQueryClient();
  return async (changed: Import) => {
    queries.setQueryData(keys.one(changed.id), changed);
    await queries.invalidateQueries({ queryKey: ["imports", "list"] });
  };
}

/** Sends the file itself. A dry run checks every row and changes nothing. */
export function useSendFile() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ file, options, dry_run }: { file: File; options: ImportOptions; dry_run: boolean }) => {
      const { account, resource, mode, country, mapping } = options;
      const query = {
        account_id: account,
        resource,
        mode,
        dry_run,
        ...(country ? { default_country: country } : {}),
        ...(Object.keys(mapping).length > 0 ? { mapping: JSON.stringify(mapping) } : {}),
      };
      const sent = await api.POST(PATH, {
        body: file as unknown as string,
        bodySerializer: (body) => body,
        headers: { "content-type": "text/csv" },
        params: { query, header: idempotency(crypto.randomUUID()) },
      });
      return sent.data;
    },
    onSuccess: changed,
  });
}

export function useCancelImport() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async (id: string) => (await api.POST(`${PATH}/{id}/cancel`, { params: { path: { id } } })).data,
    onSuccess: changed,
  });
}

export function useRevertImport() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async (id: string) => (await api.POST(`${PATH}/{id}/revert`, { params: { path: { id } } })).data,
    onSuccess: changed,
  });
}
