import { Check } from "lucide-react";
import { day } from "../../../ui/when.tsx";
import classes from "./commissions.module.css";
import type { CommissionDetail } from "./data.ts";

type At = "done" | "now" | "later" | "stopped";
type Stop = { name: string; when: string; more: string; at: At };

/** The stops between a commission's being recorded and its being paid, and where it is now. */
export function stopsOf(row: Pick<CommissionDetail, "status" | "accrued_at" | "hold_until" | "hold_reason" | "kind">): Stop[] {
  const { status, accrued_at, hold_until, hold_reason } = row;
  const recorded: Stop = { name: "Recorded", when: day(accrued_at), more: "", at: "done" };
  if (status === "void") {
    return [recorded, { name: "Void", when: "", more: "Taken back as a whole: nothing of it is left.", at: "stopped" }];
  }
  const passed = status === "approved" || status === "scheduled" || status === "paid";
  const charge: Stop = {
    name: "First charge",
    when: hold_until === null ? "" : "paid",
    more: hold_until === null ? "Waits for the client's first charge." : "",
    at: hold_until === null ? "now" : "done",
  };
  const hold: Stop = {
    name: "Hold",
    when: hold_until === null ? "" : `until ${day(hold_until)}`,
    more: passed ? "" : "A refund in this time reduces it.",
    at: passed ? "done" : hold_until === null ? "later" : "now",
  };
  const waits = row.kind === "first" || hold_until === null;
  const steps = [recorded, ...(waits ? [charge] : []), hold];
  if (status === "held") {
    return [
      ...steps.map((step) => (step.at === "now" ? { ...step, at: "done" as const } : step)),
      held(hold_reason),
      approved("later", null),
    ];
  }
  return [...steps, approved(passed ? "done" : "later", hold_until), paid(status)];
}

const held = (reason: string | null): Stop => ({
  name: "Held by the operator",
  when: "",
  more: reason ?? "No reason was given.",
  at: "stopped",
});

const approved = (at: At, when: string | null): Stop => ({
  name: "Approved",
  when: when === null ? "" : `on ${day(when)}`,
  more: at === "later" ? "Ready for the next payout then." : "Ready for payout.",
  at,
});

function paid(status: CommissionDetail["status"]): Stop {
  if (status === "scheduled") return { name: "Payout", when: "scheduled", more: "", at: "now" };
  return { name: "Paid", when: "", more: "", at: status === "paid" ? "done" : "later" };
}

/** The way of a commission to the partner. */
export function Way({ row }: { row: CommissionDetail }) {
  return (
    <ol className={classes.life}>
      {stopsOf(row).map(({ name, when, more, at }) => (
        <li key={name} data-at={at}>
          <i aria-hidden>{at === "done" && <Check size={10} strokeWidth={3} />}</i>
          <div>
            <b>{name}</b>
            <span>{when}</span>
            {more && <p>{more}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
