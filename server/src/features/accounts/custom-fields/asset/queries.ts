import { newRows } from "../../../../platform/db/row-set.ts";
import { statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { lookOf, type NewRecord, newRecords, readOf, recordReads } from "../../configuring/index.ts";
import { FIELD_SETTINGS } from "../queries.ts";
import type { FieldSpec } from "./model.ts";

const SPEC = ["type", ...FIELD_SETTINGS];

const RECORDS = `
  select c.account_id, c.id, c.archived, c.resource || '.' || c.key as key, jsonb_build_object(${SPEC.map((name) => `'${name}', c.${name}`).join(", ")}) as spec,
    '{}'::text[] as parts
  from custom_fields c where c.partner_id = $1 and c.account_id = any ($2)`;

export const fieldReads = recordReads(statement(lookOf(RECORDS)), statement(readOf(RECORDS)));

export type SavedField = FieldSpec & { id: string };

const SETTINGS = { label: "text", options: "text[]", required: "boolean" } satisfies Record<
  (typeof FIELD_SETTINGS)[number],
  string
>;
const COLUMNS = { resource: "text", key: "text", type: "text", ...SETTINGS };
const INSERTED = Object.keys(COLUMNS);

const insertStatement = statement(`
  insert into custom_fields (partner_id, created_at, updated_at, id, account_id, ${INSERTED.join(", ")})
  select $1, $3::timestamptz, $3::timestamptz, v.id, v.account_id, ${INSERTED.map((name) => `s.${name}`).join(", ")}
  ${newRows(COLUMNS, 2, 4)}`);

const updateStatement = statement(`
  update custom_fields c set ${FIELD_SETTINGS.map((name) => `${name} = r.${name}`).join(", ")}, archived = false, updated_at = $3,
    version = c.version + 1
  from jsonb_to_recordset($2) as r (id text, ${FIELD_SETTINGS.map((name) => `${name} ${SETTINGS[name]}`).join(", ")})
  where c.partner_id = $1 and c.id = r.id`);

const archiveStatement = statement(`
  update custom_fields c set archived = true, updated_at = $3, version = c.version + 1
  where c.partner_id = $1 and c.id = any ($2) and not c.archived`);

/** A field is of a record and has a key: deal.budget. */
function named({ key, to }: NewRecord): object {
  const [resource, own] = key.split(".");
  return { ...to, resource, key: own };
}

export async function insertFields(tx: Tx, partner_id: string, fields: readonly NewRecord[]): Promise<void> {
  if (fields.length === 0) return;
  const [specs, ...rows] = newRecords(fields, named);
  await tx.query(insertStatement, [partner_id, specs, tx.now, ...rows]);
}

/** Saves fields, which are in use from then on. */
export async function saveFields(tx: Tx, partner_id: string, fields: readonly SavedField[]): Promise<void> {
  if (fields.length > 0) await tx.query(updateStatement, [partner_id, JSON.stringify(fields), tx.now]);
}

export async function archiveFields(tx: Tx, partner_id: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.query(archiveStatement, [partner_id, ids, tx.now]);
}
