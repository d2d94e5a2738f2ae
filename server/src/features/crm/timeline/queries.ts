import { PREFIXES } from "../../../kernel/ids.ts";
import { listIdentity } from "../../../kernel/page.ts";
import type { TenantScope } from "../../../kernel/principal.ts";
import { actorName } from "../../../platform/db/actor-name.ts";
import { rowJson } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, type KeysetRow, keysetPage, keysetRows, type Paging } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { Note } from "./schema.ts";

const NOTE_JSON = rowJson(Note, { author_name: actorName("c.author_id", "c.partner_id") });
const NOTE = `c.id, c.record_id, c.account_id, c.body, c.version, ${NOTE_JSON} as json`;

export type NoteRow = { id: string; record_id: string; account_id: string; body: string; version: number; json: string };

/** A record with notes: its own id, and those of the records that were merged into it. */
export type Noted = { id: string; account_id: string; version: number; record_ids: readonly string[] };

const insertStatement = statement(`
  with c as (
    insert into record_notes as c (partner_id, id, account_id, record_id, body, author_id, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $7)
    returning c.*)
  select ${NOTE} from c`);

export async function insertNote(tx: Tx, scope: TenantScope, { id, account_id }: Noted, body: string, author_id: string) {
  const values = [scope.partner_id, tx.newId("note"), account_id, id, body, author_id, tx.now];
  return saved(await tx.query<NoteRow>(insertStatement, values));
}

const lockNote = statement(`
  select ${NOTE} from record_notes c where c.partner_id = $1 and c.id = $2 and c.record_id = any ($3) for update`);

export async function noteForUpdateOrNull(tx: Queryable, scope: TenantScope, { record_ids }: Noted, id: string) {
  const [row] = await tx.query<NoteRow>(lockNote, [scope.partner_id, id, record_ids]);
  return row ?? null;
}

const updateStatement = statement(`
  with c as (
    update record_notes c set body = $3, updated_at = $4, version = c.version + 1
    where c.partner_id = $1 and c.id = $2
    returning c.*)
  select ${NOTE} from c`);

export async function saveNote(tx: Tx, scope: TenantScope, id: string, body: string): Promise<NoteRow> {
  return saved(await tx.query<NoteRow>(updateStatement, [scope.partner_id, id, body, tx.now]));
}

const deleteStatement = statement("delete from record_notes where partner_id = $1 and id = $2");

export async function deleteNoteRow(tx: Tx, scope: TenantScope, id: string): Promise<void> {
  await tx.query(deleteStatement, [scope.partner_id, id]);
}

const eraseStatement = statement("delete from record_notes where partner_id = $1 and record_id = any ($2)");

/** Deletes all notes of some records. */
export async function eraseNotes(tx: Queryable, partner_id: string, record_ids: readonly string[]): Promise<void> {
  await tx.query(eraseStatement, [partner_id, record_ids]);
}

const anyNote = statement("select 1 from record_notes where partner_id = $1 and record_id = $2 limit 1");

export async function hasNotes(tx: Queryable, scope: TenantScope, record_id: string): Promise<boolean> {
  return (await tx.query(anyNote, [scope.partner_id, record_id])).length > 0;
}

function saved([row]: NoteRow[]): NoteRow {
  if (row === undefined) throw new Error("the note was not saved");
  return row;
}

/** The notes of a record, newest first. */
export function notesPage(db: Queryable, scope: TenantScope, { id, record_ids }: Noted, paging: Paging) {
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("notes", { id }),
      table: "record_notes",
      json: NOTE_JSON,
      sort: byCreation(true),
      conditions: (place) => [anyOf("c.record_id", record_ids, place)],
    },
    paging,
  );
}

const ENTRY_JSON = `(select row_to_json(x)::text from (select c.id, b.body ->> 'occurred_at' as at,
    case when c.action like '%\\_note' then 'note' when c.action like '%consent' then 'consent' when c.action like '%merge' then 'merge'
      when c.action like 'payments.%' then 'payment'
      else 'change' end as type,
    c.action, json_build_object('type', b.body #> '{actor,type}', 'id', c.actor_id, 'name', ${actorName("c.actor_id", "c.partner_id")}) as actor,
    c.target as record_id, b.body -> 'changes' as changes, n.body as note, null as message, null as payment) x)`;

/** The audit entries of a record before a moment, newest first, with the current text of its notes: up to one more than the limit. */
export function auditedBefore(
  db: Queryable,
  scope: TenantScope,
  { id, record_ids }: Noted,
  before: string | null,
  limit: number,
  paid: boolean,
): Promise<KeysetRow[]> {
  return keysetRows(
    db,
    scope.partner_id,
    {
      list: listIdentity("timeline", { id }),
      table: "audit_entries",
      join: `cross join lateral (select convert_from(c.body, 'UTF8')::json as body) b
    left join record_notes n on n.partner_id = $1 and n.id = b.body #>> '{changes,note,to}'`,
      json: ENTRY_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        anyOf("c.target", record_ids, place),
        "c.target is distinct from c.client_id",
        "not c.tallied",
        // What was received has entries of its own, which the retention of the audit log does not end.
        paid ? "c.action <> 'payments.receive'" : "c.action not like 'payments.%'",
        ...(before === null ? [] : [`c.id < ${place(`${PREFIXES.audit}_${before}`)}`]),
      ],
    },
    { limit },
  );
}
