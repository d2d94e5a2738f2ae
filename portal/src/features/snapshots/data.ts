import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../api/lists.ts";

type Schemas = components["schemas"];
export type Snapshot = Schemas["Snapshot"];
export type SnapshotStatus = Snapshot["status"];
export type SnapshotBody = Schemas["SnapshotCreate"];
export type SnapshotPatch = Schemas["SnapshotPatch"];
export type SnapshotVersion = Schemas["SnapshotVersion"];
export type VersionBody = Schemas["SnapshotVersionCreate"];
export type DiffStep = Schemas["SnapshotDiffStep"];
export type ManifestAsset = Schemas["ManifestAsset"];
export type Install = Schemas["SnapshotInstall"];
export type Deployment = Schemas["Deployment"];
export type DeploymentDetail = Schemas["DeploymentDetail"];
export type PlanStep = Schemas["DeploymentStep"];
export type Policy = Deployment["conflict_policy"];

export type SnapshotFilter = { status?: SnapshotStatus[]; origin?: Snapshot["origin"]; q?: string };

const PATH = "/v1/partners/snapshots";
const DEPLOYMENTS = "/v1/partners/deployments";
const CLIENTS = "/v1/partners/clients";
const keys = {
  all: ["snapshots"] as const,
  list: (filter: SnapshotFilter) => ["snapshots", "list", filter] as const,
  one: (id: string) => ["snapshots", "one", id] as const,
  versions: (id: string) => ["snapshots", "versions", id] as const,
  content: (id: string, version: number) => ["snapshots", "content", id, version] as const,
  diff: (id: string, from: number, to: number) => ["snapshots", "diff", id, from, to] as const,
  installs: (id: string, version: number | undefined) => ["snapshots", "installs", id, version] as const,
  ofClient: (id: string) => ["snapshots", "client", id] as const,
  deployments: (client_id: string, snapshot_id: string) => ["snapshots", "deployments", client_id, snapshot_id] as const,
  deployment: (id: string) => ["snapshots", "deployment", id] as const,
  plan: (...parts: readonly unknown[]) => ["snapshots", "plan", ...parts] as const,
};

export const listRequest = (filter: SnapshotFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const oneRequest = (id: string) => `GET ${PATH}/${id}`;

export function useSnapshots(filter: SnapshotFilter) {
  return useList<Snapshot>(keys.list(filter), async (cursor, signal) => {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export function useSnapshot(id: string) {
  return useQuery({
    queryKey: keys.one(id),
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
  });
}

/** The versions, newest first. */
export function useVersions(id: string) {
  return useList<SnapshotVersion>(keys.versions(id), async (cursor, signal) => {
    const params = { path: { id }, query: { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) } };
    return (await api.GET(`${PATH}/{id}/versions`, { params, signal })).data;
  });
}

/** A version with its manifest. It never changes. */
export function useContent(id: string, version: number | null) {
  return useQuery({
    queryKey: keys.content(id, version ?? 0),
    queryFn: async ({ signal }) =>
      (await api.GET(`${PATH}/{id}/versions/{version}`, { params: { path: { id, version: version ?? 0 } }, signal })).data,
    enabled: version !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useDiff(id: string, from: number, to: number, enabled = true) {
  return useQuery({
    queryKey: keys.diff(id, from, to),
    queryFn: async ({ signal }) =>
      (await api.GET(`${PATH}/{id}/diff`, { params: { path: { id }, query: { from, to } }, signal })).data,
    enabled: enabled && from > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Who runs it, in which version, and whether it was changed there. */
export function useInstalls(id: string, version?: number) {
  return useList<Install>(keys.installs(id, version), async (cursor, signal) => {
    const query = { limit: PAGE_ROWS, ...(version === undefined ? {} : { version }), ...(cursor ? { cursor } : {}) };
    return (await api.GET(`${PATH}/{id}/installs`, { params: { path: { id }, query }, signal })).data;
  });
}

/** How often what goes on in the background is asked for. */
const PROGRESS_MS = 2_000;

/** What a client runs, and what was to be deployed to it by itself and is not yet. */
export function useClientSnapshots(id: string, enabled = true) {
  return useQuery({
    queryKey: keys.ofClient(id),
    queryFn: async ({ signal }) => {
      const query = { client_id: id, status: ["queued", "failed"] satisfies Deployment["status"][], limit: PAGE_ROWS };
      const [installs, deployments] = await Promise.all([
        api.GET(`${CLIENTS}/{id}/snapshots`, { params: { path: { id } }, signal }),
        api.GET(DEPLOYMENTS, { params: { query }, signal }),
      ]);
      return { installs: installs.data.data, undone: undoneOf(installs.data.data, deployments.data.data) };
    },
    enabled,
    refetchInterval: ({ state }) => (state.data?.undone.some(({ status }) => status === "queued") ? PROGRESS_MS : false),
  });
}

/** The newest of each snapshot that does not run in that version. Members of a rollout are retried with it. */
const undoneOf = (installs: readonly Install[], newest_first: readonly Deployment[]) =>
  newest_first.filter(
    ({ snapshot_id, version, rollout_id }, index) =>
      rollout_id === null &&
      newest_first.findIndex((one) => one.snapshot_id === snapshot_id) === index &&
      !installs.some((one) => one.snapshot_id === snapshot_id && one.version >= version),
  );

export function useDeployments(client_id: string, snapshot_id: string) {
  return useList<Deployment>(keys.deployments(client_id, snapshot_id), async (cursor, signal) => {
    const query = { client_id, snapshot_id, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(DEPLOYMENTS, { params: { query }, signal })).data;
  });
}

export function useDeployment(id: string) {
  return useQuery({
    queryKey: keys.deployment(id),
    queryFn: async ({ signal }) => (await api.GET(`${DEPLOYMENTS}/{id}`, { params: { path: { id } }, signal })).data,
  });
}

type Asked = { snapshot_id: string; version: number; conflict_policy: Policy };

/** What a deployment would do to a client; nothing is changed. */
export function usePlan(client_id: string | null, asked: Asked) {
  return useQuery({
    queryKey: keys.plan(client_id, asked),
    queryFn: async ({ signal }) =>
      (
        await api.POST(`${CLIENTS}/{id}/snapshots`, {
          params: { path: { id: client_id ?? "" } },
          body: { ...asked, dry_run: true },
          signal,
        })
      ).data,
    enabled: client_id !== null,
    retry: false,
    gcTime: 0,
  });
}

function useChanged() {
  const queries = useQueryClient();
  return async () => {
    for (const name of ["snapshots", "clients", "rollouts"]) await queries.invalidateQueries({ queryKey: [name] });
  };
}

/** Deploys what a plan showed, and only that. */
export function useDeploy() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ client_id, body, key }: { client_id: string; body: Asked & { plan_hash?: string }; key: string }) =>
      (await api.POST(`${CLIENTS}/{id}/snapshots`, { params: { path: { id: client_id }, header: idempotency(key) }, body })).data,
    onSettled: changed,
  });
}

export function useRollbackDeployment() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async (id: string) => (await api.POST(`${DEPLOYMENTS}/{id}/rollback`, { params: { path: { id } } })).data,
    onSuccess: changed,
  });
}

/** Queues a deployment again that has failed. */
export function useRetryDeployment() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async (id: string) => (await api.POST(`${DEPLOYMENTS}/{id}/retry`, { params: { path: { id } } })).data,
    onSuccess: changed,
  });
}

export function useCreateSnapshot() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ body, key }: { body: SnapshotBody; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    onSuccess: changed,
  });
}

export function useCreateVersion() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ snapshot, body, key }: { snapshot: Pick<Snapshot, "id" | "version">; body: VersionBody; key: string }) =>
      (
        await api.POST(`${PATH}/{id}/versions`, {
          body,
          params: { path: { id: snapshot.id }, header: { ...idempotency(key), ...ifMatch(snapshot.version) } },
        })
      ).data,
    onSuccess: changed,
  });
}

export function useUpdateSnapshot() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ snapshot, body }: { snapshot: Pick<Snapshot, "id" | "version">; body: SnapshotPatch }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: snapshot.id }, header: ifMatch(snapshot.version) } })).data,
    onSuccess: changed,
  });
}
