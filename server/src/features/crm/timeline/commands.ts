import { notFound } from "../../../kernel/errors.ts";
import { listIdentity, pageById } from "../../../kernel/page.ts";
import { actorOf, hasScope } from "../../../kernel/principal.ts";
import type { Paging } from "../../../platform/db/keyset.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import {
  auditedBefore,
  deleteNoteRow,
  insertNote,
  type Noted,
  type NoteRow,
  noteForUpdateOrNull,
  notesPage,
  saveNote,
} from "./queries.ts";

/** A resource with notes and a timeline. `find` and `lock` refuse a record that the caller may not access. */
export type Timelined = {
  /** The prefix of its operations, such as `contacts`. */
  name: string;
  find(ctx: Context, id: string): Promise<Noted>;
  lock(ctx: Context, tx: Tx, id: string): Promise<Noted>;
  /** Whether its records are people, who are written to. */
  people?: boolean;
  /** Runs after a note was added to a locked record. */
  onNote?(ctx: Context, tx: Tx, id: string): Promise<void>;
};

/** The commands for the notes and the timeline of a resource. */
export function notesOf({ name, find, lock, people = false, onNote }: Timelined) {
  /** A note does not change the version of its record, so it is in the audit log and not in the change feed. */
  const recordNote = (ctx: Context, tx: Tx, noted: Noted, verb: string, from: string | null, to: string | null) =>
    record(tx, ctx.scope, [], {
      action: `${name}.${verb}_note`,
      target: noted.id,
      client_id: noted.account_id,
      changes: { note: { from, to } },
    });

  async function lockNote(ctx: Context, tx: Tx, id: string, note_id: string): Promise<[Noted, NoteRow]> {
    const noted = await lock(ctx, tx, id);
    const note = (await noteForUpdateOrNull(tx, ctx.scope, noted, note_id)) ?? notFound(note_id);
    requireVersion(ctx, note);
    return [noted, note];
  }

  /** Adds a note in a transaction that does more than that. */
  async function add(ctx: Context, tx: Tx, id: string, body: string): Promise<NoteRow> {
    const noted = await lock(ctx, tx, id);
    requireVersion(ctx, noted);
    const note = await insertNote(tx, ctx.scope, noted, body, actorOf(ctx.principal).id);
    recordNote(ctx, tx, noted, "create", null, note.id);
    await onNote?.(ctx, tx, id);
    return note;
  }

  return {
    list: async (ctx: Context, id: string, paging: Paging) => notesPage(ctx.db, ctx.scope, await find(ctx, id), paging),

    create: (ctx: Context, id: string, body: string): Promise<NoteRow> => ctx.tx((tx) => add(ctx, tx, id, body)),

    add,

    update: (ctx: Context, id: string, note_id: string, body: string): Promise<NoteRow> =>
      ctx.tx(async (tx) => {
        const [noted, note] = await lockNote(ctx, tx, id, note_id);
        if (note.body === body) return note;
        recordNote(ctx, tx, noted, "update", note_id, note_id);
        return saveNote(tx, ctx.scope, note_id, body);
      }),

    remove: (ctx: Context, id: string, note_id: string): Promise<void> =>
      ctx.tx(async (tx) => {
        const [noted] = await lockNote(ctx, tx, id, note_id);
        recordNote(ctx, tx, noted, "delete", note_id, null);
        await deleteNoteRow(tx, ctx.scope, note_id);
      }),

    timeline: async (ctx: Context, id: string, paging: Paging) => {
      const noted = await find(ctx, id);
      const paid = people && hasScope(ctx.principal, "billing:read");
      const written = people && hasScope(ctx.principal, "conversations:read");
      return pageById(listIdentity("timeline", { id }), paging, async (after, limit) => {
        const before = after === null ? null : momentOf(after);
        const [entries, messages, payments] = await Promise.all([
          auditedBefore(ctx.db, ctx.scope, noted, before, limit, paid),
          written ? ctx.hooks.messagesOf(ctx.db, ctx.scope, noted.record_ids, before, limit + 1) : [],
          paid ? ctx.hooks.paymentsOf(ctx.db, ctx.scope, noted.record_ids, before, limit + 1) : [],
        ]);
        return newestFirst([...entries, ...messages, ...payments]).slice(0, limit + 1);
      });
    },
  };
}

/** Ids of any kind are in the order of time without their prefixes. */
const momentOf = (id: string) => id.slice(id.indexOf("_") + 1);

function newestFirst<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => (momentOf(one.id) < momentOf(other.id) ? 1 : -1));
}
