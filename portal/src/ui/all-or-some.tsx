import { MultiSelect, Radio } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import classes from "./form.module.css";
import { searched } from "./searched.ts";

export type Option = { value: string; label: string };

type Props = {
  label: string;
  /** "All clients, also later ones" */
  all: string;
  /** "Only some" */
  some: string;
  /** null for all. */
  value: readonly string[] | null;
  onChange(value: string[] | null): void;
  /** What can be chosen for a text that is typed, and the names of what is chosen: a hook of the feature. */
  useOptions(text: string, chosen: readonly string[]): readonly Option[];
  error?: React.ReactNode;
};

/** All records, those to come included, or some that are named. */
export function AllOrSome({ label, all, some, value, onChange, useOptions, error }: Props) {
  const [text, setText] = useState("");
  const [settled] = useDebouncedValue(text, 150);
  const options = useOptions(settled, value ?? []);
  return (
    <Radio.Group
      label={label}
      value={value === null ? "all" : "some"}
      onChange={(to) => onChange(to === "all" ? null : [])}
      error={value === null ? error : undefined}
    >
      <div className={classes.radios}>
        <Radio value="all" label={all} />
        <Radio value="some" label={some} />
        {value !== null && (
          <MultiSelect
            aria-label={`${label}: ${some}`}
            placeholder={value.length === 0 ? "Type a name" : ""}
            data={[...options]}
            {...searched(text, setText)}
            value={[...value]}
            onChange={onChange}
            hidePickedOptions
            nothingFoundMessage="Nothing of this name"
            error={error}
          />
        )}
      </div>
    </Radio.Group>
  );
}
