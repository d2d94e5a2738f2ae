import classes from "./agents.module.css";
import type { AgentDiff } from "./data.ts";
import { formatJson } from "./editor/json.ts";
import { inOrder } from "./editor/order.ts";

/** "/playbook/states/hello/say" as people say it: "states › hello › say". */
const placeOf = (path: string) => {
  const parts = path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return (parts[0] === "playbook" && parts.length > 1 ? parts.slice(1) : parts).join(" › ") || "everything";
};

/** What differs between two versions, each place with its words before and after. */
export function DiffLines({ changes }: Pick<AgentDiff, "changes">) {
  if (changes.length === 0) return <p className="muted">Nothing differs.</p>;
  return (
    <ul className={classes.diff}>
      {changes.map(({ path, from, to }) => (
        <li key={path}>
          <code>{placeOf(path)}</code>
          {from !== null && from !== undefined && <del>{formatJson(inOrder(from))}</del>}
          {to !== null && to !== undefined && <ins>{formatJson(inOrder(to))}</ins>}
        </li>
      ))}
    </ul>
  );
}
