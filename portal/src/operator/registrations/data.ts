import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, ifMatch } from "../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../api/lists.ts";

export type Registration = components["schemas"]["Registration"];
export type RegistrationStatus = Registration["status"];

export type RegistrationFilter = {
  status?: RegistrationStatus[];
  partner_id?: string;
  sort: "created_at" | "-created_at";
};

const PATH = "/v1/admin/registrations";
const keys = {
  all: ["registrations"] as const,
  list: (filter: RegistrationFilter) => ["registrations", "list", filter] as const,
  one: (deal_id: string) => ["registrations", "one", deal_id] as const,
};
/** A registration is part of a deal: a change of deals may be one of registrations. */
const meta = { live: ["deals"] };

export const listRequest = (filter: RegistrationFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;

export function useRegistrations(filter: RegistrationFilter) {
  return useList<Registration>(keys.list(filter), async (cursor, signal) => {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export function useRegistration(deal_id: string) {
  return useQuery({
    queryKey: keys.one(deal_id),
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{deal_id}`, { params: { path: { deal_id } }, signal })).data,
    meta,
  });
}

export type Decision = "approve" | "reject" | "request-info";

/** Decides, or asks the partner for more. The version makes sure that what was read is what is decided. */
export function useDecide() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ registration, as, reason }: { registration: Registration; as: Decision; reason: string }) => {
      const { deal_id, version } = registration;
      const params = { path: { deal_id }, header: ifMatch(version) };
      if (as === "approve") return (await api.POST(`${PATH}/{deal_id}/approve`, { params, body: reason ? { reason } : {} })).data;
      if (as === "reject") return (await api.POST(`${PATH}/{deal_id}/reject`, { params, body: { reason } })).data;
      return (await api.POST(`${PATH}/{deal_id}/request-info`, { params, body: { reason } })).data;
    },
    async onSuccess(saved) {
      queries.setQueryData(keys.one(saved.deal_id), saved);
      await queries.invalidateQueries({ queryKey: keys.all });
      await queries.invalidateQueries({ queryKey: ["operator"] });
    },
  });
}
