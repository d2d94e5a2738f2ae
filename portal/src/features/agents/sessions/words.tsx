import { State, type Tone } from "../../../ui/state.tsx";
import type { AgentSession, SessionStatus } from "./data.ts";

const STATUSES: Record<SessionStatus, { tone: Tone; name: string }> = {
  active: { tone: "live", name: "answers" },
  waiting: { tone: "live", name: "waits for the person" },
  handed_off: { tone: "wait", name: "handed over" },
  completed: { tone: "ended", name: "completed" },
  expired: { tone: "ended", name: "expired" },
  failed: { tone: "bad", name: "failed" },
};

export function SessionState({ session: { status } }: { session: Pick<AgentSession, "status"> }) {
  const { tone, name } = STATUSES[status];
  return <State tone={tone}>{name}</State>;
}

const CHANNELS: Record<AgentSession["channel_kind"], string> = {
  sms: "SMS",
  whatsapp: "WhatsApp",
  email: "Email",
  webchat: "Web chat",
  api: "Your own program",
  simulator: "Simulator",
};
export const channelOf = ({ channel_kind }: Pick<AgentSession, "channel_kind">) => CHANNELS[channel_kind];

/** What came of it, where its state does not say it already. */
export const reasonOf = ({ outcome, status }: Pick<AgentSession, "outcome" | "status">) =>
  outcome === null || outcome.reason === status ? null : outcome.reason;

/** "need website, budget 900": what the person has answered. */
export const slotsText = ({ slots }: Pick<AgentSession, "slots">) =>
  Object.entries(slots)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
