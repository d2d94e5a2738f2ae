import { State, type Tone } from "../../ui/state.tsx";
import type { Agent, Mode } from "./data.ts";

const TONES: Record<Agent["status"], Tone> = { draft: "wait", active: "live", paused: "wait", archived: "ended" };

/** How an agent stands: one that is active and has no channel, or is off, answers nobody. */
export function AgentState({ agent: { status, mode, channel_ids } }: { agent: Agent }) {
  if (status !== "active") return <State tone={TONES[status]}>{status}</State>;
  if (mode === "off") return <State tone="wait">off</State>;
  if (channel_ids.length === 0) return <State tone="wait">no channel</State>;
  return <State tone="live">{mode === "suggest" ? "suggests" : "answers"}</State>;
}

export const MODES: Record<Mode, { name: string; note: string }> = {
  autopilot: { name: "Autopilot", note: "It answers people, and uses its tools." },
  suggest: { name: "Suggest", note: "Its answers are notes for the team. Nothing is sent, and nothing changes." },
  off: { name: "Off", note: "It does not answer." },
};

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
