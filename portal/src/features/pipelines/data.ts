import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../api/client.ts";

type Schemas = components["schemas"];
export type Pipeline = Schemas["Pipeline"];
export type Stage = Schemas["Stage"];
export type StageType = Stage["type"];
export type PipelinePatch = Schemas["PipelinePatch"];
export type StageInput = Schemas["StageInput"];

const keys = {
  all: ["pipelines"] as const,
  list: (account: string, archived: boolean) => ["pipelines", "list", account, archived] as const,
  one: (id: string) => ["pipelines", "one", id] as const,
  use: (id: string) => ["pipelines", "use", id] as const,
};

/** An account has at most a hundred. */
const PIPELINES_MAX = 100;

export const listRequest = (account: string) => `GET /v1/pipelines?account_id=${account}`;

/** The pipelines of an account, the default one first. */
export function usePipelines(account: string | undefined, archived = false) {
  return useQuery({
    queryKey: keys.list(account ?? "", archived),
    queryFn: async ({ signal }) => {
      const query = { account_id: account ?? "", archived, limit: PIPELINES_MAX };
      return (await api.GET("/v1/pipelines", { params: { query }, signal })).data.data;
    },
    select: (pipelines) =>
      pipelines.toSorted((a, b) => Number(b.is_default) - Number(a.is_default) || a.name.localeCompare(b.name)),
    enabled: account !== undefined,
  });
}

export function usePipeline(id: string | undefined) {
  return useQuery({
    queryKey: keys.one(id ?? ""),
    queryFn: async ({ signal }) => (await api.GET("/v1/pipelines/{id}", { params: { path: { id: id ?? "" } }, signal })).data,
    enabled: id !== undefined,
  });
}

/** How many deals are in each stage: what a change of the stages concerns. */
export function useStageUse(id: string) {
  return useQuery({
    queryKey: keys.use(id),
    queryFn: async ({ signal }) => (await api.GET("/v1/pipelines/{id}/board", { params: { path: { id } }, signal })).data.stages,
    meta: { live: ["deals"] },
  });
}

function useChanged() {
  const queries = useQueryClient();
  return async (pipeline?: Pipeline) => {
    if (pipeline) queries.setQueryData(keys.one(pipeline.id), pipeline);
    await queries.invalidateQueries({ queryKey: keys.all });
    await queries.invalidateQueries({ queryKey: ["deals"] });
  };
}

export function useCreatePipeline() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ body, key }: { body: Schemas["PipelineCreate"]; key: string }) =>
      (await api.POST("/v1/pipelines", { body, params: { header: idempotency(key) } })).data,
    onSuccess: changed,
  });
}

/** Changes a pipeline as it was read: what somebody else changed meanwhile is not overwritten. */
export function useUpdatePipeline() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ pipeline, body }: { pipeline: Pipeline; body: PipelinePatch }) => {
      const params = { path: { id: pipeline.id }, header: ifMatch(pipeline.version) };
      return (await api.PATCH("/v1/pipelines/{id}", { body, params })).data;
    },
    onSuccess: changed,
  });
}

const MOVED_AT_ONCE = 50;

/** Empties a stage into another one of the pipeline, deal by deal, and reports how far it is. */
export function useEmptyStage() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async (options: { pipeline_id: string; from: string; to: string; report(moved: number): void }) => {
      const { pipeline_id, from, to, report } = options;
      for (let moved = 0; ; ) {
        const query = { pipeline_id, stage_id: [from], limit: MOVED_AT_ONCE };
        const { data } = (await api.GET("/v1/deals", { params: { query } })).data;
        if (data.length === 0) return moved;
        for (const { id } of data) {
          await api.POST("/v1/deals/{id}/stage", { body: { stage_id: to, expected_stage: from }, params: { path: { id } } });
          moved += 1;
          report(moved);
        }
      }
    },
    onSettled: () => changed(),
  });
}

/** The keys of the account's own fields of deals, which a stage can ask for. */
export function useDealKeys(account_id: string) {
  return useQuery({
    queryKey: ["custom-fields", account_id, "deal"],
    queryFn: async ({ signal }) => {
      const query = { account_id, resource: "deal" as const, limit: 100 };
      return (await api.GET("/v1/custom-fields", { params: { query }, signal })).data.data;
    },
    select: (fields) => fields.filter(({ archived }) => !archived).map(({ key }) => `custom.${key}`),
    staleTime: 60_000,
  });
}
