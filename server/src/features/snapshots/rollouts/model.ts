import { createHash } from "node:crypto";
import { fail } from "../../../kernel/errors.ts";

/** The members of one rollout. */
export const MEMBERS_MAX = 100_000;
/** How many rollouts of a partner are worked on at a time. */
export const ACTIVE_MAX = 5;
export const FAILURE_PERCENT_DEFAULT = 5;
/** After so many unexpected failures a deployment fails. */
export const ATTEMPTS_MAX = 5;

export const STATUSES = [
  "queued",
  "canary",
  "running",
  "paused",
  "halted",
  "completed",
  "completed_with_errors",
  "cancelled",
  "rolling_back",
  "rolled_back",
] as const;
export type Status = (typeof STATUSES)[number];

/** Those that are worked on. */
export const ACTIVE: readonly Status[] = ["queued", "canary", "running", "rolling_back"];

/** What a member, the deployment to one client, can be. */
export const MEMBER_STATUSES = [
  "queued",
  "succeeded",
  "partial",
  "unchanged",
  "skipped",
  "failed",
  "cancelled",
  "planned",
  "rolled_back",
] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

/** The number of members of each status. */
export type Counts = Record<MemberStatus, number>;

/** A member that has changed its status. */
export type Move = { from: MemberStatus; to: MemberStatus; canary: boolean; count?: number };

/** As much of a rollout as its rules depend on. */
export type Progress = {
  status: Status;
  status_reason: string | null;
  dry_run: boolean;
  total: number;
  canary_members: number;
  max_failure_percent: number;
  counts: Counts;
  /** Of the members of the canary alone. */
  canary_counts: Counts;
  /** When its rollback was requested. */
  rolled_back_at: Date | null;
};

export function newCounts(queued: number): Counts {
  return { ...(Object.fromEntries(MEMBER_STATUSES.map((status) => [status, 0])) as Counts), queued };
}

function moved(counts: Counts, moves: readonly Move[]): Counts {
  const next = { ...counts };
  for (const { from, to, count = 1 } of moves) {
    next[from] -= count;
    next[to] += count;
  }
  return next;
}

/** The same rollout after some of its members have changed their status. */
export function withMoves<Rollout extends Progress>(rollout: Rollout, moves: readonly Move[]): Rollout {
  const ofCanary = moves.filter(({ canary }) => canary);
  return { ...rollout, counts: moved(rollout.counts, moves), canary_counts: moved(rollout.canary_counts, ofCanary) };
}

/** What a rollout does next: its canary while any of it waits, then the others. */
export function phaseOf({ canary_counts, rolled_back_at }: Progress): "canary" | "running" | "rolling_back" {
  if (rolled_back_at !== null) return "rolling_back";
  return canary_counts.queued > 0 ? "canary" : "running";
}

/** More members of the phase have failed than the rollout allows. */
function isOver({ status, max_failure_percent, total, counts, canary_members, canary_counts }: Progress): boolean {
  const isCanary = status === "canary";
  const failed = isCanary ? canary_counts.failed : counts.failed - canary_counts.failed;
  const members = isCanary ? canary_members : total - canary_members;
  return failed * 100 > max_failure_percent * members;
}

/**
 * A rollout after a batch: over, halted, past its canary, or as it was. Only a batch with failures halts it, so that one that was resumed
 * goes on until the next failure.
 */
export function advanced<Rollout extends Progress>(rollout: Rollout, moves: readonly Move[]): Rollout {
  const next = withMoves(rollout, moves);
  if (next.counts.queued === 0) return { ...next, status: next.counts.failed > 0 ? "completed_with_errors" : "completed" };
  const failures = moves.some(({ to }) => to === "failed");
  if (failures && !next.dry_run && isOver(next)) return { ...next, status: "halted", status_reason: "too_many_failures" };
  return { ...next, status: phaseOf(next) };
}

/** What a caller can do to a rollout: the statuses that it is possible in, and those that it changes nothing in. */
const ACTIONS = {
  pause: { from: ["queued", "canary", "running"], done: ["paused"], to: ["paused"] },
  resume: { from: ["paused", "halted"], done: ["queued", "canary", "running", "rolling_back"], to: ["canary", "running"] },
  cancel: { from: ["queued", "canary", "running", "paused", "halted"], done: ["cancelled"], to: ["cancelled"] },
  retry: {
    from: ["canary", "running", "paused", "halted", "completed", "completed_with_errors"],
    done: ["queued"],
    to: ["canary", "running"],
  },
  rollback: {
    from: ["canary", "running", "paused", "halted", "completed", "completed_with_errors", "cancelled"],
    done: ["rolling_back", "rolled_back"],
    to: ["rolling_back"],
  },
} as const satisfies Record<string, Record<"from" | "done" | "to", readonly Status[]>>;
export type Action = keyof typeof ACTIONS;

/** Whether an action has anything to do. One that the status does not allow is refused. */
export function mayAct({ status, rolled_back_at }: Pick<Progress, "status" | "rolled_back_at">, action: Action): boolean {
  const { from, done }: { from: readonly Status[]; done: readonly Status[] } = ACTIONS[action];
  if (done.includes(status)) return false;
  // What was rolled back in part can only be rolled back further.
  if (from.includes(status) && !(action === "retry" && rolled_back_at !== null)) return true;
  const allowed = Object.values(ACTIONS).flatMap((one) => ((one.from as readonly Status[]).includes(status) ? one.to : []));
  fail("invalid_state_transition", {
    detail: `The rollout is ${status}. That does not allow ${action === "rollback" ? "a rollback" : `to ${action} it`}.`,
    meta: { from: status, allowed: [...new Set(allowed)] },
  });
}

/** The status that an event tells of a rollout that has ended or was stopped. */
export function toldStatus({ status, counts }: Pick<Progress, "status" | "counts">) {
  if (status === "halted" || status === "cancelled" || status === "rolled_back") return status;
  const { succeeded, partial, unchanged, failed } = counts;
  if (failed > 0 && succeeded + partial + unchanged === 0) return "failed";
  return failed + partial > 0 ? "partial" : "succeeded";
}

export type Canary = { count: number } | { percent: number } | { client_ids: string[] };

const CANARY_FROM_MEMBERS = 10;
const CANARY_MAX = 50;

/** The canary of a rollout that names none: one member of a hundred, 1 to 50; none where there are few. */
export function defaultCanary(members: number): Canary | null {
  return members < CANARY_FROM_MEMBERS ? null : { count: Math.min(Math.ceil(members / 100), CANARY_MAX) };
}

/** The members of a canary: those that were named, or others by a hash, which no order of ids and no size favours. */
export function canaryOf(canary: Canary | null, rollout_id: string, client_ids: readonly string[]): ReadonlySet<string> {
  if (canary === null) return new Set();
  if ("client_ids" in canary) return new Set(canary.client_ids);
  const size = "count" in canary ? canary.count : Math.ceil((client_ids.length * canary.percent) / 100);
  const hashed = client_ids.map(
    (id) =>
      [
        createHash("sha256")
          .update(rollout_id + id)
          .digest("hex"),
        id,
      ] as const,
  );
  return new Set(
    hashed
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, size)
      .map(([, id]) => id),
  );
}
