/** The members of each part in the order in which people write them. The database keeps none. */
const CONTENT = ["engine", "instructions", "model", "playbook", "knowledge", "tools", "targets"];
const PLAYBOOK = ["start", "slots", "interrupts", "states", "fallback"];
const SLOT = ["type", "choices", "min", "max", "ask", "retry", "retries"];
const STATE = ["say", "collect", "do", "faq", "branch", "go"];
const RULE = ["when", "say", "go"];
const CALL = ["tool", "args"];
const FALLBACK = ["faq", "say", "max", "go"];
const CONDITION = ["match", "slot", "op", "value", "hours", "all", "any", "not"];

type Members = Record<string, unknown>;
const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null && !Array.isArray(value);

type Each = (value: unknown) => unknown;
const same: Each = (value) => value;

/** Members in an order, each of them put in its own; what the order does not know comes last. */
const ordered =
  (order: readonly string[], each: Record<string, Each> = {}): Each =>
  (value) => {
    if (!isMembers(value)) return value;
    const names = [
      ...order.filter((name) => Object.hasOwn(value, name)),
      ...Object.keys(value).filter((name) => !order.includes(name)),
    ];
    return Object.fromEntries(names.map((name) => [name, (each[name] ?? same)(value[name])]));
  };
const listed =
  (each: Each): Each =>
  (value) =>
    Array.isArray(value) ? value.map(each) : value;

const rule = ordered(RULE, { when: ordered(CONDITION) });
const state = ordered(STATE, { do: listed(ordered(CALL)), branch: listed(rule) });
const slot = ordered(SLOT);

/** The states as one comes to them from the start. */
function statesFrom(start: unknown, states: Members): string[] {
  const found = new Set<string>(typeof start === "string" ? [start] : []);
  for (const name of found) {
    const { branch, go } = (states[name] ?? {}) as { branch?: { go?: string }[]; go?: string };
    for (const next of [...(Array.isArray(branch) ? branch : []).map((one) => one?.go), go]) {
      if (typeof next === "string" && Object.hasOwn(states, next)) found.add(next);
    }
  }
  return [...found];
}

const named =
  (order: readonly string[], each: Each): Each =>
  (value) =>
    isMembers(value) ? ordered(order, Object.fromEntries(Object.keys(value).map((name) => [name, each])))(value) : value;

/** The content of a version as people write it. */
export function inOrder(content: unknown): unknown {
  const { playbook } = isMembers(content) ? content : {};
  const { start, states } = isMembers(playbook) ? playbook : {};
  const names = isMembers(states) ? statesFrom(start, states) : [];
  const asked = isMembers(states)
    ? names.flatMap((name) => ((states[name] as { collect?: string[] } | undefined)?.collect ?? []).map(String))
    : [];
  const parts = {
    slots: named(asked, slot),
    interrupts: listed(rule),
    states: named(names, state),
    fallback: ordered(FALLBACK),
  };
  return ordered(CONTENT, { playbook: ordered(PLAYBOOK, parts) })(content);
}

/** Whether two values are the same, whatever the order of their members. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => sameValue(item, other[index]));
  if (!isMembers(one) || !isMembers(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameValue(one[name], other[name]))
  );
}
