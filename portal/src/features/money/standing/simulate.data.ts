import { useMutation } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api } from "../../../api/client.ts";

/** What past charges would have earned. Nothing is written. */
export function useSimulate() {
  return useMutation({
    mutationFn: async (body: components["schemas"]["CommissionSimulation"]) =>
      (await api.POST("/v1/partners/deals/commissions/simulate", { body })).data,
  });
}
