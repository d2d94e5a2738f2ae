import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../api/client.ts";
import { PAGE_ROWS, useList } from "../../api/lists.ts";

type Schemas = components["schemas"];
export type Key = Schemas["Key"];
export type KeyWithSecret = Schemas["KeyCreated"];
export type Scope = Key["scopes"][number];
export type KeyBody = Schemas["KeyCreate"];
export type Me = Schemas["Me"];

const PATH = "/v1/partners/keys";
export const LIST_REQUEST = `GET ${PATH}?limit=${PAGE_ROWS}`;
export const EXPORT_ADDRESS = `/portal/api${PATH}?format=csv`;

export function useKeys(enabled = true) {
  return useList<Key>(
    ["keys", "list"],
    async (cursor, signal) =>
      (await api.GET(PATH, { params: { query: { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) } }, signal })).data,
    enabled,
  );
}

export function useKey(id: string, enabled: boolean) {
  return useQuery({
    queryKey: ["keys", "one", id],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
    enabled,
    staleTime: 0,
  });
}

function useChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ["keys"] });
}

export function useCreateKey() {
  const onSuccess = useChanged();
  return useMutation({
    mutationFn: async ({ body, key }: { body: KeyBody; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    onSuccess,
  });
}

export function useUpdateKey() {
  const onSuccess = useChanged();
  return useMutation({
    mutationFn: async ({ key, body }: { key: Key; body: KeyBody }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: key.id }, header: ifMatch(key.version) } })).data,
    onSuccess,
  });
}

export function useRotateKey() {
  const onSuccess = useChanged();
  return useMutation({
    mutationFn: async ({ key, overlap_hours }: { key: Key; overlap_hours: number }) => {
      const params = { path: { id: key.id }, header: ifMatch(key.version) };
      return (await api.POST(`${PATH}/{id}/rotate`, { body: { overlap_hours }, params })).data;
    },
    onSuccess,
  });
}

export function useRevokeKey() {
  const onSuccess = useChanged();
  return useMutation({
    mutationFn: async (key: Key) => {
      await api.DELETE(`${PATH}/{id}`, { params: { path: { id: key.id }, header: ifMatch(key.version) } });
    },
    onSuccess,
  });
}

export type Trial = { status: number; took_ms: number; reply: string };

/** Calls the API as a program would: with the key, without the session. */
export async function tryKey(api_key: string): Promise<Trial> {
  const started = performance.now();
  const response = await fetch("/v1/partners/me", { credentials: "omit", headers: { authorization: `Bearer ${api_key}` } });
  const text = await response.text();
  const took_ms = Math.round(performance.now() - started);
  return { status: response.status, took_ms, reply: pretty(text) };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
