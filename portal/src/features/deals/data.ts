import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../api/lists.ts";
import { type Board, type BoardDeal, withMove } from "./board-model.ts";

type Schemas = components["schemas"];
export type Deal = Schemas["Deal"];
export type DealStatus = Deal["status"];
export type Interval = Schemas["DealInterval"];
export type Entry = Schemas["TimelineEntry"];
export type Availability = Schemas["CompanyAvailability"];
export type { Board, BoardColumn, BoardDeal } from "./board-model.ts";

export const SORTS = ["-created_at", "created_at", "name", "-updated_at", "expected_close_on", "-amount_cents"] as const;
export type Sort = (typeof SORTS)[number];
export type DealFilter = { account_id: string; pipeline_id?: string; status?: DealStatus; q?: string; sort: Sort };

const PATH = "/v1/deals";
const keys = {
  all: ["deals"] as const,
  board: (pipeline: string) => ["deals", "board", pipeline] as const,
  column: (...column: (string | number)[]) => ["deals", "column", ...column] as const,
  list: (filter: DealFilter) => ["deals", "list", filter] as const,
  one: (id: string) => ["deals", "one", id] as const,
  history: (id: string) => ["deals", "history", id] as const,
  timeline: (id: string) => ["deals", "timeline", id] as const,
};

const CARDS = 25;
/** The most that one request gives of a column. */
const COLUMN_PAGE = 50;

export const boardRequest = (pipeline: string) => `GET /v1/pipelines/${pipeline}/board?deals=${CARDS}`;

export function useBoard(pipeline: string | undefined) {
  return useQuery({
    queryKey: keys.board(pipeline ?? ""),
    queryFn: async ({ signal }): Promise<Board> => {
      const params = { path: { id: pipeline ?? "" }, query: { deals: CARDS } };
      return (await api.GET("/v1/pipelines/{id}/board", { params, signal })).data;
    },
    enabled: pipeline !== undefined,
    meta: { live: ["pipelines"] },
  });
}

/** The deals of a column that follow those of the board: as many as are wanted, from where the board ends now. */
export function useColumn(pipeline: string, stage_id: string, cursor: string | null, wanted: number) {
  return useQuery({
    queryKey: keys.column(pipeline, stage_id, cursor ?? "", wanted),
    queryFn: async ({ signal }) => {
      const deals: BoardDeal[] = [];
      for (let next = cursor; next !== null && deals.length < wanted; ) {
        const query = { deals: COLUMN_PAGE, stage_id, cursor: next };
        const { data } = await api.GET("/v1/pipelines/{id}/board", { params: { path: { id: pipeline }, query }, signal });
        deals.push(...(data.stages[0]?.latest_deals ?? []));
        next = data.stages[0]?.next_cursor ?? null;
      }
      return deals;
    },
    enabled: wanted > 0 && cursor !== null,
    placeholderData: keepPreviousData,
  });
}

const queryOf = ({ account_id, pipeline_id, status, q, sort }: DealFilter) => ({
  account_id,
  sort,
  ...(pipeline_id ? { pipeline_id } : {}),
  ...(status ? { status: [status] } : {}),
  ...(q ? { q } : {}),
});

export const listRequest = (filter: DealFilter) => `GET ${PATH}${queryText({ ...queryOf(filter), limit: PAGE_ROWS })}`;
export const exportAddress = (filter: DealFilter) => `/portal/api${PATH}${queryText({ ...queryOf(filter), format: "csv" })}`;

export function useDeals(filter: DealFilter) {
  return useList<Deal>(keys.list(filter), async (cursor, signal) => {
    const query = { ...queryOf(filter), limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export function useDeal(id: string) {
  return useQuery({
    queryKey: keys.one(id),
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
  });
}

/** The stages that a deal was in, newest first. A deal has more than a page of them only if somebody plays with it. */
const readHistory = async (id: string, signal?: AbortSignal) =>
  (await api.GET(`${PATH}/{id}/history`, { params: { path: { id }, query: { limit: 100 } }, ...(signal ? { signal } : {}) })).data
    .data;

export function useHistory(id: string) {
  return useQuery({ queryKey: keys.history(id), queryFn: ({ signal }) => readHistory(id, signal) });
}

export function useDealTimeline(id: string) {
  return useList<Entry>(keys.timeline(id), async (cursor, signal) => {
    const params = { path: { id }, query: { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) } };
    return (await api.GET(`${PATH}/{id}/timeline`, { params, signal })).data;
  });
}

function useChanged() {
  const queries = useQueryClient();
  return async (deal?: Deal) => {
    if (deal) queries.setQueryData(keys.one(deal.id), deal);
    await queries.invalidateQueries({ queryKey: keys.all });
  };
}

export type Move = { deal: BoardDeal; pipeline: string; from: string; to: string; lost_reason?: string };

/** Moves a deal: the board shows it at once, and again as it was if the API refuses. */
export function useMoveDeal() {
  const queries = useQueryClient();
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ deal, from, to, lost_reason }: Move) => {
      const body = { stage_id: to, expected_stage: from, ...(lost_reason ? { lost_reason } : {}) };
      return (await api.POST(`${PATH}/{id}/stage`, { body, params: { path: { id: deal.id } } })).data;
    },
    async onMutate(move) {
      const key = keys.board(move.pipeline);
      await queries.cancelQueries({ queryKey: key });
      const before = queries.getQueryData<Board>(key);
      queries.setQueryData<Board>(key, (board) => board && withMove(board, move));
      return { before };
    },
    onError(_error, { pipeline }, context) {
      if (context?.before) queries.setQueryData(keys.board(pipeline), context.before);
    },
    onSuccess: (deal) => void queries.setQueryData(keys.one(deal.id), deal),
    onSettled: () => changed(),
  });
}

/** Who moved a deal to where it is now. */
export const lastMove = async (id: string): Promise<Interval | undefined> => (await readHistory(id))[0];

export function useUpdateDeal() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ id, version, body }: { id: string; version: number; body: Schemas["DealPatch"] }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id }, header: ifMatch(version) } })).data,
    onSuccess: changed,
  });
}

export function useCreateDeal() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ body, key }: { body: Schemas["DealCreate"]; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    onSuccess: changed,
  });
}

/** Registers a sale; its company is then protected. */
export function useRegisterDeal() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ body, key }: { body: Schemas["SaleCreate"]; key: string }) =>
      (await api.POST("/v1/partners/deals", { body, params: { header: idempotency(key) } })).data,
    onSuccess: changed,
  });
}

export type Company = Schemas["CompanyCheck"];

/** Whether a company can be registered now. Each check is kept in the audit log, so an answer is used for a minute. */
export function useAvailability(company: Company | null) {
  return useQuery({
    queryKey: ["availability", company],
    queryFn: async ({ signal }) => (await api.POST("/v1/partners/deals/check", { body: company ?? {}, signal })).data,
    enabled: company !== null,
    staleTime: 60_000,
    retry: false,
  });
}

export function useWithdrawDeal() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ id, version, reason }: { id: string; version: number; reason?: string }) => {
      const params = { path: { id }, header: ifMatch(version) };
      return (await api.POST("/v1/partners/deals/{id}/withdraw", { body: reason ? { reason } : {}, params })).data;
    },
    onSuccess: () => changed(),
  });
}

export function useDeleteDeal() {
  const queries = useQueryClient();
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ id, version }: { id: string; version: number }) =>
      void (await api.DELETE(`${PATH}/{id}`, { params: { path: { id }, header: ifMatch(version) } })),
    async onSuccess(_, { id }) {
      queries.removeQueries({ queryKey: keys.one(id) });
      await changed();
    },
  });
}

export function useWriteNote(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: string) => (await api.POST(`${PATH}/{id}/notes`, { body: { body }, params: { path: { id } } })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.timeline(id) }),
  });
}

export function useRemoveNote(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (note_id: string) =>
      void (await api.DELETE(`${PATH}/{id}/notes/{note_id}`, { params: { path: { id, note_id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.timeline(id) }),
  });
}

/** People who can own deals. Only those who work for the whole partner may see the team. */
export function useOwners(enabled: boolean) {
  return useQuery({
    queryKey: ["users", "owners"],
    queryFn: async ({ signal }) => (await api.GET("/v1/partners/users", { params: { query: { limit: 100 } }, signal })).data.data,
    enabled,
    staleTime: 60_000,
  });
}

/** A few contacts of an account that match what was typed, for a choice. */
export function useContactsOf(account_id: string, text: string, enabled: boolean) {
  return useQuery({
    queryKey: ["contacts", "choice", account_id, text],
    queryFn: async ({ signal }) => {
      const query = { account_id, limit: 10, ...(text ? { q: text } : {}) };
      return (await api.GET("/v1/contacts", { params: { query }, signal })).data.data;
    },
    enabled,
    placeholderData: keepPreviousData,
  });
}

export type CustomField = Schemas["CustomField"];

/** The account's own fields of deals. */
export function useDealFields(account_id: string) {
  return useQuery({
    queryKey: ["custom-fields", account_id, "deal"],
    queryFn: async ({ signal }) => {
      const query = { account_id, resource: "deal" as const, limit: 100 };
      return (await api.GET("/v1/custom-fields", { params: { query }, signal })).data.data;
    },
    staleTime: 60_000,
  });
}

/** What happened when a sale was won: the event, and how its webhooks fare. Both appear a moment after the win. */
export function useWin(deal: Deal, { events, webhooks }: { events: boolean; webhooks: boolean }) {
  const event = useQuery({
    queryKey: ["events", "won", deal.id, deal.won_at],
    queryFn: async ({ signal }) => {
      const created_after = new Date(Date.parse(deal.won_at ?? deal.updated_at) - 2_000).toISOString();
      const { data } = await api.GET("/v1/partners/events", { params: { query: { type: ["deal.won"], created_after } }, signal });
      return data.data.find(({ data: facts }) => (facts as { deal_id?: string }).deal_id === deal.id) ?? null;
    },
    enabled: events,
    refetchInterval: ({ state }) => (state.data ? false : state.dataUpdateCount > 10 ? 10_000 : 1_000),
  });
  const id = event.data?.id;
  const deliveries = useQuery({
    queryKey: ["webhooks", "of-event", id],
    queryFn: async ({ signal }) => {
      const endpoints = (await api.GET("/v1/partners/webhooks", { signal })).data.data;
      const found = endpoints.map(async (endpoint) => {
        const params = { path: { id: endpoint.id }, query: { event_id: id ?? "" } };
        const { data } = await api.GET("/v1/partners/webhooks/{id}/deliveries", { params, signal });
        return data.data.map((delivery) => ({ ...delivery, endpoint }));
      });
      return (await Promise.all(found)).flat();
    },
    enabled: webhooks && id !== undefined,
    refetchInterval: ({ state }) => (state.dataUpdateCount > 10 ? false : 2_000),
  });
  return { event: event.data ?? null, deliveries: deliveries.data ?? [] };
}
