import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../api/client.ts";
import { PAGE_ROWS, useList } from "../../api/lists.ts";

type Schemas = components["schemas"];
export type Endpoint = Schemas["WebhookEndpoint"];
export type EndpointWithSecret = Schemas["WebhookEndpointWithSecret"];
export type EndpointBody = Schemas["WebhookEndpointCreate"];
export type EndpointPatch = Schemas["WebhookEndpointPatch"];
export type SignatureToVerify = Schemas["SignatureToVerify"];

const PATH = "/v1/partners/webhooks";
/** Deliveries happen without anybody's doing, so what shows them is read again. */
export const REFRESH_MS = 5_000;

export const LIST_REQUEST = `GET ${PATH}?limit=${PAGE_ROWS}`;
export const EXPORT_ADDRESS = `/portal/api${PATH}?format=csv`;

export function useEndpoints(enabled = true) {
  return useList<Endpoint>(
    ["webhooks", "list"],
    async (cursor, signal) =>
      (await api.GET(PATH, { params: { query: { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) } }, signal })).data,
    enabled,
  );
}

export function useEndpoint(id: string) {
  return useQuery({
    queryKey: ["webhooks", "one", id],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
    refetchInterval: REFRESH_MS,
  });
}

/** Every kind of event, with its sentence and the scope that reads it. */
export function useEventTypes() {
  return useQuery({
    queryKey: ["event-types"],
    queryFn: async ({ signal }) => (await api.GET("/v1/partners/event-types", { signal })).data.data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function useChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ["webhooks"] });
}

export function useCreateEndpoint() {
  const onSuccess = useChanged();
  return useMutation({
    mutationFn: async ({ body, key }: { body: EndpointBody; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    onSuccess,
  });
}

const oneOf = ({ id, version }: Endpoint) => ({ path: { id }, header: ifMatch(version) });

export function useUpdateEndpoint() {
  const onSuccess = useChanged();
  return useMutation({
    mutationFn: async ({ endpoint, body }: { endpoint: Endpoint; body: EndpointPatch }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: oneOf(endpoint) })).data,
    onSuccess,
  });
}

export function useDeleteEndpoint() {
  const onSuccess = useChanged();
  return useMutation({
    mutationFn: async (endpoint: Endpoint) => {
      await api.DELETE(`${PATH}/{id}`, { params: oneOf(endpoint) });
    },
    onSuccess,
  });
}

export function useRotateSecret() {
  const onSuccess = useChanged();
  return useMutation({
    mutationFn: async ({ endpoint, overlap_seconds }: { endpoint: Endpoint; overlap_seconds: number }) =>
      (await api.POST(`${PATH}/{id}/rotate-secret`, { body: { overlap_seconds }, params: oneOf(endpoint) })).data,
    onSuccess,
  });
}

/** Sends a test event, and gives its delivery. */
export function useTestEndpoint() {
  const onSuccess = useChanged();
  return useMutation({
    mutationFn: async ({ id, type }: { id: string; type?: string }) => {
      const body = (type === undefined ? {} : { type }) as Schemas["WebhookTest"];
      return (await api.POST(`${PATH}/{id}/test`, { body, params: { path: { id } } })).data;
    },
    onSuccess,
  });
}

export function useVerify() {
  return useMutation({
    mutationFn: async (body: SignatureToVerify) => (await api.POST(`${PATH}/verify`, { body })).data,
  });
}
