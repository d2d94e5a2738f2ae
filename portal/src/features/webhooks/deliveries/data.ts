import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";
import { type Endpoint, REFRESH_MS } from "../data.ts";

type Schemas = components["schemas"];
export type Delivery = Schemas["Delivery"];
export type DeliveryStatus = Delivery["status"];
export type OneDelivery = Schemas["DeliveryWithAttempts"];
export type Attempt = OneDelivery["attempt_log"][number];

export type DeliveryFilter = { status?: DeliveryStatus; event_type?: Delivery["event_type"]; test?: boolean; replay_id?: string };

const PATH = "/v1/partners/webhooks/{id}/deliveries";

function queryOf({ status, event_type, test, replay_id }: DeliveryFilter) {
  return {
    ...(status ? { status: [status] } : {}),
    ...(event_type ? { event_type: [event_type] } : {}),
    ...(test === undefined ? {} : { test }),
    ...(replay_id ? { replay_id } : {}),
  };
}

export const listRequest = (id: string, filter: DeliveryFilter) =>
  `GET ${PATH.replace("{id}", id)}${queryText({ ...queryOf(filter), limit: PAGE_ROWS })}`;

export function useDeliveries(id: string, filter: DeliveryFilter) {
  return useList<Delivery>(
    ["webhooks", "deliveries", id, filter],
    async (cursor, signal) => {
      const query = { ...queryOf(filter), limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
      return (await api.GET(PATH, { params: { path: { id }, query }, signal })).data;
    },
    true,
    REFRESH_MS,
  );
}

export function useDelivery(id: string) {
  return useQuery({
    queryKey: ["webhooks", "delivery", id],
    queryFn: async ({ signal }) => (await api.GET("/v1/partners/deliveries/{id}", { params: { path: { id } }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? 2_000 : false),
  });
}

/** Sends it again now, whatever its status. */
export function useRetry() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => (await api.POST("/v1/partners/deliveries/{id}/retry", { params: { path: { id } } })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: ["webhooks"] }),
  });
}

/** The deliveries of one event, at every endpoint. */
export function useDeliveriesOf(event_id: string, endpoints: readonly Endpoint[]) {
  const results = useQueries({
    queries: endpoints.map(({ id }) => ({
      queryKey: ["webhooks", "deliveries", id, { event_id }],
      queryFn: async () => (await api.GET(PATH, { params: { path: { id }, query: { event_id, limit: 10 } } })).data.data,
    })),
  });
  return { loading: results.some(({ isPending }) => isPending), rows: results.flatMap(({ data }) => data ?? []) };
}
