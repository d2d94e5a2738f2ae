import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api } from "../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../api/lists.ts";

export type Event = components["schemas"]["Event"];
export type EventType = Event["type"];
export type EventFilter = { type: readonly EventType[]; client_id?: string };

const PATH = "/v1/partners/events";
/** Events come without anybody's doing here. */
const REFRESH_MS = 10_000;

const queryOf = ({ type, client_id }: EventFilter) => ({
  order: "newest" as const,
  ...(type.length > 0 ? { type: [...type] } : {}),
  ...(client_id ? { client_id } : {}),
});

export const listRequest = (filter: EventFilter) => `GET ${PATH}${queryText({ ...queryOf(filter), limit: PAGE_ROWS })}`;
export const exportAddress = (filter: EventFilter) => `/portal/api${PATH}${queryText({ ...queryOf(filter), format: "csv" })}`;

/** Newest first. The cursor of a feed is never null, so the end is where there is no more. */
export function useEvents(filter: EventFilter) {
  return useList<Event>(
    ["events", "list", filter],
    async (cursor, signal) => {
      const query = { ...queryOf(filter), limit: PAGE_ROWS, ...(cursor ? { after: cursor } : {}) };
      const page = (await api.GET(PATH, { params: { query }, signal })).data;
      return { ...page, next_cursor: page.has_more ? page.next_cursor : null };
    },
    true,
    REFRESH_MS,
  );
}

export function useEvent(id: string) {
  return useQuery({
    queryKey: ["events", "one", id],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
