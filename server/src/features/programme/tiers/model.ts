import { type Fault, fail } from "../../../kernel/errors.ts";

export const METRICS = ["active_clients", "won_mrr_cents", "certifications", "retention_bps"] as const;
export type Metric = (typeof METRICS)[number];

/** What a grade requires: at least this value of a metric. */
export type Requirement = { metric: Metric; value: number; window_days?: number; currency?: string };

/** The terms of a grade that replace those of the programme; null: as the programme says. */
export type Benefits = {
  hold_days: number | null;
  protection_days: number | null;
  open_registrations_max: number | null;
  rate_limit_per_minute: number | null;
  rate_limit_burst: number | null;
  api_access: boolean;
};

export type Tier = Benefits & {
  grade: string;
  name: string;
  rank: number;
  requirements: Requirement[];
  version: number;
};

export const RANK_MAX = 1_000_000;

/** The grade of a partner that meets no requirement. It has the rank 0 and is never deleted. */
export const LOWEST_GRADE = "registered";

/** What each metric needs besides a value. */
const NEEDS: Record<Metric, "currency" | "window_days" | null> = {
  active_clients: null,
  won_mrr_cents: "currency",
  certifications: null,
  retention_bps: "window_days",
};

/** Refuses requirements that cannot be measured, and any of the lowest grade. */
export function checkTier({ grade, rank, requirements }: Pick<Tier, "grade" | "rank" | "requirements">): void {
  const faults: Fault[] = [];
  const refuse = (pointer: string, code: string, detail: string) =>
    faults.push({ in: "body", pointer: `#/${pointer}`, code, detail });
  if (rank > RANK_MAX)
    refuse("rank", "rank_too_high", `A rank is at most ${RANK_MAX}. Send one that is free, or lower the highest.`);
  if ((grade === LOWEST_GRADE) !== (rank === 0)) refuse("rank", "rank_of_lowest", `The rank 0 is that of ${LOWEST_GRADE} alone.`);
  if (grade === LOWEST_GRADE && requirements.length > 0)
    refuse(
      "requirements",
      "requirements_of_lowest",
      `${LOWEST_GRADE} has no requirements: it is the grade of every new partner.`,
    );
  for (const [index, requirement] of requirements.entries()) {
    const { metric, value } = requirement;
    const at = `requirements/${index}`;
    for (const member of ["currency", "window_days"] as const) {
      const needed = NEEDS[metric] === member;
      if (needed && requirement[member] === undefined)
        refuse(`${at}/${member}`, "required_by_metric", `${member} is required by ${metric}.`);
      if (!needed && requirement[member] !== undefined)
        refuse(`${at}/${member}`, "not_of_metric", `${member} does not apply to ${metric}.`);
    }
    if (metric === "retention_bps" && value > 10_000)
      refuse(`${at}/value`, "out_of_range", "A retention is at most 10000 basis points.");
    if (requirements.findIndex((other) => other.metric === metric && other.currency === requirement.currency) < index)
      refuse(at, "repeated", `${metric} is required twice.`);
  }
  if (faults.length > 0) fail("validation_failed", { faults });
}
