import { State, type Tone } from "../../ui/state.tsx";
import type { Registration, RegistrationStatus } from "./data.ts";

const TONES: Record<RegistrationStatus, Tone> = {
  submitted: "wait",
  needs_info: "wait",
  approved: "live",
  rejected: "bad",
  withdrawn: "ended",
  expired: "ended",
};
const WORDS: Partial<Record<RegistrationStatus, string>> = { submitted: "waits for you", needs_info: "asked for more" };

export function RegistrationState({ registration: { status } }: { registration: Pick<Registration, "status"> }) {
  return <State tone={TONES[status]}>{WORDS[status] ?? status}</State>;
}
