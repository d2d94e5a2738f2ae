import type { components } from "@tributary/sdk";
import { api } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";

export type Charge = components["schemas"]["Charge"];
export type Outcome = Charge["outcome"];
export type ChargeFilter = { client_id?: string; outcome?: Outcome; charged_after?: string; charged_before?: string };

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
