import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { useEffect } from "react";
import { api, idempotency } from "../../api/client.ts";
import { STREAM_LOST_MS, useFollow } from "../../api/follow.ts";
import { PAGE_ROWS, queryText, useList } from "../../api/lists.ts";

type Schemas = components["schemas"];
export type Rollout = Schemas["Rollout"];
export type RolloutStatus = Rollout["status"];
export type RolloutBody = Schemas["RolloutCreate"];
export type Pace = Schemas["RolloutPace"];
export type Member = Schemas["RolloutDeployment"];

const PATH = "/v1/partners/rollouts";
const keys = {
  all: ["rollouts"] as const,
  list: (filter: RolloutFilter) => ["rollouts", "list", filter] as const,
  one: (id: string) => ["rollouts", "one", id] as const,
  membersOf: (id: string) => ["rollouts", "members", id] as const,
  members: (id: string, status: readonly string[]) => ["rollouts", "members", id, status] as const,
  pace: (id: string) => ["pace", id] as const,
};
export type RolloutFilter = { status?: RolloutStatus[]; snapshot_id?: string };

export const ENDED: readonly RolloutStatus[] = ["completed", "completed_with_errors", "cancelled", "rolled_back"];
export const isMoving = ({ status }: Pick<Rollout, "status">) => ["queued", "canary", "running", "rolling_back"].includes(status);

export const listRequest = (filter: RolloutFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const oneRequest = (id: string) => `GET ${PATH}/${id}`;
export const exportAddress = (id: string) => `/portal/api${PATH}/${id}/deployments?format=csv`;

export function useRollouts(filter: RolloutFilter) {
  return useList<Rollout>(
    keys.list(filter),
    async (cursor, signal) => {
      const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
      return (await api.GET(PATH, { params: { query }, signal })).data;
    },
    true,
    5_000,
  );
}

export function useRollout(id: string) {
  const queries = useQueryClient();
  const read = useQuery({
    queryKey: keys.one(id),
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
    refetchInterval: ({ state: { data } }) => (data === undefined || isMoving(data) ? STREAM_LOST_MS : false),
  });
  useFollow(keys.one(id), `${PATH}/${id}/events`, read.data !== undefined && isMoving(read.data));
  const status = read.data?.status;
  // What is read more seldom is read once more when it has ended: nothing reads it again afterwards.
  useEffect(() => {
    if (status === undefined || isMoving({ status })) return;
    for (const queryKey of [keys.pace(id), keys.membersOf(id)]) void queries.invalidateQueries({ queryKey });
  }, [queries, id, status]);
  return read;
}

/** How often its pace is read again: all its clients are counted for it. */
const PACE_MS = 5_000;

/** How many clients were done, minute by minute. */
export function usePace(id: string, moving: boolean) {
  return useQuery({
    queryKey: keys.pace(id),
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}/pace`, { params: { path: { id } }, signal })).data,
    refetchInterval: moving ? PACE_MS : false,
  });
}

/** Its clients in some states. */
export function useMembers(id: string, status: Member["status"][], moving: boolean) {
  return useList<Member>(
    keys.members(id, status),
    async (cursor, signal) => {
      const params = { path: { id }, query: { limit: PAGE_ROWS, status, ...(cursor ? { cursor } : {}) } };
      return (await api.GET(`${PATH}/{id}/deployments`, { params, signal })).data;
    },
    true,
    moving ? 2_000 : undefined,
  );
}

function useChanged() {
  const queries = useQueryClient();
  return async (rollout: Rollout) => {
    queries.setQueryData(keys.one(rollout.id), rollout);
    for (const name of ["rollouts", "pace", "snapshots", "clients"]) await queries.invalidateQueries({ queryKey: [name] });
  };
}

export function useStartRollout() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ snapshot_id, body, key }: { snapshot_id: string; body: RolloutBody; key: string }) =>
      (
        await api.POST("/v1/partners/snapshots/{id}/rollouts", {
          params: { path: { id: snapshot_id }, header: idempotency(key) },
          body,
        })
      ).data,
    onSuccess: changed,
  });
}

export type Act = "pause" | "resume" | "cancel" | "retry" | "rollback";

export function useMoveRollout() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ id, act, max_failure_percent }: { id: string; act: Act; max_failure_percent?: number }) => {
      const params = { path: { id } };
      if (act === "resume")
        return (
          await api.POST(`${PATH}/{id}/resume`, {
            params,
            body: max_failure_percent === undefined ? {} : { max_failure_percent },
          })
        ).data;
      if (act === "retry") return (await api.POST(`${PATH}/{id}/retry`, { params, body: {} })).data;
      if (act === "pause") return (await api.POST(`${PATH}/{id}/pause`, { params })).data;
      if (act === "cancel") return (await api.POST(`${PATH}/{id}/cancel`, { params })).data;
      return (await api.POST(`${PATH}/{id}/rollback`, { params })).data;
    },
    onSuccess: changed,
  });
}
