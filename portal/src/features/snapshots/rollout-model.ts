import type { Pace, Rollout } from "./rollouts.data.ts";

export type Phase = {
  name: "Canary" | "Everyone";
  members: number;
  done: number;
  failed: number;
  state: "done" | "now" | "later";
  from: string | null;
  to: string | null;
};

type Counted = Pick<Rollout, "total" | "canary_members" | "counts" | "canary_counts" | "max_failure_percent">;

/** The clients of both phases: how many there are, were not reached, and have failed. */
function partsOf({ total, canary_members, counts, canary_counts }: Counted) {
  const leftOf = ({ queued, cancelled }: Rollout["counts"]) => queued + cancelled;
  const left = leftOf(canary_counts);
  const canary = { members: canary_members, left, failed: canary_counts.failed };
  const others = { members: total - canary_members, left: leftOf(counts) - left, failed: counts.failed - canary_counts.failed };
  return { canary, others };
}

type Part = ReturnType<typeof partsOf>["canary"];

/** The phases of a rollout, with their times as far as they are known. Everyone follows when the canary is done. */
export function phasesOf(rollout: Rollout, canary_done_at: string | null): Phase[] {
  const { canary, others } = partsOf(rollout);
  const { created_at, finished_at, status } = rollout;
  const phase = (
    name: Phase["name"],
    { members, left, failed }: Part,
    begun: boolean,
    from: string | null,
    to: string | null,
  ): Phase => {
    const over = left === 0 || finished_at !== null;
    const state = !begun ? "later" : over ? "done" : "now";
    return { name, members, done: members - left, failed, state, from, to: over ? to : null };
  };
  const begun = canary.left === 0 && (others.left < others.members || status === "running");
  const from = canary.members === 0 ? created_at : canary_done_at;
  const everyone = phase("Everyone", others, begun, from, finished_at);
  if (canary.members === 0) return [everyone];
  return [phase("Canary", canary, true, created_at, canary_done_at), everyone];
}

const percents = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 2 });

/** How near the phase that goes on is to the bound: it halts when more than that share of its clients has failed. */
export function boundOf(rollout: Counted) {
  const { canary, others } = partsOf(rollout);
  const { members, failed } = canary.left > 0 || (canary.failed > 0 && others.left === others.members) ? canary : others;
  const allowed = Math.floor((rollout.max_failure_percent * members) / 100);
  return {
    failed,
    members,
    /** How many more may fail; negative where too many have. */
    more: allowed - failed,
    percent: percents.format(members === 0 ? 0 : failed / members),
    /** Of what may fail: 1 is the bound. */
    share: failed === 0 ? 0 : Math.min(1, (failed * 100) / Math.max(1, rollout.max_failure_percent * members)),
  };
}

const MINUTE_MS = 60_000;
const SHOWN_MIN = 15;
const SHOWN_MAX = 60;

/** Minute by minute up to the last one in which clients were done, also those in which none was: at least a quarter of an hour. */
export function minutesOf({ minutes }: Pick<Pace, "minutes">): { key: string; value: number; bad: number }[] {
  const at = (text: string | undefined) => Date.parse(text ?? "");
  const last = at(minutes.at(-1)?.at);
  const count = Math.min(SHOWN_MAX, Math.max(SHOWN_MIN, (last - at(minutes[0]?.at)) / MINUTE_MS + 1));
  const known = new Map(minutes.map((minute) => [at(minute.at), minute]));
  return Array.from({ length: count }, (_, index) => {
    const time = last - (count - 1 - index) * MINUTE_MS;
    const { clients = 0, failed = 0 } = known.get(time) ?? {};
    return { key: new Date(time).toISOString(), value: clients - failed, bad: failed };
  });
}
