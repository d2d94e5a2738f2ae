import { ActionIcon } from "@mantine/core";
import { Check, Copy as CopyIcon } from "lucide-react";
import { useEffect, useState } from "react";
import classes from "./copy.module.css";

/** Copies, and says so for a moment. */
export function useCopy(): { copied: boolean; copy(text: string): void } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  return { copied, copy: (text) => void navigator.clipboard.writeText(text).then(() => setCopied(true)) };
}

/** An id copies with one click; the middle is cut, never the end that people compare. */
export function Id({ children, keep = 6 }: { children: string; keep?: number }) {
  const { copied, copy } = useCopy();
  const at = children.indexOf("_") + 1;
  const short = children.length > at + keep + 5 ? `${children.slice(0, at)}…${children.slice(-keep)}` : children;
  return (
    <button
      type="button"
      className={classes.id}
      title={`Copy ${children}`}
      onClick={(event) => {
        event.stopPropagation();
        copy(children);
      }}
    >
      {short}
      {copied ? <Check size={12} aria-label="Copied" /> : <CopyIcon size={12} aria-hidden />}
    </button>
  );
}

/** A button that copies a text. */
export function Copy({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy();
  return (
    <ActionIcon aria-label={copied ? "Copied" : label} title={label} onClick={() => copy(text)}>
      {copied ? <Check size={14} /> : <CopyIcon size={14} />}
    </ActionIcon>
  );
}
