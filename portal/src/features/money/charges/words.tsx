import { State, type Tone } from "../../../ui/state.tsx";
import { type Charge, OUTCOMES, type Outcome } from "./data.ts";

const TONES: Record<Outcome, Tone> = { earned: "live", no_sale: "ended", outside_window: "ended", zero: "ended" };

const MEANINGS: Record<Outcome, string> = {
  earned: "It earned commission for the sale that won the client.",
  no_sale: "No registered sale of yours won this client, so nothing was earned.",
  outside_window: "It came after the months for which the sale earns.",
  zero: "Nothing was paid, so nothing was earned.",
};

export function ChargeOutcome({ row: { outcome } }: { row: Pick<Charge, "outcome"> }) {
  return <State tone={TONES[outcome]}>{OUTCOMES[outcome]}</State>;
}

export const meaningOf = ({ outcome }: Pick<Charge, "outcome">) => MEANINGS[outcome];

/** "1 month of Growth", "12 months". */
export const forMonths = ({ months, plan }: Pick<Charge, "months" | "plan">) =>
  `${months} month${months === 1 ? "" : "s"}${plan ? ` of ${plan}` : ""}`;
