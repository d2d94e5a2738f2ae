import type { EventDraft } from "../../../../kernel/events.ts";
import type { Direction, GradeCause } from "./model.ts";

type Graded = { id: string; grade: string; version: number };

/** The certification is the one that was granted or has ended. */
export function tierChanged(
  { id, grade, version }: Graded,
  previous_grade: string,
  direction: Direction,
  { reason, certification_id }: GradeCause,
  now: Date,
): EventDraft {
  return {
    type: "tier.changed",
    subject: id,
    subject_version: version,
    client_id: null,
    data: {
      partner_id: id,
      previous_grade,
      grade,
      direction,
      reason,
      certification: certification_id ?? null,
      effective_at: now.toISOString(),
    },
  };
}
