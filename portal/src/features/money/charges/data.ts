import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";

export type Charge = components["schemas"]["Charge"];
export type ChargeDetail = components["schemas"]["ChargeDetail"];
export type Outcome = Charge["outcome"];
export type ChargeFilter = { client_id?: string; outcome?: Outcome; charged_after?: string; charged_before?: string };

/** Whether a charge earned, in words. */
export const OUTCOMES: Record<Outcome, string> = {
  earned: "earned",
  no_sale: "no sale",
  outside_window: "after the term",
  zero: "nothing paid",
};

const PATH = "/v1/partners/charges";

const queryOf = ({ outcome, ...rest }: ChargeFilter) => ({ ...rest, ...(outcome ? { outcome: [outcome] } : {}) });

export const listRequest = (filter: ChargeFilter) => `GET ${PATH}${queryText({ ...queryOf(filter), limit: PAGE_ROWS })}`;
export const exportAddress = (filter: ChargeFilter) => `/portal/api${PATH}${queryText({ ...queryOf(filter), format: "csv" })}`;

/** What clients paid, the latest first. No change is told of a charge itself, but of the commissions that it earns. */
export function useCharges(filter: ChargeFilter, enabled = true) {
  return useList<Charge>(
    ["commissions", "charges", filter],
    async (cursor, signal) => {
      const query = { ...queryOf(filter), limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
      return (await api.GET(PATH, { params: { query }, signal })).data;
    },
    enabled,
  );
}

/** A charge with its refunds and what it earned. */
export function useCharge(id: string) {
  return useQuery({
    queryKey: ["commissions", "charge", id],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
  });
}
