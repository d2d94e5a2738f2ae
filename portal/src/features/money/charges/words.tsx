import { State, type Tone } from "../../../ui/state.tsx";
import type { Charge, Outcome } from "./data.ts";

const OUTCOMES: Record<Outcome, { tone: Tone; word: string; meaning: string }> = {
  earned: { tone: "live", word: "earned", meaning: "It earned commission for the sale that won the client." },
  no_sale: { tone: "ended", word: "no sale", meaning: "No registered sale of yours won this client, so nothing was earned." },
  outside_window: {
    tone: "ended",
    word: "after the term",
    meaning: "It came after the months for which the sale earns.",
  },
  zero: {
    tone: "ended",
    word: "nothing paid",
    meaning: "Nothing was paid, so nothing was earned.",
  },
};

export function ChargeOutcome({ row }: { row: Pick<Charge, "outcome"> }) {
  const { tone, word } = OUTCOMES[row.outcome];
  return <State tone={tone}>{word}</State>;
}

export const meaningOf = ({ outcome }: Pick<Charge, "outcome">) => OUTCOMES[outcome].meaning;

/** "1 month of Growth", "12 months". */
export const forMonths = ({ months, plan }: Pick<Charge, "months" | "plan">) =>
  `${months} month${months === 1 ? "" : "s"}${plan ? ` of ${plan}` : ""}`;
