import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { Plus } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useMay } from "../../api/session.ts";
import { Blocker } from "../../ui/answer.tsx";
import { useDrops } from "../../ui/drag.ts";
import { Form, useApiForm } from "../../ui/form.tsx";
import { Section } from "../../ui/section.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { type Pipeline, type Stage, useDealKeys, useEmptyStage, useStageUse, useUpdatePipeline } from "./data.ts";
import { type Change, changesOf, type Draft, draftOf, newStage, patchOf, RULES, removedStages, requirable } from "./model.ts";
import classes from "./pipelines.module.css";
import { StageRow } from "./stage-row.tsx";

/** Stages and rules of a pipeline, and below them what saving would do. */
type Props = {
  pipeline: Pipeline;
  /** As it is now, which may be newer than what is edited. */
  latest: Pipeline;
  load(pipeline: Pipeline): void;
};

export function PipelineEditor({ pipeline, latest, load }: Props) {
  const writes = useMay()("deals:write");
  const { data: use = [] } = useStageUse(pipeline.id);
  const { data: custom = [] } = useDealKeys(pipeline.account_id);
  const [replace, setReplace] = useState<Record<string, string>>({});
  const [moved, setMoved] = useState<number | null>(null);
  const save = useSave(pipeline, setMoved, load);
  const { form, busy, problem, onSubmit } = useApiForm<Draft>({
    initial: draftOf(pipeline),
    send: (draft) => save(draft, replace),
  });
  const draft = form.getValues();
  const changes = changesOf(pipeline, draft, use);
  const dealsIn = (id: string | undefined) => use.find(({ stage_id }) => stage_id === id)?.deals ?? 0;
  const emptied = removedStages(pipeline, draft).filter(({ id }) => dealsIn(id) > 0);
  const ready = changes.length > 0 && emptied.every(({ id }) => replace[id]);
  const newer = latest.version > pipeline.version;
  const untouched = newer && changes.length === 0 && !busy;
  useEffect(() => {
    if (untouched) load(latest);
  }, [untouched, latest, load]);
  const move = useCallback(
    (from: number, to: number) => {
      const { stages } = form.getValues();
      const key = stages[from]?.key;
      if (to < 0 || to >= stages.length || from === to) return;
      form.reorderListItem("stages", { from, to });
      requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-stage="${key}"] button`)?.focus());
    },
    [form.getValues, form.reorderListItem],
  );
  const drop = useCallback(
    (id: string, on: string) => {
      const { stages } = form.getValues();
      move(
        stages.findIndex(({ key }) => key === id),
        stages.findIndex(({ key }) => key === on),
      );
    },
    [move, form.getValues],
  );
  useDrops(drop);
  return (
    <Form onSubmit={onSubmit} problem={problem}>
      <Section title="Name">
        <TextInput aria-label="Name" maw={320} readOnly={!writes} {...form.getInputProps("name")} />
      </Section>
      <Section title="Stages" aside={writes && "Drag, or arrow keys on the handle"}>
        <Heads />
        <ol className={classes.stages}>
          {draft.stages.map(({ key, id, type }, index) => (
            <StageRow
              key={key}
              form={form}
              index={index}
              deals={dealsIn(id)}
              fields={requirable(custom)}
              writes={writes}
              removable={draft.stages.filter((stage) => stage.type === type).length > 1}
              move={move}
            />
          ))}
        </ol>
        {writes && <AddStage form={form} />}
      </Section>
      <Section title="Rules">
        <div className={classes.rules}>
          {RULES.map(([rule, label, description]) => (
            <Checkbox
              key={rule}
              label={label}
              description={description}
              classNames={{ description: "t-hint" }}
              disabled={!writes}
              {...form.getInputProps(`rules.${rule}`, { type: "checkbox" })}
            />
          ))}
        </div>
      </Section>
      {writes && newer && !busy && !untouched && (
        <Blocker
          title="Somebody changed this pipeline meanwhile"
          action={
            <Button variant="default" onClick={() => load(latest)}>
              Load the newer version
            </Button>
          }
        >
          What you typed cannot be saved over it.
        </Blocker>
      )}
      {writes && (
        <Section title="What saving does">
          <Changes changes={changes} />
          <Replacements {...{ emptied, draft, dealsIn, replace, setReplace }} />
          <div className={classes.act}>
            <Button type="submit" loading={busy} disabled={!ready}>
              Save
            </Button>
            <Button variant="default" disabled={changes.length === 0} onClick={() => form.reset()}>
              Discard
            </Button>
            {moved !== null && busy && <span className="muted">{moved} deals moved</span>}
          </div>
        </Section>
      )}
    </Form>
  );
}

function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <p className="muted">Nothing is changed.</p>;
  return (
    <ul className={classes.changes} aria-live="polite">
      {changes.map(({ key, text, tone }) => (
        <li key={key} data-tone={tone}>
          {text}
        </li>
      ))}
    </ul>
  );
}

type ReplacementProps = {
  /** The stages that go, and have deals. */
  emptied: readonly Stage[];
  draft: Draft;
  dealsIn(stage: string): number;
  replace: Record<string, string>;
  setReplace(replace: Record<string, string>): void;
};

/** Where the deals of the stages that go are to move: to a stage of the same type, so that nothing is won or lost by it. */
function Replacements({ emptied, draft, dealsIn, replace, setReplace }: ReplacementProps) {
  if (emptied.length === 0) return null;
  return (
    <div className={classes.replace}>
      {emptied.map(({ id, name, type }) => (
        <Select
          key={id}
          label={`Move ${dealsIn(id) === 1 ? "the deal" : `the ${dealsIn(id)} deals`} of ${name} to`}
          maw={320}
          placeholder={`Another ${type} stage`}
          data={draft.stages.flatMap((stage) =>
            stage.id && stage.type === type ? [{ value: stage.id, label: stage.name }] : [],
          )}
          value={replace[id] ?? null}
          onChange={(to) => setReplace({ ...replace, [id]: to ?? "" })}
        />
      ))}
    </div>
  );
}

function Heads() {
  return (
    <div className={classes.head} aria-hidden>
      <span />
      <span>Name</span>
      <span>Type</span>
      <span>Probability</span>
      <span>Target</span>
      <span>Asks for</span>
      <span>Deals</span>
      <span />
    </div>
  );
}

function AddStage({ form }: { form: ReturnType<typeof useApiForm<Draft>>["form"] }) {
  const add = (type: "open" | "won" | "lost") => {
    const { stages } = form.getValues();
    const last = stages.findLastIndex((stage) => stage.type === type);
    form.insertListItem("stages", newStage(type), last + 1);
    requestAnimationFrame(() =>
      document
        .querySelector<HTMLElement>(`[data-path="stages.${last + 1}.name"], [aria-label="Name of stage ${last + 2}"]`)
        ?.focus(),
    );
  };
  return (
    <div className={classes.add}>
      <Button variant="default" size="xs" leftSection={<Plus />} onClick={() => add("open")}>
        Open stage
      </Button>
      <Button variant="subtle" size="xs" onClick={() => add("won")}>
        Won stage
      </Button>
      <Button variant="subtle" size="xs" onClick={() => add("lost")}>
        Lost stage
      </Button>
    </div>
  );
}

/** Empties the stages that go, then saves. Taken back as long as no stage went. */
function useSave(pipeline: Pipeline, report: (moved: number) => void, load: (pipeline: Pipeline) => void) {
  const update = useUpdatePipeline();
  const empty = useEmptyStage();
  return async (draft: Draft, replace: Record<string, string>) => {
    const gone = removedStages(pipeline, draft);
    for (const { id } of gone) {
      const to = replace[id];
      if (to) await empty.mutateAsync({ pipeline_id: pipeline.id, from: id, to, report });
    }
    const saved = await update.mutateAsync({ pipeline, body: patchOf(pipeline, draft) });
    load(saved);
    const back = () => {
      const { name, rules, stages } = pipeline;
      const undo = update.mutateAsync({ pipeline: saved, body: { name, rules, stages } });
      undo.catch((error: Error) => toastError("Not undone", error));
    };
    toast(`${saved.name} is saved`, gone.length === 0 ? back : undefined);
  };
}
