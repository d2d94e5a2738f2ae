import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { useEffect } from "react";
import { BASE } from "../../api/base.ts";
import { api, idempotency } from "../../api/client.ts";
import { STREAM_LOST_MS, useFollow } from "../../api/follow.ts";
import { PAGE_ROWS, queryText, useList } from "../../api/lists.ts";

type Schemas = components["schemas"];
export type Run = Schemas["PayoutRun"];
export type Preview = Schemas["PayoutPreview"];
export type PreviewRow = Preview["data"][number];
export type BankFile = Schemas["PayoutExport"];
export type Format = BankFile["format"];

const RUNS = "/v1/admin/payout-runs";
const FILES = "/v1/admin/payout-exports";
/** How often what goes on in the background is asked for. */
const PROGRESS_MS = 1_000;

const keys = {
  all: ["payout-runs"] as const,
  list: ["payout-runs", "list"] as const,
  one: (id: string) => ["payout-runs", "one", id] as const,
  preview: (cutoff: string | undefined) => ["payout-runs", "preview", cutoff] as const,
  files: (run_id: string) => ["payout-runs", "files", run_id] as const,
};

export const listRequest = `GET ${RUNS}${queryText({ limit: PAGE_ROWS })}`;
export const oneRequest = (id: string) => `GET ${RUNS}/${id}`;
export const previewRequest = `POST ${RUNS}/preview`;
export const exportHref = `${BASE}${RUNS}${queryText({ format: "csv" })}`;
export const fileHref = (id: string) => `${BASE}${FILES}/${id}/file`;

export function useRuns() {
  return useList<Run>(keys.list, async (cursor, signal) => {
    const query = { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(RUNS, { params: { query }, signal })).data;
  });
}

/** Payouts are read again when work in the background has come to another state. */
function usePayoutsAfter(state: unknown) {
  const queries = useQueryClient();
  useEffect(() => {
    if (state !== undefined) void queries.invalidateQueries({ queryKey: ["payouts", "list"] });
  }, [queries, state]);
}

/** A run, up to date while it goes on: its stream tells every change, and if the stream is lost it is asked for. */
export function useRun(id: string) {
  const query = useQuery({
    queryKey: keys.one(id),
    queryFn: async ({ signal }) => (await api.GET(`${RUNS}/{id}`, { params: { path: { id } }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.state === "running" ? STREAM_LOST_MS : false),
  });
  useFollow(keys.one(id), `${RUNS}/${id}/events`, query.data?.state === "running");
  usePayoutsAfter(query.data && `${query.data.state} ${query.data.partners_done}`);
  return query;
}

/** What a run would do; without a cutoff, with all that is due now. */
export function usePreview(cutoff: string | undefined) {
  return useQuery({
    queryKey: keys.preview(cutoff),
    queryFn: async ({ signal }) => (await api.POST(`${RUNS}/preview`, { body: cutoff ? { cutoff } : {}, signal })).data,
    retry: false,
  });
}

function useChanged() {
  const queries = useQueryClient();
  return async () => {
    for (const name of ["payout-runs", "payouts", "commissions", "ledger", "operator"])
      await queries.invalidateQueries({ queryKey: [name] });
  };
}

export function useStartRun() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ body, key }: { body: Schemas["PayoutRunCreate"]; key: string }) =>
      (await api.POST(RUNS, { body, params: { header: idempotency(key) } })).data,
    onSuccess: changed,
  });
}

const made = (files: readonly BankFile[]) => files.filter(({ state }) => state === "finished").length;

/** The files of a run, the newest first. */
export function useBankFiles(run_id: string) {
  const query = useQuery({
    queryKey: keys.files(run_id),
    queryFn: async ({ signal }) => (await api.GET(FILES, { params: { query: { run_id, limit: PAGE_ROWS } }, signal })).data.data,
    refetchInterval: ({ state }) => (state.data && made(state.data) < state.data.length ? PROGRESS_MS : false),
  });
  usePayoutsAfter(query.data && made(query.data));
  return query;
}

export function useMakeFile() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ run_id, body, key }: { run_id: string; body: Schemas["PayoutExportCreate"]; key: string }) =>
      (await api.POST(`${RUNS}/{id}/export`, { body, params: { path: { id: run_id }, header: idempotency(key) } })).data,
    onSuccess: changed,
  });
}
