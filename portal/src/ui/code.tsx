import { Fragment } from "react";
import classes from "./code.module.css";
import { Copy } from "./copy.tsx";

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(-?\d+(?:\.\d+)?|true|false|null)\b/g;

/** Keys recede, strings stand, numbers take the accent. */
export function inks(text: string): React.ReactNode[] {
  const parts: React.ReactNode[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    parts.push(<Fragment key={`text ${at}`}>{text.slice(at, match.index)}</Fragment>);
    const kind = match[2] ? "key" : match[1] ? "string" : "number";
    parts.push(
      <span key={match.index} className={classes[kind]}>
        {match[1] ?? match[3]}
      </span>,
      match[2] ?? "",
    );
    at = match.index + match[0].length;
  }
  parts.push(<Fragment key="end">{text.slice(at)}</Fragment>);
  return parts;
}

/** A text of a program, with a button that copies it. `json` gets three inks. */
export function Code({ text, label, json = false }: { text: string; label: string; json?: boolean }) {
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={classes.code} aria-label={label} role="region" tabIndex={0}>
        {json ? inks(text) : text}
      </pre>
      <Copy text={text} label={`Copy ${label.toLowerCase()}`} />
    </div>
  );
}
