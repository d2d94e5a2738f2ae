import classes from "./editor.module.css";
import type { Reading } from "./playbook.ts";

type Item = { name: string; note: string; pointer: string };

const part = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** The parts of a playbook, each with the way to its place in the text. */
function groupsOf({
  start,
  states,
  slots,
  interrupts,
  fallback,
  tools,
  targets,
}: Reading): (readonly [string, readonly Item[]])[] {
  return [
    [
      "States",
      states.map(({ name, collects, tools, ways }) => ({
        name,
        note: [...(name === start ? ["start"] : []), ...(collects.length > 0 ? [`asks ${collects.join(", ")}`] : []), ...tools]
          .join(" · ")
          .concat(` → ${[...new Set(ways.map(({ to }) => to))].join(", ") || "nowhere"}`),
        pointer: `/playbook/states/${part(name)}`,
      })),
    ],
    ["Slots", slots.map(({ name, type }) => ({ name, note: type, pointer: `/playbook/slots/${part(name)}` }))],
    [
      "Interrupts",
      interrupts.map(({ go, words }, index) => ({
        name: words || `Rule ${index + 1}`,
        note: `→ ${go}`,
        pointer: `/playbook/interrupts/${index}`,
      })),
    ],
    ["Fallback", fallback === null ? [] : [{ name: "fallback", note: `→ ${fallback}`, pointer: "/playbook/fallback" }]],
    ["Policies of tools", tools.map((name) => ({ name, note: "", pointer: `/tools/${part(name)}` }))],
    ["Targets", targets.map((name) => ({ name, note: "", pointer: `/targets/${part(name)}` }))],
  ];
}

/** A model has no states to draw. */
export const NoStates = ({ engine }: Pick<Reading, "engine">) => (
  <p className="muted">
    {engine === "llm"
      ? "A model decides what is said, by its instructions and tools: there is no state."
      : "There is no state yet."}
  </p>
);

export function Outline({ reading, jump }: { reading: Reading; jump(pointer: string): void }) {
  const groups = groupsOf(reading).filter(([, items]) => items.length > 0);
  if (groups.length === 0) return <NoStates engine={reading.engine} />;
  return groups.map(([title, items]) => (
    <section key={title} className={classes.outline} aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {items.map(({ name, note, pointer }) => (
          <li key={pointer}>
            <button type="button" onClick={() => jump(pointer)}>
              <b className="cut">{name}</b>
              <span className="muted cut">{note}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  ));
}
