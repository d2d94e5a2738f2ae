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
