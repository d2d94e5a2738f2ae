import { Ban, CalendarClock, Check, RotateCcw, Send, X } from "lucide-react";
import type { Moment } from "../../../ui/timeline.tsx";
import type { PayoutDetail } from "./data.ts";

const SIZE = 13;

/** The states that a payout has been in, newest first. */
export function momentsOf(row: PayoutDetail): Moment[] {
  const moments: Moment[] = [];
  for (const { attempt, failure, started_at, ended_at, method_hint } of row.attempts) {
    const first = attempt === 1;
    moments.push({
      id: `start ${attempt}`,
      icon: first ? <CalendarClock size={SIZE} /> : <RotateCcw size={SIZE} />,
      what: first ? "Scheduled" : "Tried again",
      ...(first ? {} : { more: method_hint }),
      at: started_at,
    });
    if (failure !== null && ended_at !== null)
      moments.push({ id: `end ${attempt}`, icon: <X size={SIZE} />, what: "Failed", more: failure, at: ended_at, tone: "bad" });
  }
  const last = LAST[row.status]?.(row);
  return (last ? [...moments, last] : moments).toReversed();
}

const LAST: Partial<Record<PayoutDetail["status"], (row: PayoutDetail) => Moment>> = {
  processing: ({ updated_at }) => ({ id: "bank", icon: <Send size={SIZE} />, what: "In a file for the bank", at: updated_at }),
  paid: ({ paid_at, updated_at, reference }) => ({
    id: "paid",
    icon: <Check size={SIZE} />,
    what: "Paid",
    ...(reference === null ? {} : { more: reference }),
    at: paid_at ?? updated_at,
    tone: "accent",
  }),
  cancelled: ({ updated_at }) => ({
    id: "cancelled",
    icon: <Ban size={SIZE} />,
    what: "Cancelled",
    more: "Its commissions are approved again, and in the next payout.",
    at: updated_at,
  }),
};
