import type { Part } from "../../ui/charts.tsx";
import { State, type Tone } from "../../ui/state.tsx";
import type { Rollout, RolloutStatus } from "./rollouts.data.ts";
import { plural } from "./words.tsx";

const TONES: Record<RolloutStatus, Tone> = {
  queued: "wait",
  canary: "live",
  running: "live",
  paused: "wait",
  halted: "bad",
  completed: "ended",
  completed_with_errors: "bad",
  cancelled: "ended",
  rolling_back: "wait",
  rolled_back: "ended",
};

export function RolloutState({ rollout: { status } }: { rollout: Pick<Rollout, "status"> }) {
  return <State tone={TONES[status]}>{status.replaceAll("_", " ")}</State>;
}

const PARTS: readonly (readonly [keyof Rollout["counts"], Part["tone"]])[] = [
  ["succeeded", "accent"],
  ["planned", "accent"],
  ["unchanged", "mid"],
  ["rolled_back", "mid"],
  ["partial", "wait"],
  ["failed", "bad"],
  ["skipped", "stuck"],
  ["cancelled", "stuck"],
  ["queued", "rest"],
];

/** The parts of the whole, those that are nobody left out. */
export const partsOf = ({ counts }: Pick<Rollout, "counts">): Part[] =>
  PARTS.map(([name, tone]) => ({ label: name.replaceAll("_", " "), value: counts[name], tone })).filter(({ value }) => value > 0);

export const doneOf = ({ total, counts }: Pick<Rollout, "total" | "counts">) => total - counts.queued - counts.cancelled;

/** Whom it is for, in words. */
export function targetText({ target, total }: Pick<Rollout, "target" | "total">): string {
  if (target === "all") return "every active client";
  if (target === "installed") return "every client that runs it";
  return "client_ids" in target ? plural(total, "client") : "clients that a filter found";
}
