import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../api/client.ts";

type Schemas = components["schemas"];
export type Tier = Schemas["Tier"];
export type Requirement = Tier["requirements"][number];
export type TierBody = Omit<Schemas["TierCreate"], "grade">;

export const PATH = "/v1/admin/tiers";
const queryKey = ["tiers"];

/** All tiers, the lowest first. */
export function useTiers() {
  return useQuery({
    queryKey,
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

function useWrite<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    async onSuccess() {
      await queries.invalidateQueries({ queryKey });
      await queries.invalidateQueries({ queryKey: ["partners"] });
    },
  });
}

export const useCreateTier = () =>
  useWrite(
    async ({ body, key }: { body: Schemas["TierCreate"]; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
  );

export const useUpdateTier = () =>
  useWrite(
    async ({ tier, body }: { tier: Tier; body: Schemas["TierPatch"] }) =>
      (await api.PATCH(`${PATH}/{grade}`, { body, params: { path: { grade: tier.grade }, header: ifMatch(tier.version) } })).data,
  );

export const useDeleteTier = () =>
  useWrite(
    async (tier: Tier) =>
      void (await api.DELETE(`${PATH}/{grade}`, { params: { path: { grade: tier.grade }, header: ifMatch(tier.version) } })),
  );
