import { State, type Tone } from "../../../ui/state.tsx";
import type { Approval } from "./data.ts";

const TONES: Record<Approval["status"], Tone> = { pending: "wait", approved: "live", rejected: "ended", expired: "ended" };

export function ApprovalState({ approval: { status, executed_at, result } }: { approval: Approval }) {
  if (status !== "approved") return <State tone={TONES[status]}>{status}</State>;
  if (executed_at === null) return <State tone="wait">approved, not done yet</State>;
  return result?.ok === false ? <State tone="bad">refused</State> : <State tone="live">done</State>;
}

const TOOLS: Record<string, string> = {
  update_contact: "Change the contact",
  create_lead: "Create a lead",
  update_lead: "Change the lead",
  add_tag: "Add a tag",
  add_note: "Write a note",
  create_deal: "Create a deal",
  move_deal: "Move the deal",
  create_payment_link: "Create a payment link",
  schedule_follow_up: "Write again later",
  http_request: "Call another program",
};

/** What a tool would do, in words. */
export const toolName = (tool: string) => TOOLS[tool] ?? tool.replaceAll("_", " ");

/** "tag hot, stage won": the arguments of a tool on one line. */
export const argsText = (args: Approval["args"]) =>
  Object.entries(args)
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join(", ");
