import { Button, FileButton, Textarea } from "@mantine/core";
import { Upload } from "lucide-react";
import classes from "./operator.module.css";

/** What is wrong with a table: so many faults are shown. */
const SHOWN = 8;

type Props = {
  description: string;
  placeholder: string;
  minRows: number;
  value: string;
  change(text: string): void;
  faults: readonly string[];
};

/** A table that is pasted, or chosen as a file, and what is wrong with it. */
export function PastedTable({ description, placeholder, minRows, value, change, faults }: Props) {
  return (
    <>
      <Textarea
        label="Table"
        description={description}
        placeholder={placeholder}
        autosize
        minRows={minRows}
        maxRows={minRows + 6}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--t-mono)" } }}
        data-autofocus
        value={value}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      <div>
        <FileButton accept=".csv,.tsv,text/csv,text/plain" onChange={(file) => void file?.text().then(change)}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<Upload />}>
              Choose a file
            </Button>
          )}
        </FileButton>
      </div>
      {faults.length > 0 && (
        <ul role="alert" className={classes.faults}>
          {faults.slice(0, SHOWN).map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
          {faults.length > SHOWN && <li>And {faults.length - SHOWN} more.</li>}
        </ul>
      )}
    </>
  );
}
