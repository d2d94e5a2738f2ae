import type { Tier } from "../../tiers/index.ts";

/** Why a grade changes: the partner's metrics, a certification, or the operator's own decision. */
export type GradeReason = "metric" | "certification" | "manual";
export type GradeCause = { reason: GradeReason; certification_id?: string };

export const DIRECTIONS = ["up", "down", "none"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Whether a grade stands above another, by the ranks of the tiers. */
export function directionBetween(tiers: readonly Tier[], from: string, to: string): Direction {
  const rank = (grade: string) => tiers.find((tier) => tier.grade === grade)?.rank ?? 0;
  const steps = rank(to) - rank(from);
  if (steps === 0) return "none";
  return steps > 0 ? "up" : "down";
}

/** What says whether metrics may change a grade. */
export type Pin = { pinned: boolean; pinned_until: string | null };

/** The pin after a change by hand: a new grade is pinned, and so is one with a new time. Without a pin there is no time. */
export function pinAfter(before: Pin & { grade: string }, patch: Partial<Pin & { grade: string }>): Pin {
  const regraded = patch.grade !== undefined && patch.grade !== before.grade;
  const pinned = patch.pinned ?? (regraded || (patch.pinned_until ?? null) !== null || before.pinned);
  if (!pinned) return { pinned, pinned_until: null };
  const kept = regraded ? null : before.pinned_until;
  return { pinned, pinned_until: patch.pinned_until === undefined ? kept : patch.pinned_until };
}
