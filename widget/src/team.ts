import type { Team } from "./client.ts";
import { TEXTS } from "./texts.ts";

/** What is said while nobody of the team is there; empty while somebody is. Times are the visitor's own. */
export function awayText(team: Team | null, now: Date): string {
  if (team === null) return "";
  const changes_at = team.changes_at === null ? null : new Date(team.changes_at);
  const changed = changes_at !== null && changes_at <= now;
  if (team.open !== changed) return "";
  return changes_at === null || changed ? TEXTS.away : TEXTS.awayUntil(timeOf(changes_at, now));
}

function timeOf(at: Date, now: Date): string {
  const within_week = at.getTime() - now.getTime() < 6 * 86_400_000;
  const day = within_week ? ({ weekday: "long" } as const) : ({ weekday: "long", day: "numeric", month: "long" } as const);
  return `${at.toLocaleDateString("en-GB", day)} at ${at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
}
