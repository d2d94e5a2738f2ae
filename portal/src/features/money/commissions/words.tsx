import { State, type Tone } from "../../../ui/state.tsx";
import { day } from "../../../ui/when.tsx";
import type { Commission, CommissionKind, CommissionStatus } from "./data.ts";

const TONES: Record<CommissionStatus, Tone> = {
  pending: "wait",
  held: "bad",
  approved: "live",
  scheduled: "live",
  paid: "live",
  void: "ended",
};

/** The state of a commission as dot and word. */
export function CommissionState({ row, strong = false }: { row: Pick<Commission, "status">; strong?: boolean }) {
  return (
    <State tone={TONES[row.status]} strong={strong}>
      {row.status}
    </State>
  );
}

export const KINDS: Record<CommissionKind, string> = {
  first: "First",
  recurring: "Recurring",
  override: "Override",
  adjustment: "Adjustment",
  reversal: "Reversal",
  marketplace: "Marketplace",
};

const REASONS: Record<string, string> = {
  first_charge: "first charge",
  refund: "refund",
  superseded: "a later sale took over",
  no_charge: "no charge came in time",
  other_currency: "charged in another currency",
  order_cancelled: "order cancelled",
  write_off: "written off",
};

/** Why a row changes another, in words. */
export const reasonText = (code: string | null) => (code === null ? null : (REASONS[code] ?? code.replaceAll("_", " ")));

/** What the row is: "Recurring", "Reversal, refund". */
export function whatOf({ kind, reason_code, level }: Pick<Commission, "kind" | "reason_code" | "level">): string {
  const reason = reasonText(reason_code);
  return `${KINDS[kind]}${level > 0 && kind === "override" ? `, level ${level}` : ""}${reason ? `, ${reason}` : ""}`;
}

/** Whom it came from: the client of an own sale, or the sub-partner directly below. */
export const fromOf = ({ client_company, source_company }: Pick<Commission, "client_company" | "source_company">) =>
  client_company ?? source_company ?? "The operator";

/** How it stands, in a sentence. */
export function standing({ amount_cents, status, hold_until, hold_reason }: Commission): string {
  if (amount_cents < 0 && status === "approved") return "Taken off the next payout";
  if (amount_cents < 0 && status === "pending") return "Taken off what is pending";
  switch (status) {
    case "pending":
      return hold_until === null ? "Waits for the client's first charge" : `Will be approved on ${day(hold_until)}`;
    case "held":
      return `Held by the operator${hold_reason ? `: ${hold_reason}` : ""}`;
    case "approved":
      return "Approved, ready for payout";
    case "scheduled":
      return "Part of a payout that is not paid yet";
    case "paid":
      return "Paid out";
    case "void":
      return "Void: it was taken back as a whole";
  }
}
