import { OUTCOMES } from "../../../features/money/charges/data.ts";
import { State, type Tone } from "../../../ui/state.tsx";
import type { Charge, Outcome } from "./data.ts";

const TONES: Record<Outcome, Tone> = { earned: "live", no_sale: "wait", outside_window: "ended", zero: "ended" };

export function OutcomeState({ charge: { outcome } }: { charge: Pick<Charge, "outcome"> }) {
  return <State tone={TONES[outcome]}>{OUTCOMES[outcome]}</State>;
}

/** Why a charge earned, or did not. */
export const REASONS: Record<Outcome, string> = {
  earned: "It earns for the sale that the client was won with.",
  no_sale: "No won and approved sale of this client earns. If one is won or approved later, it takes the charge up.",
  outside_window: "The months for which the sale earns were over.",
  zero: "Nothing was paid, so nothing is earned.",
};
