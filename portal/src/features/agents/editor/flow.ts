import type { Reading, StateRead } from "./playbook.ts";

export const NODE = { width: 136, height: 44, gap: 16, rank: 80 } as const;
/** Beside the drawing, where ways lead back up. */
const MARGIN = 20;

export type FlowNode = { id: string; kind: "state" | "ends" | "any"; state: StateRead | null; x: number; y: number };
export type FlowEdge = { id: string; path: string; when: string | null; back: boolean; any: boolean };
export type Flow = { nodes: readonly FlowNode[]; edges: readonly FlowEdge[]; width: number; height: number };

/** Every message: where interrupts come from. */
export const ANY = "any message";
const ENDS = ["@handoff", "@end"] as const;

type Link = { from: string; to: string; when: string | null };

/** How many steps each state is from the start; what nothing leads to is below all others. */
function ranksOf({ start, states }: Reading): Map<string, number> {
  const ranks = new Map<string, number>();
  let next = start === null ? [] : states.filter(({ name }) => name === start);
  for (let rank = 0; next.length > 0; rank += 1) {
    for (const { name } of next) ranks.set(name, rank);
    const reached = new Set(next.flatMap(({ ways }) => ways.map(({ to }) => to)));
    next = states.filter(({ name }) => reached.has(name) && !ranks.has(name));
  }
  const last = Math.max(-1, ...ranks.values()) + 1;
  for (const { name } of states) if (!ranks.has(name)) ranks.set(name, last);
  return ranks;
}

/** The states in rows by their distance from the start, and the ways between them. */
export function flowOf(reading: Reading): Flow {
  const ranks = ranksOf(reading);
  const links: Link[] = [
    ...reading.interrupts.map(({ go, words }) => ({ from: ANY, to: go, when: words })),
    ...reading.states.flatMap(({ name, ways }) => ways.map(({ to, when }) => ({ from: name, to, when }))),
  ];
  if (reading.interrupts.length > 0) ranks.set(ANY, 0);
  const last = Math.max(-1, ...ranks.values()) + 1;
  for (const end of ENDS) if (links.some(({ to }) => to === end)) ranks.set(end, last);
  const rows = Map.groupBy(ranks.keys(), (id) => ranks.get(id) ?? 0);
  const columns = Math.max(1, ...[...rows.values()].map(({ length }) => length));
  const width = columns * NODE.width + (columns - 1) * NODE.gap + 2 * MARGIN;
  const states = new Map(reading.states.map((state) => [state.name, state]));
  const nodes = [...rows].flatMap(([rank, ids]) => {
    const left = (width - (ids.length * (NODE.width + NODE.gap) - NODE.gap)) / 2;
    return ids.map(
      (id, index): FlowNode => ({
        id,
        kind: id === ANY ? "any" : states.has(id) ? "state" : "ends",
        state: states.get(id) ?? null,
        x: left + index * (NODE.width + NODE.gap),
        y: rank * NODE.rank,
      }),
    );
  });
  const height = last * NODE.rank + NODE.height;
  return { nodes, edges: edgesOf(links, new Map(nodes.map((node) => [node.id, node])), width), width, height };
}

function edgesOf(links: readonly Link[], nodes: ReadonlyMap<string, FlowNode>, width: number): FlowEdge[] {
  const between = Map.groupBy(links, ({ from, to }) => `${from} → ${to}`);
  return [...between].flatMap(([id, same]) => {
    const from = nodes.get(same[0]?.from ?? "");
    const to = nodes.get(same[0]?.to ?? "");
    if (from === undefined || to === undefined) return [];
    const back = to.y <= from.y;
    const when = same.map((link) => link.when ?? "else").join("; ");
    return { id, path: back ? pathBack(from, to, width) : pathDown(from, to), when, back, any: from.kind === "any" };
  });
}

const center = ({ x }: FlowNode) => x + NODE.width / 2;

function pathDown(from: FlowNode, to: FlowNode): string {
  const [x1, y1, x2, y2] = [center(from), from.y + NODE.height, center(to), to.y];
  return `M${x1} ${y1} C${x1} ${y1 + 22} ${x2} ${y2 - 26} ${x2} ${y2 - 2}`;
}

/** Around the right side. */
function pathBack(from: FlowNode, to: FlowNode, width: number): string {
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2];
  const [x2, y2] = [to.x + NODE.width, to.y + NODE.height / 2 + (from === to ? -10 : 6)];
  return `M${x1} ${y1} C${width} ${y1} ${width} ${y2} ${x2 + 2} ${y2}`;
}
