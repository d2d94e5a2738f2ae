import type { Memory, Playbook } from "../engine/index.ts";

type Slots = NonNullable<Playbook["slots"]>;

/** Somebody who talks with an agent in the sandbox. */
export type Persona = {
  /** What the person answers to a question, by slot. */
  answers?: Record<string, string>;
  /** What the person says where the agent asks for no slot, one after the other. */
  says?: string[];
  /** What the person wants, for a model that plays it. */
  goal?: string;
};

/**
 * A person without a model, who always says the same to the same questions; null where there is nothing left to say. A slot without an
 * answer of its own gets one that fits its type.
 */
export function createPersona({ answers = {}, says = [] }: Persona, { slots, now }: { slots: Slots; now: string }) {
  const left = [...says];
  return ({ awaiting }: Pick<Memory, "awaiting">): string | null => {
    if (awaiting === null) return left.shift() ?? null;
    if (Object.hasOwn(answers, awaiting)) return answers[awaiting] ?? null;
    return fittingAnswer(Object.hasOwn(slots, awaiting) ? slots[awaiting] : undefined, now);
  };
}

function fittingAnswer(slot: Slots[string] | undefined, now: string): string | null {
  switch (slot?.type) {
    case "number":
      return String(slot.min ?? slot.max ?? 1);
    case "email":
      return "person@example.com";
    case "phone":
      return "+4915112345678";
    case "date":
      return now.slice(0, 10);
    case "choice":
      return slot.choices?.[0] ?? null;
    case "boolean":
      return "yes";
    default:
      return "example".padEnd(slot?.min ?? 0, "e");
  }
}
