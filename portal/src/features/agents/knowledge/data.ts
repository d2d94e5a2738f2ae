import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../../api/client.ts";
import { PAGE_ROWS, useList } from "../../../api/lists.ts";
import { useWrite } from "../../../api/writes.ts";

type Schemas = components["schemas"];
export type Source = Schemas["KnowledgeSource"];
export type Hit = Schemas["KnowledgeHit"];
export type Language = Source["language"];

const PATH = "/v1/knowledge-sources";
const KEY = "knowledge_sources";
/** A page is fetched without a hint. */
const REFRESH_MS = 30_000;

export const listRequest = (account_id: string) => `GET ${PATH}?account_id=${account_id}&limit=${PAGE_ROWS}`;

export function useSources(account_id: string) {
  return useList<Source>(
    [KEY, "list", account_id],
    async (cursor, signal) => {
      const query = { account_id, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
      return (await api.GET(PATH, { params: { query }, signal })).data;
    },
    true,
    REFRESH_MS,
  );
}

/** A source with its text. */
export function useSource(id: string) {
  return useQuery({
    queryKey: [KEY, "one", id],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
  });
}

/** What agents would find. */
export function useSearch(account_id: string, q: string) {
  return useQuery({
    queryKey: [KEY, "search", account_id, q],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/search`, { params: { query: { account_id, q } }, signal })).data.data,
    enabled: q.trim() !== "",
    placeholderData: (before) => before,
  });
}

export function useCreateSource() {
  return useWrite(
    async ({ body, key }: { body: Schemas["KnowledgeSourceCreate"]; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    KEY,
  );
}

type Upload = { account_id: string; file: File; name: string; language: Language };

export function useUploadSource() {
  return useWrite(async ({ account_id, file, name, language }: Upload) => {
    const query = { account_id, filename: file.name, language, ...(name.trim() === "" ? {} : { name }) };
    const sent = await api.POST(`${PATH}/files`, {
      body: file as unknown as string,
      bodySerializer: (body) => body,
      headers: { "content-type": "application/octet-stream" },
      params: { query, header: idempotency(crypto.randomUUID()) },
    });
    return sent.data;
  }, KEY);
}

export function useUpdateSource() {
  return useWrite(
    async ({ source, body }: { source: Source; body: Schemas["KnowledgeSourcePatch"] }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: source.id }, header: ifMatch(source.version) } })).data,
    KEY,
  );
}

export function useFetchSource() {
  return useWrite(async (id: string) => (await api.POST(`${PATH}/{id}/fetch`, { params: { path: { id } } })).data, KEY);
}

/** Only what lists it is read again: the source itself is gone. */
export function useDeleteSource() {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn({ id, version }: Source) {
      await api.DELETE(`${PATH}/{id}`, { params: { path: { id }, header: ifMatch(version) } });
    },
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey: [name, what] }) => name === KEY && what !== "one" }),
  });
}
