import type { Kind } from "../../../kernel/ids.ts";
import type { Scope } from "../../../kernel/scopes.ts";
import { type Route, route } from "../../../platform/http/route.ts";
import { notesOf, type Timelined } from "./commands.ts";
import { Note, NoteBody, NoteList, PageQuery, Timeline } from "./schema.ts";

/** The routes for the notes and the timeline of a resource, below its own path. */
export function timelineRoutesOf(record: Timelined & { kind: Kind; read: Scope; write: Scope }): Route[] {
  const { name, kind, read, write } = record;
  const notes = notesOf(record);
  const path = `/${name}/{id}/notes`;
  const all = { partner_wide: false, params: { id: kind } };
  const one = { partner_wide: false, params: { id: kind, note_id: "note" as const } };
  return [
    route({
      operation: `${name}.timeline`,
      method: "GET",
      path: `/${name}/{id}/timeline`,
      summary: `Get the timeline of a ${kind}`,
      description: timelineDescription(record),
      scope: read,
      ...all,
      query: PageQuery,
      reply: { status: 200, schema: Timeline },
      handle: (ctx, { params, query }) => notes.timeline(ctx, params.id, query),
    }),
    route({
      operation: `${name}.list_notes`,
      method: "GET",
      path,
      summary: `List the notes of a ${kind}`,
      description: "Newest first.",
      scope: read,
      ...all,
      query: PageQuery,
      reply: { status: 200, schema: NoteList },
      handle: (ctx, { params, query }) => notes.list(ctx, params.id, query),
    }),
    route({
      operation: `${name}.create_note`,
      method: "POST",
      path,
      summary: `Create a note on a ${kind}`,
      scope: write,
      ...all,
      body: NoteBody,
      errors: ["client_inactive"],
      reply: { status: 201, schema: Note },
      handle: (ctx, { params, body }) => notes.create(ctx, params.id, body.body),
    }),
    route({
      operation: `${name}.update_note`,
      method: "PATCH",
      path: `${path}/{note_id}`,
      summary: "Change a note",
      scope: write,
      ...one,
      body: NoteBody,
      errors: ["client_inactive"],
      reply: { status: 200, schema: Note },
      handle: (ctx, { params, body }) => notes.update(ctx, params.id, params.note_id, body.body),
    }),
    route({
      operation: `${name}.delete_note`,
      method: "DELETE",
      path: `${path}/{note_id}`,
      summary: "Delete a note",
      scope: write,
      ...one,
      errors: ["client_inactive"],
      reply: { status: 204 },
      handle: async (ctx, { params }) => void (await notes.remove(ctx, params.id, params.note_id)),
    }),
  ];
}

const timelineDescription = ({ people = false }: Timelined) =>
  people
    ? "Changes, notes, consents, merges, messages and payments, newest first: changes as far back as the audit log is kept, messages for keys with `conversations:read`, payments for those with `billing:read`."
    : "Changes and notes, newest first, as far back as the audit log is kept.";
