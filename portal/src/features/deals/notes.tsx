import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { toast, toastError } from "../../ui/toast.tsx";
import { useRemoveNote, useWriteNote } from "./data.ts";
import classes from "./deals.module.css";

/** Writes a note; ⌘ Enter sends it, and for a moment it can be taken back. */
export function WriteNote({ id }: { id: string }) {
  const [text, setText] = useState("");
  const write = useWriteNote(id);
  const remove = useRemoveNote(id);
  const send = () => {
    const body = text.trim();
    if (body === "" || write.isPending) return;
    write.mutateAsync(body).then(
      (note) => {
        setText("");
        const back = () =>
          remove.mutateAsync(note.id).then(
            () => setText(body),
            (error: Error) => toastError("The note stays", error),
          );
        toast("The note is written", () => void back());
      },
      (error: Error) => toastError("The note was not written", error),
    );
  };
  return (
    <div className={classes.note}>
      <Textarea
        aria-label="Note"
        placeholder="Write a note"
        autosize
        minRows={1}
        maxRows={6}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) send();
        }}
      />
      {text.trim() !== "" && (
        <Button variant="default" loading={write.isPending} onClick={send}>
          Add
        </Button>
      )}
    </div>
  );
}
