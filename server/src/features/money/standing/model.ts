import { directionBetween } from "../../programme/partners/index.ts";
import { LOWEST_GRADE, METRICS, type Requirement, type Tier } from "../../programme/tiers/index.ts";

const DAY_MS = 86_400_000;

/** How long retention looks back where a requirement does not say it. */
export const WINDOW_DAYS = 365;

/** Measures what a requirement is about: each metric once, however many tiers require it. */
export type Measure = (requirement: Requirement) => Promise<number>;

/** What a review reads and changes of a partner. */
export type Standing = { grade: string; pinned: boolean; pinned_until: string | null; grace_until: string | null };

/** Whether the operator's decision holds the grade. */
export function isPinned({ pinned, pinned_until }: Standing, now: Date): boolean {
  return pinned && (pinned_until === null || Date.parse(pinned_until) > now.getTime());
}

/** The highest grade of some tiers that a partner fits, by its metrics or because a certification lifts it there; null if none. */
export async function highestFitting(
  measure: Measure,
  tiers: readonly Tier[],
  lifted: readonly string[],
): Promise<string | null> {
  for (const { grade, requirements } of tiers.toSorted((a, b) => b.rank - a.rank)) {
    if (lifted.includes(grade) || (await meets(measure, requirements))) return grade;
  }
  return null;
}

/** In the order of METRICS, which is that of their cost, and no further than the first that is not met. */
async function meets(measure: Measure, requirements: readonly Requirement[]): Promise<boolean> {
  const cost = ({ metric }: Requirement) => METRICS.indexOf(metric);
  for (const requirement of requirements.toSorted((a, b) => cost(a) - cost(b))) {
    if ((await measure(requirement)) < requirement.value) return false;
  }
  return true;
}

/** The grade that a partner fits; the lowest where it fits none. */
export async function fittingGrade(measure: Measure, tiers: readonly Tier[], lifted: readonly string[]): Promise<string> {
  return (await highestFitting(measure, tiers, lifted)) ?? LOWEST_GRADE;
}

/**
 * The standing after a review. A grade that is pinned stays. One that no longer fits is kept for some days of grace. A second review at
 * the same time changes nothing more.
 */
export function reviewed(before: Standing, fitting: string, tiers: readonly Tier[], now: Date, grace_days: number): Standing {
  if (isPinned(before, now)) return before;
  const free = { grade: before.grade, pinned: false, pinned_until: null, grace_until: null };
  const direction = directionBetween(tiers, before.grade, fitting);
  if (direction === "none") return free;
  if (direction === "up") return { ...free, grade: fitting };
  const grace_until = before.grace_until ?? new Date(now.getTime() + grace_days * DAY_MS).toISOString();
  return Date.parse(grace_until) <= now.getTime() ? { ...free, grade: fitting } : { ...free, grace_until };
}
