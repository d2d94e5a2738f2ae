import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";

type Schemas = components["schemas"];
export type Lead = Schemas["Lead"];
export type LeadPatch = Schemas["LeadPatch"];
export type Status = Lead["status"];
export type SettableStatus = NonNullable<LeadPatch["status"]>;
export type SourceKind = Lead["source"]["kind"];
export type Scoring = Schemas["Scoring"];
export type Rule = Scoring["rules"][number];
export type ConvertRequest = Schemas["ConvertRequest"];

export const SORTS = ["-created_at", "created_at", "name", "-updated_at", "-score"] as const;
export type Sort = (typeof SORTS)[number];
export const SOURCES: readonly SourceKind[] = [
  "form",
  "chat",
  "sms",
  "email",
  "call",
  "ad",
  "affiliate",
  "referral",
  "import",
  "api",
];
/** Where a status may go by hand; converted is reached by a conversion alone. */
export const NEXT: Record<Status, readonly SettableStatus[]> = {
  new: ["working", "disqualified"],
  working: ["qualified", "disqualified"],
  qualified: ["disqualified"],
  disqualified: ["working"],
  converted: [],
};

export type LeadFilter = { account_id: string; sort: Sort } & Record<string, string | string[]>;

const PATH = "/v1/leads";
const keys = {
  all: ["leads"] as const,
  list: (filter: LeadFilter) => ["leads", "list", filter] as const,
  one: (id: string) => ["leads", "one", id] as const,
  score: (id: string) => ["leads", "score", id] as const,
  scoring: (account: string) => ["leads", "scoring", account] as const,
};

export const listRequest = (filter: LeadFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const exportAddress = (filter: LeadFilter) => `/portal/api${PATH}${queryText({ ...filter, format: "csv" })}`;

export function useLeads(filter: LeadFilter) {
  return useList<Lead>(keys.list(filter), async (cursor, signal) => {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

const readLead = async (id: string, signal?: AbortSignal) =>
  (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, ...(signal ? { signal } : {}) })).data;

export function useLead(id: string) {
  return useQuery({ queryKey: keys.one(id), queryFn: ({ signal }) => readLead(id, signal) });
}

export function useReadLead() {
  const queries = useQueryClient();
  return (id: string) => queries.fetchQuery({ queryKey: keys.one(id), queryFn: () => readLead(id), staleTime: 0 });
}

/** How the score of a lead comes about, rule by rule. */
export function useScore(id: string, version: number) {
  return useQuery({
    queryKey: [...keys.score(id), version],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}/score`, { params: { path: { id } }, signal })).data,
  });
}

function useChanged() {
  const queries = useQueryClient();
  return async (lead?: Lead) => {
    if (lead) queries.setQueryData(keys.one(lead.id), lead);
    await queries.invalidateQueries({ queryKey: keys.all });
  };
}

export function useCreateLead() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ body, key }: { body: Schemas["LeadCreate"]; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    onSuccess: changed,
  });
}

export function useUpdateLead() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ lead, body }: { lead: Lead; body: LeadPatch }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: lead.id }, header: ifMatch(lead.version) } })).data,
    onSuccess: changed,
  });
}

export function useDeleteLead() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ lead, erase }: { lead: Lead; erase: boolean }) => {
      const params = { path: { id: lead.id } };
      if (erase) await api.POST(`${PATH}/{id}/erase`, { params });
      else await api.DELETE(`${PATH}/{id}`, { params: { ...params, header: ifMatch(lead.version) } });
    },
    onSuccess: (_, { lead }) => {
      queries.removeQueries({ queryKey: keys.one(lead.id) });
      return queries.invalidateQueries({ queryKey: ["leads", "list"] });
    },
  });
}

export function useBulkLeads() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async (body: Schemas["LeadBulk"]) => (await api.POST(`${PATH}/bulk`, { body })).data,
    onSuccess: () => changed(),
  });
}

/** Makes a contact of a lead, and perhaps a deal; all or nothing. */
export function useConvert() {
  const changed = useChanged();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ lead, body, key }: { lead: Lead; body: ConvertRequest; key: string }) => {
      const params = { path: { id: lead.id }, header: { ...ifMatch(lead.version), ...idempotency(key) } };
      return (await api.POST(`${PATH}/{id}/convert`, { body, params })).data;
    },
    onSuccess: async ({ lead }) => {
      for (const name of ["contacts", "deals"]) void queries.invalidateQueries({ queryKey: [name] });
      await changed(lead);
    },
  });
}

export function useUnconvert() {
  const changed = useChanged();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => (await api.POST(`${PATH}/{id}/unconvert`, { params: { path: { id } } })).data,
    onSuccess: async (lead) => {
      for (const name of ["contacts", "deals"]) void queries.invalidateQueries({ queryKey: [name] });
      await changed(lead);
    },
  });
}

export function useScoring(account: string) {
  return useQuery({
    queryKey: keys.scoring(account),
    queryFn: async ({ signal }) =>
      (await api.GET(`${PATH}/scoring`, { params: { query: { account_id: account } }, signal })).data,
  });
}

export function useSetScoring() {
  const changed = useChanged();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ scoring, rules }: { scoring: Scoring; rules: Rule[] }) => {
      const body = { rules, account_id: scoring.account_id };
      return (await api.PUT(`${PATH}/scoring`, { body, params: { header: ifMatch(scoring.version) } })).data;
    },
    onSuccess: async (scoring) => {
      queries.setQueryData(keys.scoring(scoring.account_id), scoring);
      await changed();
    },
  });
}
