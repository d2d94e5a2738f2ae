import type { EventDraft } from "../../../../kernel/events.ts";
import { directionBetween, type Partner } from "./model.ts";

export function gradeChanged(partner: Partner, previous_grade: string, now: Date): EventDraft {
  const { id, grade, version } = partner;
  return {
    type: "tier.changed",
    subject: id,
    subject_version: version,
    client_id: null,
    data: {
      partner_id: id,
      previous_grade,
      grade,
      direction: directionBetween(previous_grade, grade),
      reason: "manual",
      certification: null,
      effective_at: now.toISOString(),
    },
  };
}
