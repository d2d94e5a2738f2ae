import { Button, FileButton } from "@mantine/core";
import { FileSpreadsheet, Upload } from "lucide-react";
import { useState } from "react";
import classes from "./imports.module.css";

const size = (bytes: number) =>
  bytes < 1_024
    ? `${bytes} bytes`
    : bytes < 1_048_576
      ? `${Math.round(bytes / 1_024)} KB`
      : `${(bytes / 1_048_576).toFixed(1)} MB`;

type Props = { file: File | null; take(file: File): void; again: boolean };

/** A file by drop or by choice. */
export function DropZone({ file, take, again }: Props) {
  const [over, setOver] = useState(false);
  const choose = (label: string) => (
    <FileButton accept=".csv,.tsv,.txt,text/csv" onChange={(chosen) => chosen && take(chosen)}>
      {(props) => (
        <Button {...props} variant="default" leftSection={<Upload />}>
          {label}
        </Button>
      )}
    </FileButton>
  );
  const events = {
    onDragOver(event: React.DragEvent) {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event: React.DragEvent) {
      event.preventDefault();
      setOver(false);
      const [dropped] = event.dataTransfer.files;
      if (dropped) take(dropped);
    },
  };
  if (file !== null) {
    return (
      <section className={classes.file} aria-label="The file" {...events}>
        <FileSpreadsheet size={18} aria-hidden />
        <b className="cut">{file.name}</b>
        <span className="muted">{size(file.size)}</span>
        {choose("Another file")}
      </section>
    );
  }
  return (
    <section className={classes.drop} aria-label="The file" data-over={over || undefined} {...events}>
      <b>{again ? "Choose the file again" : "Drop a CSV file here"}</b>
      <span className="muted">
        {again
          ? "The check below is kept, the file is not: it stays on your machine until you import it."
          : "UTF-8 with a header row; commas, semicolons or tabs; up to 100 MB and 1,000,000 rows"}
      </span>
      {choose("Choose a file")}
    </section>
  );
}
