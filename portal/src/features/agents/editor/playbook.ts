/** A playbook as far as it can be read while it is written: members may be missing, or be something else. */
export type Reading = {
  /** What decides: the playbook, or a model. */
  engine: string | null;
  start: string | null;
  states: readonly StateRead[];
  slots: readonly { name: string; type: string }[];
  interrupts: readonly { go: string; words: string }[];
  fallback: string | null;
  tools: readonly string[];
  targets: readonly string[];
};
export type StateRead = {
  name: string;
  says: boolean;
  collects: readonly string[];
  tools: readonly string[];
  ways: readonly Way[];
};
export type Way = { to: string; when: string | null };

type Members = Record<string, unknown>;
const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null && !Array.isArray(value);
const members = (value: unknown): Members => (isMembers(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const texts = (value: unknown) => list(value).filter((item): item is string => typeof item === "string");
const text = (value: unknown) => (typeof value === "string" ? value : null);

/** A condition in a few words: "budget >= 500", "human, real person". */
function wordsOf(condition: unknown): string {
  const { match, slot, op, value, hours, all, any, not } = members(condition);
  if (match !== undefined) return texts(match).join(", ");
  if (slot !== undefined)
    return op === "filled" ? `${slot} is known` : `${slot} ${op} ${list(value).join(", ") || String(value ?? "")}`;
  if (hours !== undefined) return `hours ${hours}`;
  if (all !== undefined) return list(all).map(wordsOf).join(" and ");
  if (any !== undefined) return list(any).map(wordsOf).join(" or ");
  return not === undefined ? "" : `not ${wordsOf(not)}`;
}

function readState([name, value]: [string, unknown]): StateRead {
  const state = members(value);
  const branches = list(state.branch).flatMap((rule) => {
    const { when, go } = members(rule);
    return typeof go === "string" ? [{ to: go, when: wordsOf(when) }] : [];
  });
  const go = text(state.go);
  return {
    name,
    says: state.say !== undefined,
    collects: texts(state.collect),
    tools: list(state.do).flatMap((call) => text(members(call).tool) ?? []),
    ways: go === null ? branches : [...branches, { to: go, when: null }],
  };
}

/** What the content of a version has, for its outline and its drawing. */
export function readContent(content: unknown): Reading {
  const { engine, playbook, tools, targets } = members(content);
  const { start, states, slots, interrupts, fallback } = members(playbook);
  return {
    engine: text(engine),
    start: text(start),
    states: Object.entries(members(states)).map(readState),
    slots: Object.entries(members(slots)).map(([name, slot]) => ({ name, type: text(members(slot).type) ?? "" })),
    interrupts: list(interrupts).map((rule) => ({ go: text(members(rule).go) ?? "", words: wordsOf(members(rule).when) })),
    fallback: isMembers(fallback) ? (text(fallback.go) ?? "") : null,
    tools: Object.keys(members(tools)),
    targets: Object.keys(members(targets)),
  };
}
