import { State, type Tone } from "../../ui/state.tsx";
import type { Client, ClientStatus } from "./data.ts";

const TONES: Record<ClientStatus, Tone> = { active: "live", pending: "wait", suspended: "bad", churned: "ended" };

/** The state of a client as dot and word. */
export function ClientState({ client }: { client: Pick<Client, "status"> }) {
  return <State tone={TONES[client.status]}>{client.status}</State>;
}
