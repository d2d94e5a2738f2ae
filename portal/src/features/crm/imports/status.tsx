import { State, type Tone } from "../../../ui/state.tsx";
import type { Import, Mode, Resource, Status } from "./data.ts";

const TONES: Record<Status, Tone> = {
  queued: "wait",
  running: "wait",
  completed: "live",
  cancelled: "ended",
  failed: "bad",
  reverting: "wait",
  reverted: "ended",
};

export function ImportState({ of }: { of: Pick<Import, "status"> }) {
  return <State tone={TONES[of.status]}>{of.status}</State>;
}

export const NAMES: Record<Resource, string> = { contact: "contacts", lead: "leads", deal: "deals" };

export const MODES: Record<Mode, string> = {
  create: "Create; a row that exists already fails",
  upsert: "Create, and update those that exist",
  update: "Only update those that exist",
};

export const count = (number: number) => number.toLocaleString("en-US");
export const rowsText = (number: number) => `${count(number)} ${number === 1 ? "row" : "rows"}`;
