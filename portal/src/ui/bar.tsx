import { ActionIcon, Button, Kbd, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { Download, Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import classes from "./bar.module.css";

/** Above a table: its tabs, its filter, its other controls. */
export function Bar({ children }: { children: React.ReactNode }) {
  return <div className={classes.bar}>{children}</div>;
}

type TabsProps = {
  label: string;
  value: string;
  tabs: readonly { value: string; name: string }[];
  onChange(value: string): void;
  children?: React.ReactNode;
};

/** One of several looks at the same rows. */
export function Tabs({ label, value, tabs, onChange, children }: TabsProps) {
  const bar = useRef<HTMLDivElement>(null);
  // On a phone the bar scrolls: the open tab is not to be outside it. The page stays where it is, also if the bar is further down.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is open
  useEffect(() => {
    const tab = bar.current?.querySelector("[aria-pressed=true]")?.getBoundingClientRect();
    const frame = bar.current?.getBoundingClientRect();
    if (tab && frame) bar.current?.scrollBy(Math.max(0, tab.right - frame.right) || Math.min(0, tab.left - frame.left), 0);
  }, [value]);
  return (
    <div ref={bar} className={classes.tabs} role="group" aria-label={label}>
      {tabs.map((tab) => (
        <button type="button" key={tab.value} aria-pressed={tab.value === value} onClick={() => onChange(tab.value)}>
          {tab.name}
        </button>
      ))}
      {children}
    </div>
  );
}

/** Narrows the rows as one types. The key / leads here, Escape away. */
export function Filter({ label, value, onChange }: { label: string; value: string; onChange(value: string): void }) {
  const [text, setText] = useState(value);
  const report = useDebouncedCallback(onChange, 200);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      className={classes.filter}
      data-filter
      aria-label={label}
      placeholder="Filter"
      type="search"
      value={text}
      leftSection={<Search size={14} />}
      rightSection={<Kbd className="only-desk">/</Kbd>}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        report(currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // A browser would empty the field.
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}

/** Downloads what the table shows: the same request with `format=csv`. */
export function Export({ href }: { href: string }) {
  return (
    <Button className="only-desk" component="a" href={href} download variant="subtle" leftSection={<Download />}>
      CSV
    </Button>
  );
}

type BulkProps = { count: number; note?: React.ReactNode; clear(): void; children: React.ReactNode };

/** What can be done with the selected rows. */
export function Bulk({ count, note, clear, children }: BulkProps) {
  if (count === 0) return null;
  return (
    <div className={classes.bulk} role="toolbar" aria-label="With the selected rows">
      <span>
        <b>{count} selected</b> <span className="muted only-desk">{note}</span>
      </span>
      <i />
      {children}
      <i />
      <ActionIcon aria-label="Clear selection" onClick={clear}>
        <X size={15} />
      </ActionIcon>
    </div>
  );
}
