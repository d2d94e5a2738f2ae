import { useMemo } from "react";
import classes from "./editor.module.css";
import { type FlowNode, flowOf, NODE } from "./flow.ts";
import { NoStates } from "./outline.tsx";
import type { Reading } from "./playbook.ts";

const ENDS: Record<string, string> = { "@handoff": "a person takes over", "@end": "the session ends" };

function noteOf({ id, kind, state }: FlowNode): string {
  if (kind === "ends") return ENDS[id] ?? "";
  if (kind === "any") return "interrupts";
  if (state === null) return "";
  if (state.collects.length > 0) return `asks ${state.collects.join(", ")}`;
  if (state.tools.length > 0) return state.tools.join(", ");
  return state.says ? "says" : "";
}

/** The states and the ways between them. A state leads to its place in the text. */
export function FlowDrawing({ reading, jump }: { reading: Reading; jump(pointer: string): void }) {
  const flow = useMemo(() => flowOf(reading), [reading]);
  if (flow.nodes.length === 0) return <NoStates engine={reading.engine} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={classes.flow} role="region" aria-label="Flow of the states" tabIndex={0}>
      <div style={{ width: flow.width, height: flow.height }}>
        <svg width={flow.width} height={flow.height} aria-hidden>
          <defs>
            <marker id="arrow" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0 0 8 4 0 8z" />
            </marker>
          </defs>
          {flow.edges.map(({ id, path, when, back, any }) => (
            <path key={id} d={path} data-back={back || any || undefined} markerEnd="url(#arrow)">
              <title>{when ? `${id}: ${when}` : id}</title>
            </path>
          ))}
        </svg>
        {flow.nodes.map((node) => (
          <button
            type="button"
            key={node.id}
            data-kind={node.kind}
            data-start={node.id === reading.start || undefined}
            style={{ left: node.x, top: node.y, width: NODE.width, height: NODE.height }}
            disabled={node.kind === "ends"}
            onClick={() =>
              jump(
                node.kind === "any"
                  ? "/playbook/interrupts"
                  : `/playbook/states/${node.id.replaceAll("~", "~0").replaceAll("/", "~1")}`,
              )
            }
          >
            <b className="cut">{node.id}</b>
            <span className="cut">{noteOf(node)}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
