import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../api/client.ts";
import { useWrite } from "../../api/writes.ts";

type Schemas = components["schemas"];
export type Tier = Schemas["Tier"];
export type Requirement = Tier["requirements"][number];
export type TierBody = Omit<Schemas["TierCreate"], "grade">;

export const PATH = "/v1/admin/tiers";
const CHANGED = ["tiers", "partners"];

/** All tiers, the lowest first. */
export function useTiers() {
  return useQuery({
    queryKey: ["tiers"],
    queryFn: async ({ signal }) => {
      const { data } = (await api.GET(PATH, { signal })).data;
      return data.toSorted((one, other) => one.rank - other.rank);
    },
    meta: { live: ["rules"] },
  });
}

/** Grades to choose from. */
export function useGrades(): { value: string; label: string }[] {
  const { data = [] } = useTiers();
  return data.map(({ grade, name }) => ({ value: grade, label: name }));
}

export const useCreateTier = () =>
  useWrite(
    async ({ body, key }: { body: Schemas["TierCreate"]; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    ...CHANGED,
  );

export const useUpdateTier = () =>
  useWrite(
    async ({ tier, body }: { tier: Tier; body: Schemas["TierPatch"] }) =>
      (await api.PATCH(`${PATH}/{grade}`, { body, params: { path: { grade: tier.grade }, header: ifMatch(tier.version) } })).data,
    ...CHANGED,
  );

export const useDeleteTier = () =>
  useWrite(
    async (tier: Tier) =>
      void (await api.DELETE(`${PATH}/{grade}`, { params: { path: { grade: tier.grade }, header: ifMatch(tier.version) } })),
    ...CHANGED,
  );
