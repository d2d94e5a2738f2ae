import { money } from "../../ui/money.tsx";
import { State, type Tone } from "../../ui/state.tsx";
import classes from "./board.module.css";
import type { Value } from "./board-model.ts";
import type { Deal } from "./data.ts";

/** "$599/mo" for a sale, "$599" for any other deal. */
export const valueText = ({ cents, currency, monthly }: Value, whole = true) =>
  `${money(cents, currency, whole)}${monthly ? "/mo" : ""}`;

export function DealValue({ value, whole = true }: { value: Value | null; whole?: boolean }) {
  if (value === null) return null;
  return (
    <span className={classes.value}>
      {money(value.cents, value.currency, whole)}
      {value.monthly && <small>/mo</small>}
    </span>
  );
}

type Registration = NonNullable<Deal["registration"]>;

const TONES: Record<Registration["status"], [Tone, string]> = {
  approved: ["live", "approved"],
  submitted: ["wait", "in review"],
  needs_info: ["wait", "needs info"],
  rejected: ["bad", "rejected"],
  withdrawn: ["ended", "withdrawn"],
  expired: ["ended", "expired"],
};

/** The state of a registration as dot and word. */
export function RegistrationState({ registration }: { registration: Registration }) {
  const [tone, word] = TONES[registration.status];
  return <State tone={tone}>{word}</State>;
}

/** Days in a stage, and by how many they exceed its target. */
export function daysText(days: number, over: number): string {
  if (over > 0) return `${over} d over`;
  return days === 0 ? "today" : `${days} d`;
}
