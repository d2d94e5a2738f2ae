import { State, type Tone } from "../../../ui/state.tsx";
import type { Lead, Status } from "./data.ts";

const TONES: Record<Status, Tone> = { new: "wait", working: "wait", qualified: "live", disqualified: "ended", converted: "live" };

export function LeadState({ lead }: { lead: Pick<Lead, "status"> }) {
  return <State tone={TONES[lead.status]}>{lead.status}</State>;
}

/** What a lead is called: one of these it always has. */
export const leadName = ({ name, email, phone, external_id, id }: Lead) => name ?? email ?? phone ?? external_id ?? id;
