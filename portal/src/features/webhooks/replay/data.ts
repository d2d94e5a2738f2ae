import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency } from "../../../api/client.ts";

type Schemas = components["schemas"];
export type Replay = Schemas["Replay"];
export type ReplayBody = Schemas["ReplayCreate"];

const PATH = "/v1/partners/webhooks/{id}/replay";

/** The replays of an endpoint, newest first. */
export function useReplays(id: string) {
  return useQuery({
    queryKey: ["webhooks", "replays", id],
    queryFn: async ({ signal }) =>
      (await api.GET("/v1/partners/webhooks/{id}/replays", { params: { path: { id }, query: { limit: 5 } }, signal })).data.data,
    refetchInterval: ({ state }) => (state.data?.some((replay) => replay.state === "running") ? 1_000 : false),
  });
}

/** How many events a replay would send. Nothing is sent. */
export function useReplayCount(id: string, body: ReplayBody | null) {
  return useQuery({
    queryKey: ["webhooks", "replay-count", id, body],
    queryFn: async ({ signal }) => {
      const init = { body: { since: "", ...body, dry_run: true }, params: { path: { id } }, signal };
      return (await api.POST(PATH, init)).data.total;
    },
    enabled: body !== null,
    placeholderData: (before) => before,
  });
}

export function useReplay(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, key }: { body: ReplayBody; key: string }) =>
      (await api.POST(PATH, { body, params: { path: { id }, header: idempotency(key) } })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: ["webhooks"] }),
  });
}

export function useCancelReplay(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (replay_id: string) => {
      await api.DELETE("/v1/partners/webhooks/{id}/replays/{replay_id}", { params: { path: { id, replay_id } } });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["webhooks"] }),
  });
}
