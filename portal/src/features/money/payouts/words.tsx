import { State, type Tone } from "../../../ui/state.tsx";
import { day } from "../../../ui/when.tsx";
import type { Payout, PayoutStatus } from "./data.ts";

const TONES: Record<PayoutStatus, Tone> = {
  scheduled: "wait",
  processing: "wait",
  paid: "live",
  failed: "bad",
  cancelled: "ended",
};

/** The state of a payout as dot and word. */
export function PayoutState({ row, strong = false }: { row: Pick<Payout, "status">; strong?: boolean }) {
  return (
    <State tone={TONES[row.status]} strong={strong}>
      {row.status}
    </State>
  );
}

export const METHODS: Record<Payout["method"], string> = { sepa: "SEPA transfer", manual: "By hand" };

/** "DE89 … 3000", or what it is called where nothing of it is shown. */
export const toText = ({ method, method_hint }: Pick<Payout, "method" | "method_hint">) =>
  method === "sepa" ? `to ${method_hint}` : "by manual transfer";

/** "15 Oct – 15 Nov". */
export const periodOf = ({ period_from, period_to }: Pick<Payout, "period_from" | "period_to">) =>
  `${day(period_from)} – ${day(period_to)}`;

/** How it stands, in a sentence. */
export function standing(row: Payout): string {
  switch (row.status) {
    case "scheduled":
      return row.attempt > 1
        ? `It is tried again, ${toText(row)}.`
        : `It goes out ${toText(row)}, planned for ${day(row.scheduled_for)}.`;
    case "processing":
      return row.method === "sepa" ? `The bank has it, ${toText(row)}.` : "It is in the operator's list of payments.";
    case "paid":
      return `Paid ${toText(row)}${row.reference ? `, reference ${row.reference}` : ""}.`;
    case "failed":
      return "It is still owed to you, and will be tried again or cancelled by the operator.";
    case "cancelled":
      return "Nothing was paid with it. Its commissions are approved again, and in the next payout.";
  }
}
