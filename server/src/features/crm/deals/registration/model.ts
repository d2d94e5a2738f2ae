import { fail } from "../../../../kernel/errors.ts";

export const STATUSES = ["submitted", "approved", "rejected", "needs_info", "withdrawn", "expired"] as const;
export type Status = (typeof STATUSES)[number];

/** The statuses in which a deal protects its company. */
const PROTECTING: readonly Status[] = ["submitted", "approved", "needs_info"];

/** The transitions that the operator or the partner can make. Approving an expired registration protects the company again. */
export const DECISIONS: Record<Status, readonly Status[]> = {
  submitted: ["approved", "rejected", "needs_info", "withdrawn"],
  needs_info: ["approved", "rejected", "withdrawn"],
  approved: ["rejected", "withdrawn"],
  rejected: ["approved"],
  expired: ["approved"],
  withdrawn: [],
};

/** The registration of a deal: a part of it, with the deal's version. */
export type Registration = {
  status: Status;
  protected_until: string;
  reason: string | null;
  submitted_at: string;
  decided_by: string | null;
  decided_at: string | null;
  /** The partners above the seller at the registration, nearest first. */
  upline: readonly string[];
};

export const REGISTRATION_COLUMNS = [
  "status",
  "protected_until",
  "reason",
  "submitted_at",
  "decided_by",
  "decided_at",
  "upline",
] as const satisfies (keyof Registration)[];

/** The fields that an audit entry compares. Entries cannot be erased, so that a reason, which may name a person, is redacted. */
export const AUDITED = ["status", "protected_until", "reason"] as const satisfies (keyof Registration)[];
export const PERSONAL: ReadonlySet<string> = new Set(["reason"]);

type Outcome = "won" | "lost" | null;

/** How the deal of a registration ended; null while it is open. A deleted deal is lost. */
export function outcomeOf({ status, deleted_at }: { status: "open" | "won" | "lost"; deleted_at: Date | null }): Outcome {
  if (deleted_at !== null) return "lost";
  return status === "open" ? null : status;
}

export function isProtecting({ status }: Pick<Registration, "status">): boolean {
  return PROTECTING.includes(status);
}

export function isExpired({ protected_until }: Pick<Registration, "protected_until">, now: Date): boolean {
  return Date.parse(protected_until) <= now.getTime();
}

/** Whether a decision changes anything. Repeating a decision does not; an invalid one is refused. */
export function checkDecision({ status }: Pick<Registration, "status">, outcome: Outcome, to: Status): boolean {
  if (status === to) return false;
  const allowed = DECISIONS[status].filter((next) => outcome === null || (outcome === "won" && next !== "withdrawn"));
  if (allowed.includes(to)) return true;
  fail("invalid_state_transition", {
    detail:
      outcome === "lost"
        ? "The deal is lost, so its registration cannot be changed."
        : `The registration is ${status} and its deal is ${outcome ?? "open"}, so it cannot become ${to}.`,
    meta: { from: status, to, allowed },
  });
}

/** Refuses to move a deal whose registration was rejected or withdrawn. */
export function checkNotClosed(registration: Registration | null): void {
  if (registration === null || (registration.status !== "rejected" && registration.status !== "withdrawn")) return;
  const { status, reason } = registration;
  fail("registration_closed", {
    detail: `The deal's registration is ${status}${reason === null ? "." : `: ${reason}`}`,
    meta: { registration_status: status },
  });
}

const DAY_MS = 86_400_000;

export function daysAfter(now: Date, days: number): string {
  return new Date(now.getTime() + days * DAY_MS).toISOString();
}
