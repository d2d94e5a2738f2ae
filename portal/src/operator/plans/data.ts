import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../api/lists.ts";
import { useWrite } from "../../api/writes.ts";

type Schemas = components["schemas"];
export type Plan = Omit<Schemas["Plan"], "prices"> & { prices: Record<string, number> };

const PATH = "/v1/admin/plans";

export type PlanFilter = { state?: Plan["state"][] };

export const listRequest = (filter: PlanFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;

export function usePlans(filter: PlanFilter) {
  return useList<Plan>(["plans", filter], async (cursor, signal) => {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    const { data } = await api.GET(PATH, { params: { query }, signal });
    return data as typeof data & { data: Plan[] };
  });
}

type Body = { name: string; prices: Record<string, number> };

export const useCreatePlan = () =>
  useWrite(
    async ({ body, key }: { body: Body; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    "plans",
  );

export const useUpdatePlan = () =>
  useWrite(
    async ({ plan, body }: { plan: Plan; body: Partial<Body> & { state?: "active" | "archived" } }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: plan.id }, header: ifMatch(plan.version) } })).data as Plan,
    "plans",
  );
