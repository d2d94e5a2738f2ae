import { Button } from "@mantine/core";
import { useDeferredValue, useMemo, useRef, useState } from "react";
import { Blocker } from "../../../ui/answer.tsx";
import { Tabs } from "../../../ui/bar.tsx";
import { CodeField, type CodeFieldHandle } from "../../../ui/code-field.tsx";
import { Problem } from "../../../ui/form.tsx";
import { useUrl } from "../../../ui/url.ts";
import type { AgentVersionWhole } from "../data.ts";
import type { PartProps } from "../part.ts";
import { plural } from "../words.tsx";
import type { Draft } from "./draft.ts";
import classes from "./editor.module.css";
import { FlowDrawing } from "./flow.tsx";
import { formatJson, placeOf } from "./json.ts";
import { Outline } from "./outline.tsx";
import { type Reading, readContent } from "./playbook.ts";
import { useSave } from "./save.ts";

const SIDES = [
  { value: "", name: "Flow" },
  { value: "outline", name: "Outline" },
];

/** The playbook as text; beside it what is wrong with it, how it flows, and what it has. */
export function Editor({ agent, draft, writes, version }: PartProps & { version: AgentVersionWhole }) {
  const [url, setUrl] = useUrl();
  const field = useRef<CodeFieldHandle>(null);
  const { save, busy } = useSave({ agent, draft, version });
  const reading = useReading(draft);
  /** Shows the value of a pointer into the content. */
  const jump = (pointer: string) => {
    const { name, to } = placeOf(draft.places, pointer);
    field.current?.show(name, to);
  };
  return (
    <div className={classes.editor}>
      <div className={classes.main}>
        <Toolbar draft={draft} version={version} writes={writes} busy={busy} save={() => void save()} />
        {draft.overtaken && (
          <Blocker
            title="Somebody else has saved this draft meanwhile"
            action={
              <Button variant="default" size="xs" onClick={draft.discard}>
                Load theirs
              </Button>
            }
          >
            Saving yours takes the place of theirs.
          </Blocker>
        )}
        <CodeField
          ref={field}
          label="Playbook"
          value={draft.text}
          marks={draft.faults}
          onSave={() => void save()}
          {...(writes ? { onChange: draft.write } : {})}
        />
      </div>
      <aside className={classes.side} aria-label="About the playbook">
        <Faults draft={draft} show={({ from, to }) => field.current?.show(from, to)} />
        <Tabs label="Drawn as" value={url.side ?? ""} tabs={SIDES} onChange={(side) => setUrl({ side })} />
        {url.side === "outline" ? <Outline reading={reading} jump={jump} /> : <FlowDrawing reading={reading} jump={jump} />}
      </aside>
    </div>
  );
}

/** What the text has; while it is no JSON, what it had last. */
function useReading({ value }: Draft): Reading {
  const latest = useDeferredValue(value);
  const [last, setLast] = useState<unknown>(latest);
  if (latest !== null && latest !== last) setLast(latest);
  return useMemo(() => readContent(latest ?? last), [latest, last]);
}

type ToolbarProps = { draft: Draft; version: AgentVersionWhole; writes: boolean; busy: boolean; save(): void };

function Toolbar({ draft, version: { number, published_at }, writes, busy, save }: ToolbarProps) {
  const draws = published_at === null ? `Draft ${number}` : `Version ${number}, published`;
  const says = !draft.changed ? draws : published_at === null ? `Draft ${number}, not saved` : `Draft ${number + 1}, not saved`;
  return (
    <div className={classes.toolbar}>
      <span className="muted" role="status">
        {says}
      </span>
      {writes && (
        <>
          {draft.changed && (
            <Button variant="subtle" size="xs" onClick={draft.discard}>
              Discard
            </Button>
          )}
          <Button variant="subtle" size="xs" disabled={draft.value === null} onClick={() => draft.write(formatJson(draft.value))}>
            Format
          </Button>
          <Button variant="default" size="xs" loading={busy} disabled={!draft.changed || draft.value === null} onClick={save}>
            Save draft
          </Button>
        </>
      )}
    </div>
  );
}

function Faults({ draft, show }: { draft: Draft; show(fault: { from: number; to: number }): void }) {
  const { faults, problem } = draft;
  if (faults.length === 0) return <Problem error={problem} />;
  return (
    <section className={classes.faults} role="alert" aria-label="What is wrong">
      <h2>{problem === null ? "It is not JSON yet" : `${plural(faults.length, "fault")}, so it is not saved`}</h2>
      <ul>
        {faults.map((fault) => (
          <li key={`${fault.from} ${fault.text}`}>
            <button type="button" onClick={() => show(fault)}>
              <b>Line {fault.line}</b> {fault.text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
