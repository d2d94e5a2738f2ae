import type { SandboxAssertion, SandboxRun } from "./data.ts";

export type Check = { id: string; kind: SandboxAssertion["type"]; text: string; value: string; holds: boolean };

/** What can be checked, and what each asks for. */
export const KINDS = {
  text_matches: { name: "It says", asks: "Words" },
  tool_called: { name: "It uses the tool", asks: "Tool" },
  effect: { name: "It changes", asks: "Kind, such as lead.update" },
  slot: { name: "It learns", asks: "Slot" },
  handed_off: { name: "It hands over", asks: "" },
  judge: { name: "The model judges", asks: "What has to be true" },
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
    case "judge":
      return { type: kind, rule: text };
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

/** An assertion as a sentence. */
export function assertionWords(assertion: SandboxAssertion): string {
  const not = "value" in assertion && assertion.value === false ? " not" : "";
  switch (assertion.type) {
    case "text_matches":
      return `It does${not} say “${assertion.phrase}”`;
    case "tool_called":
      return `It does${not} use ${assertion.tool}${assertion.args ? ` with ${JSON.stringify(assertion.args)}` : ""}`;
    case "effect":
      return `It does${not} come to ${assertion.kind}`;
    case "handed_off":
      return `It does${not} hand over to a person`;
    case "slot":
      return `It learns that ${assertion.slot} is ${String(assertion.value)}`;
    case "judge":
      return assertion.rule;
  }
}
