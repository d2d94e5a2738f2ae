import { type Condition, type Memory, own, type SlotValue, type State } from "./model.ts";
import { occursIn } from "./words.model.ts";

/** What conditions look at. */
export type Situation = { words: readonly string[]; open: boolean; memory: Pick<Memory, "slots"> };

export function holds(condition: Condition, situation: Situation): boolean {
  if ("match" in condition) return condition.match.some((phrase) => occursIn(phrase, situation.words));
  if ("hours" in condition) return situation.open === (condition.hours === "open");
  if ("all" in condition) return condition.all.every((one) => holds(one, situation));
  if ("any" in condition) return condition.any.some((one) => holds(one, situation));
  if ("not" in condition) return !holds(condition.not, situation);
  return compare(own(situation.memory.slots, condition.slot), condition);
}

/** An empty slot equals nothing and is neither greater nor less. */
function compare(value: SlotValue | undefined, { op, value: wanted }: Extract<Condition, { slot: string }>): boolean {
  if (op === "filled") return value !== undefined;
  if (op === "!=") return value !== wanted;
  if (op === "=") return value === wanted;
  if (op === "in") return Array.isArray(wanted) && wanted.includes(value);
  if (value === undefined || typeof value !== typeof wanted) return false;
  const than = wanted as SlotValue;
  return { ">": value > than, ">=": value >= than, "<": value < than, "<=": value <= than }[op];
}

/** Whether a condition looks at what the person wrote. */
export function readsText(condition: Condition): boolean {
  if ("match" in condition) return true;
  if ("all" in condition) return condition.all.some(readsText);
  if ("any" in condition) return condition.any.some(readsText);
  return "not" in condition && readsText(condition.not);
}

/** Whether a state waits for a message after what it says, to choose by it or to answer it. */
export function listens({ collect = [], faq, branch = [] }: State): boolean {
  return collect.length === 0 && (faq !== undefined || branch.some(({ when }) => readsText(when)));
}
