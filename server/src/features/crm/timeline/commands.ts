import { notFound } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import type { Paging } from "../../../platform/db/keyset.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import {
  deleteNoteRow,
  insertNote,
  type Noted,
  type NoteRow,
  noteForUpdateOrNull,
  notesPage,
  saveNote,
  timelinePage,
} from "./queries.ts";

/** A kind of record that has notes and a timeline: how it is found, and how it is held for a change. Both refuse what is not the caller's. */
export type Timelined = {
  /** What its operations begin with, such as `contacts`. */
  name: string;
  find(ctx: Context, id: string): Promise<Noted>;
  hold(ctx: Context, tx: Tx, id: string): Promise<Noted>;
  /** What a new note does to the record that is held. */
  noted?(ctx: Context, tx: Tx, id: string): Promise<void>;
};

/** What one does with the notes of a kind of record. */
export function notesOf({ name, find, hold, noted: onNote }: Timelined) {
  /** A note has no version in the feed of changes: it is told in the audit log, under the record. */
  const tell = (ctx: Context, tx: Tx, noted: Noted, verb: string, from: string | null, to: string | null) =>
    record(tx, ctx.scope, [], {
      action: `${name}.${verb}_note`,
      target: noted.id,
      client_id: noted.account_id,
      changes: { note: { from, to } },
    });

  async function lockNote(ctx: Context, tx: Tx, id: string, note_id: string): Promise<[Noted, NoteRow]> {
    const noted = await hold(ctx, tx, id);
    const note = (await noteForUpdateOrNull(tx, ctx.scope, noted, note_id)) ?? notFound(note_id);
    requireVersion(ctx, note);
    return [noted, note];
  }

  return {
    list: async (ctx: Context, id: string, paging: Paging) => notesPage(ctx.db, ctx.scope, await find(ctx, id), paging),

    create: (ctx: Context, id: string, body: string): Promise<NoteRow> =>
      ctx.tx(async (tx) => {
        const noted = await hold(ctx, tx, id);
        requireVersion(ctx, noted);
        const note = await insertNote(tx, ctx.scope, noted, body, actorOf(ctx.principal).id);
        tell(ctx, tx, noted, "create", null, note.id);
        await onNote?.(ctx, tx, id);
        return note;
      }),

    update: (ctx: Context, id: string, note_id: string, body: string): Promise<NoteRow> =>
      ctx.tx(async (tx) => {
        const [noted, note] = await lockNote(ctx, tx, id, note_id);
        if (note.body === body) return note;
        tell(ctx, tx, noted, "update", note_id, note_id);
        return saveNote(tx, ctx.scope, note_id, body);
      }),

    remove: (ctx: Context, id: string, note_id: string): Promise<void> =>
      ctx.tx(async (tx) => {
        const [noted] = await lockNote(ctx, tx, id, note_id);
        tell(ctx, tx, noted, "delete", note_id, null);
        await deleteNoteRow(tx, ctx.scope, note_id);
      }),

    timeline: async (ctx: Context, id: string, paging: Paging) => timelinePage(ctx.db, ctx.scope, await find(ctx, id), paging),
  };
}
