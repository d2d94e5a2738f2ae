import { fail } from "../../../../kernel/errors.ts";

export const STATUSES = ["submitted", "approved", "rejected", "needs_info", "withdrawn", "expired"] as const;
export type Status = (typeof STATUSES)[number];

/** Those in which a sale has its company for itself. */
const HOLDING: readonly Status[] = ["submitted", "approved", "needs_info"];

/** Where the operator or the partner can take a registration from where it is. Approving one that has ended protects it anew. */
export const DECISIONS: Record<Status, readonly Status[]> = {
  submitted: ["approved", "rejected", "needs_info", "withdrawn"],
  needs_info: ["approved", "rejected", "withdrawn"],
  approved: ["rejected", "withdrawn"],
  rejected: ["approved"],
  expired: ["approved"],
  withdrawn: [],
};

export type SaleContact = { name?: string | null; email?: string | null; phone?: string | null };

/** A deal of the house account: the sale of a plan to a company. */
export type Sale = {
  deal_id: string;
  company: string | null;
  company_domain: string | null;
  contact: SaleContact | null;
  plan: string | null;
  mrr_cents: number | null;
  currency: string;
  client_id: string | null;
  pipeline_id: string;
  /** The stage's name. */
  stage: string;
};

/** A registration as its row is read, with what its events say of its deal, and the JSON that the APIs show of it. */
export type Registration = Sale & {
  partner_id: string;
  account_id: string;
  stage_id: string;
  stage_type: "open" | "won" | "lost";
  stage_entered_at: Date;
  /** Whether its deal was deleted, so that nobody is shown it any more. */
  deleted: boolean;
  status: Status;
  outcome: "won" | "lost" | null;
  protected_until: Date;
  reason: string | null;
  submitted_at: Date;
  decided_by: string | null;
  decided_at: Date | null;
  /** The deal's: what changes the registration changes the deal. */
  version: number;
  json: string;
};

export function holds({ status }: Pick<Registration, "status">): boolean {
  return HOLDING.includes(status);
}

/** Whether there is anything to decide. Repeating a decision is none; an impossible one is refused. */
export function checkDecision(registration: Pick<Registration, "status" | "outcome">, to: Status): boolean {
  const { status, outcome } = registration;
  if (status === to) return false;
  const allowed = DECISIONS[status].filter((next) => outcome === null || (outcome === "won" && next !== "withdrawn"));
  if (allowed.includes(to)) return true;
  fail("invalid_state_transition", {
    detail:
      outcome === "lost"
        ? "The deal is lost: there is nothing left to decide."
        : `A registration that is ${status}, of a deal that is ${outcome ?? "open"}, cannot become ${to}.`,
    meta: { from: status, to, allowed },
  });
}

const DAY_MS = 86_400_000;

export function daysAfter(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS);
}

/** Whole days since an instant. */
export function daysSince(then: Date, now: Date): number {
  return Math.max(Math.floor((now.getTime() - then.getTime()) / DAY_MS), 0);
}
