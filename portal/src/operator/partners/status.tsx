import { State, type Tone } from "../../ui/state.tsx";
import type { Partner } from "./data.ts";

const TONES: Record<Partner["status"], Tone> = { active: "live", suspended: "bad" };

export function PartnerState({ partner }: { partner: Pick<Partner, "status"> }) {
  return <State tone={TONES[partner.status]}>{partner.status}</State>;
}
