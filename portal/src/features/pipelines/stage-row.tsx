import { ActionIcon, MultiSelect, NumberInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { GripVertical, X } from "lucide-react";
import { useRef } from "react";
import { useDraggable, useDropTarget } from "../../ui/drag.ts";
import type { Draft } from "./model.ts";
import classes from "./pipelines.module.css";

type Props = {
  form: UseFormReturnType<Draft>;
  index: number;
  deals: number;
  /** Fields that a stage can ask for. */
  fields: { value: string; label: string }[];
  writes: boolean;
  /** The last of its type stays. */
  removable: boolean;
  move(from: number, to: number): void;
};

/** A stage: drag it by its handle, or move it with the arrow keys while the handle has the focus. */
export function StageRow({ form, index, deals, fields, writes, removable, move }: Props) {
  const row = useRef<HTMLLIElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const stage = form.getValues().stages[index];
  const lifted = useDraggable(row, stage?.key ?? "", writes, handle);
  const over = useDropTarget(row, stage?.key ?? "", writes);
  if (stage === undefined) return null;
  const at = `stages.${index}`;
  const name = stage.name || "New stage";
  const closed = stage.type !== "open";
  return (
    <li
      ref={row}
      className={classes.stage}
      data-lifted={lifted || undefined}
      data-over={over || undefined}
      data-stage={stage.key}
    >
      <button
        ref={handle}
        type="button"
        className={classes.handle}
        disabled={!writes}
        aria-label={`Move ${name}`}
        title="Drag, or press the arrow keys"
        onKeyDown={(event) => {
          const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
          if (by === 0) return;
          event.preventDefault();
          move(index, index + by);
        }}
      >
        <GripVertical size={15} aria-hidden />
      </button>
      <TextInput
        className={classes.name ?? ""}
        aria-label={`Name of stage ${index + 1}`}
        placeholder="Name"
        readOnly={!writes}
        {...form.getInputProps(`${at}.name`)}
      />
      <span className={`${classes.type} muted`}>{stage.type}</span>
      <NumberInput
        className={classes.probability ?? ""}
        aria-label={`Probability of ${name}`}
        suffix="%"
        min={0}
        max={100}
        hideControls
        readOnly={!writes || closed}
        disabled={closed}
        {...form.getInputProps(`${at}.probability`)}
      />
      <NumberInput
        className={classes.target ?? ""}
        aria-label={`Target of ${name} in days`}
        suffix=" days"
        placeholder="none"
        min={1}
        hideControls
        readOnly={!writes}
        disabled={closed}
        {...form.getInputProps(`${at}.target_days`)}
      />
      <MultiSelect
        className={classes.asks ?? ""}
        aria-label={`Fields that ${name} asks for`}
        placeholder={stage.required_fields.length === 0 ? "nothing" : ""}
        data={fields}
        searchable
        readOnly={!writes}
        {...form.getInputProps(`${at}.required_fields`)}
      />
      <span className={classes.deals}>
        {stage.id === undefined ? <span className="muted">new</span> : deals}
        <span className={classes.caption}> {deals === 1 ? "deal" : "deals"}</span>
      </span>
      <span className={classes.remove}>
        {writes && removable && (
          <ActionIcon aria-label={`Remove ${name}`} size={32} onClick={() => form.removeListItem("stages", index)}>
            <X size={15} />
          </ActionIcon>
        )}
      </span>
    </li>
  );
}
