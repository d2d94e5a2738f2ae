import { usePartnerNames } from "../partners/data.ts";
import { useTiers } from "../tiers/data.ts";
import type { Names } from "./words.ts";

/** The names of grades and of some partners. */
export function useNames(partner_ids: readonly (string | null)[]): Names {
  const { data: tiers = [] } = useTiers();
  const partners = usePartnerNames(partner_ids.filter((id) => id !== null));
  return {
    grade: (grade) => tiers.find((tier) => tier.grade === grade)?.name ?? grade,
    partner: (id) => partners.get(id) ?? "One partner",
  };
}
