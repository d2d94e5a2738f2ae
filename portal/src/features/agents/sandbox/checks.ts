import type { SandboxAssertion, SandboxRun } from "./data.ts";

export type Check = { id: string; kind: SandboxAssertion["type"]; text: string; value: string; holds: boolean };

/** What can be checked, and what each asks for. */
export const KINDS = {
  text_matches: { name: "It says", asks: "Words" },
  tool_called: { name: "It uses the tool", asks: "Tool" },
  effect: { name: "It changes", asks: "Kind, such as lead.update" },
  slot: { name: "It learns", asks: "Slot" },
  handed_off: { name: "It hands over", asks: "" },
} as const satisfies Record<SandboxAssertion["type"], { name: string; asks: string }>;

export const nameOf = ({ kind, text }: Check) => `${KINDS[kind].name} ${text}`.trim();

/** A value as the slot has it: 900 and not "900", if that is what was understood. */
function slotValue(text: string, known: unknown): string | number | boolean {
  if (typeof known === "number" && text.trim() !== "" && !Number.isNaN(Number(text))) return Number(text);
  if (typeof known === "boolean") return text === "true" || text === "yes";
  return text;
}

export function assertionOf({ kind, text, value, holds }: Check, runs: readonly SandboxRun[]): SandboxAssertion {
  switch (kind) {
    case "text_matches":
      return { type: kind, phrase: text, value: holds };
    case "tool_called":
      return { type: kind, tool: text, value: holds };
    case "effect":
      return { type: kind, kind: text, value: holds };
    case "handed_off":
      return { type: kind, value: holds };
    case "slot":
      return { type: kind, slot: text, value: slotValue(value, runs.findLast(({ slots }) => text in slots)?.slots[text]) };
  }
}

const check = (kind: Check["kind"], text: string, value = "", holds = true): Check => ({
  id: crypto.randomUUID(),
  kind,
  text,
  value,
  holds,
});

/** Checks that hold for what has happened: the tools that were used, and whether a person takes over. */
export function expected(runs: readonly SandboxRun[]): Check[] {
  const tools = new Set(runs.flatMap(({ tool_calls }) => tool_calls.map(({ name }) => name)));
  const handed = runs.some(({ effects }) => effects.some(({ kind }) => kind === "conversation.handoff"));
  return [...[...tools].map((tool) => check("tool_called", tool)), check("handed_off", "", "", handed)];
}
