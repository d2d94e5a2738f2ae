import { Button } from "@mantine/core";
import { ArrowRight, Flag, Handshake, NotebookPen, Pencil, Plus, ShieldCheck, Trophy } from "lucide-react";
import { useMay } from "../../api/session.ts";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { type Moment, Timeline } from "../../ui/timeline.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { day } from "../../ui/when.tsx";
import { type Deal, type Entry, type Interval, useDealTimeline, useHistory, useRemoveNote, useWriteNote } from "./data.ts";
import classes from "./deals.module.css";

/** What happened to a deal, with names: its moves from the stage history, everything else from its timeline. */
export function DealHistory({ deal }: { deal: Deal }) {
  const { data: history } = useHistory(deal.id);
  const timeline = useDealTimeline(deal.id);
  const remove = useTakeNoteAway(deal.id);
  const may = useMay()("deals:write");
  if (timeline.error) return <Failure small title="The history did not load" error={timeline.error} retry={timeline.retry} />;
  if (timeline.loading || history === undefined) return <Loading rows={5} />;
  const oldest = timeline.more ? (timeline.rows.at(-1)?.at ?? "") : "";
  const moves = history.flatMap((interval, index) => {
    const before = history[index + 1];
    return before === undefined ? [] : [moveOf(interval, before)];
  });
  const others = timeline.rows
    .filter(({ action, note, type }) => action !== "deals.move" && !(type === "note" && note === null))
    .map((entry) => momentOf(entry, may ? remove : null));
  const moments = [...moves.filter(({ at }) => at >= oldest), ...others].toSorted((a, b) => (a.at < b.at ? 1 : -1));
  return (
    <>
      <Timeline moments={moments} />
      {timeline.more && (
        <Button variant="default" size="xs" loading={timeline.loadingMore} onClick={timeline.loadMore}>
          Show more
        </Button>
      )}
    </>
  );
}

function moveOf({ stage, stage_type, entered_at, moved_by_name, note }: Interval, before: Interval): Moment {
  const took = `${before.days === 0 ? "Less than a day" : before.days === 1 ? "1 day" : `${before.days} days`} in ${before.stage}`;
  return {
    id: `move ${entered_at}`,
    at: entered_at,
    icon: stage_type === "won" ? <Trophy /> : stage_type === "lost" ? <Flag /> : <ArrowRight />,
    tone: stage_type === "lost" ? "bad" : "accent",
    what: (
      <>
        {before.stage} to <b>{stage}</b>
        {moved_by_name && `, ${moved_by_name}`}
      </>
    ),
    more: [took, note].filter(Boolean).join(". "),
  };
}

const WORDS: Record<string, readonly [React.ReactNode, string]> = {
  "deals.create": [<Plus key="icon" />, "Created"],
  "deals.update": [<Pencil key="icon" />, "Changed"],
  "registrations.create": [<Handshake key="icon" />, "Registered"],
  "registrations.submit": [<Handshake key="icon" />, "Registration sent again"],
  "registrations.approve": [<ShieldCheck key="icon" />, "Registration approved"],
  "registrations.reject": [<ShieldCheck key="icon" />, "Registration rejected"],
  "registrations.request_info": [<ShieldCheck key="icon" />, "More information asked for"],
  "registrations.withdraw": [<ShieldCheck key="icon" />, "Registration withdrawn"],
  "registrations.expire": [<ShieldCheck key="icon" />, "Protection ended"],
};

function momentOf(entry: Entry, remove: ((note: string, text: string) => void) | null): Moment {
  const { id, at, action, actor, note, changes } = entry;
  const [icon, words] = WORDS[action] ?? [<Pencil key="icon" />, sentence(action)];
  const by = actor.name ?? (actor.type === "operator" ? "the operator" : null);
  if (entry.type !== "note") {
    return { id, at, icon, what: by ? `${words} by ${by}` : words, more: detailOf(action, changes) };
  }
  const note_id = (changes?.note as { to?: string } | undefined)?.to;
  return {
    id,
    at,
    icon: <NotebookPen />,
    what: <b>{by ?? "Note"}</b>,
    more: (
      <>
        <p className={classes.noteText}>{note}</p>
        {remove !== null && note_id !== undefined && (
          <button type="button" className={classes.quiet} onClick={() => remove(note_id, note ?? "")}>
            Remove
          </button>
        )}
      </>
    ),
  };
}

function detailOf(action: string, changes: Entry["changes"]): string | null {
  if (changes === null) return null;
  const until = (changes.protected_until as { to?: string } | undefined)?.to;
  if (until) return `Protected until ${day(until)}`;
  if (action !== "deals.update") return null;
  const fields = Object.keys(changes).filter((field) => field !== "version");
  return fields.map((field) => field.replaceAll("_", " ").replace(" cents", "")).join(", ") || null;
}

function sentence(action: string): string {
  const words = action.replaceAll(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Removes a note; it can be written again. */
function useTakeNoteAway(id: string): (note: string, text: string) => void {
  const remove = useRemoveNote(id);
  const write = useWriteNote(id);
  const again = (text: string) => void write.mutateAsync(text).catch((error: Error) => toastError("The note is gone", error));
  return (note, text) =>
    void remove.mutateAsync(note).then(
      () => toast("The note is removed", () => again(text)),
      (error: Error) => toastError("The note stays", error),
    );
}
