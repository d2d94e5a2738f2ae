import { ActionIcon, Button, Group, Textarea } from "@mantine/core";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { Failure } from "../../../ui/failure.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Section } from "../../../ui/section.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { When } from "../../../ui/when.tsx";
import classes from "../crm.module.css";
import { type Kind, type Note, useNoteActs, useNotes } from "./data.ts";
import { usePersonName } from "./people.tsx";

type Props = { kind: Kind; id: string; writes: boolean };

/** What people wrote about a record. Adding and deleting can be undone. */
export function Notes({ kind, id, writes }: Props) {
  const list = useNotes(kind, id);
  const nameOf = usePersonName();
  const [editing, setEditing] = useState<string | null>(null);
  const { change, remove, add } = useNoteActs(kind, id);
  const drop = (note: Note) =>
    remove
      .mutateAsync(note)
      .then(
        () => toast("The note is deleted", () => void add.mutateAsync(note.body).catch(failed("The note is still deleted"))),
        failed("The note is still there"),
      );
  return (
    <Section title="Notes">
      {writes && <Composer kind={kind} id={id} />}
      {list.error && <Failure small title="The notes did not load" error={list.error} retry={list.retry} />}
      {list.loading && <Loading rows={2} />}
      {!list.loading && list.rows.length === 0 && !writes && <p className="muted">No notes.</p>}
      <ul className={classes.notes}>
        {list.rows.map((note) => (
          <li key={note.id}>
            {editing === note.id ? (
              <NoteForm
                label="Note"
                initial={note.body}
                action="Save"
                cancel={() => setEditing(null)}
                send={(body) => change.mutateAsync({ note, body }).then(() => setEditing(null))}
              />
            ) : (
              <>
                <p>{note.body}</p>
                <footer>
                  <span>{note.author_name ?? nameOf(note.author_id)}</span>
                  <When at={note.created_at} />
                  {writes && (
                    <span className={classes.noteActs}>
                      <ActionIcon aria-label="Edit note" onClick={() => setEditing(note.id)}>
                        <Pencil size={13} />
                      </ActionIcon>
                      <ActionIcon aria-label="Delete note" onClick={() => void drop(note)}>
                        <Trash2 size={13} />
                      </ActionIcon>
                    </span>
                  )}
                </footer>
              </>
            )}
          </li>
        ))}
      </ul>
      {list.more && (
        <Button variant="default" size="xs" loading={list.loadingMore} onClick={list.loadMore}>
          Show more
        </Button>
      )}
    </Section>
  );
}

const failed = (title: string) => (error: Error) => toastError(title, error);

function Composer({ kind, id }: { kind: Kind; id: string }) {
  const { add, remove } = useNoteActs(kind, id);
  const [count, setCount] = useState(0);
  return (
    <NoteForm
      key={count}
      label="Add a note"
      initial=""
      action="Add note"
      send={async (body) => {
        const note = await add.mutateAsync(body);
        setCount(count + 1);
        toast("The note is added", () => void remove.mutateAsync(note).catch(failed("The note is still there")));
      }}
    />
  );
}

type FormProps = { label: string; initial: string; action: string; cancel?(): void; send(body: string): Promise<unknown> };

function NoteForm({ label, initial, action, cancel, send }: FormProps) {
  const [text, setText] = useState(initial);
  const [busy, setBusy] = useState(false);
  const submit = () => {
    if (text.trim() === "") return;
    setBusy(true);
    send(text)
      .catch(failed("The note is not saved"))
      .finally(() => setBusy(false));
  };
  return (
    <form
      className={classes.noteForm}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Textarea
        aria-label={label}
        placeholder={label}
        autosize
        minRows={1}
        maxRows={12}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit();
        }}
      />
      {(text.trim() !== "" || cancel) && (
        <Group justify="flex-end" gap={8}>
          {cancel && (
            <Button size="xs" variant="default" onClick={cancel}>
              Cancel
            </Button>
          )}
          <Button size="xs" type="submit" loading={busy} disabled={text.trim() === ""}>
            {action}
          </Button>
        </Group>
      )}
    </form>
  );
}
