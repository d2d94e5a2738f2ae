import { statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { lookOf, readOf, recordReads } from "../../configuring/index.ts";
import { FIELD_IDENTITY, FIELD_SETTINGS } from "../queries.ts";
import type { FieldSpec } from "./model.ts";

const SPEC = ["type", ...FIELD_SETTINGS];
const INSERTED = [...FIELD_IDENTITY, ...FIELD_SETTINGS];

const RECORDS = `
  select c.account_id, c.id, c.archived, c.resource || '.' || c.key as key, jsonb_build_object(${SPEC.map((name) => `'${name}', c.${name}`).join(", ")}) as spec,
    '{}'::text[] as parts
  from custom_fields c where c.partner_id = $1 and c.account_id = any ($2)`;

export const fieldReads = recordReads(statement(lookOf(RECORDS)), statement(readOf(RECORDS)));

export type SavedField = FieldSpec & { id: string };
export type NewField = SavedField & { account_id: string; resource: string; key: string };

/** Fields as rows of the parameter $2. */
const GIVEN = `jsonb_to_recordset($2) as r (id text, account_id text, resource text, key text, type text, label text, options text[],
  required boolean)`;

const insertStatement = statement(`
  insert into custom_fields (partner_id, id, account_id, ${INSERTED.join(", ")}, created_at, updated_at)
  select $1, r.id, r.account_id, ${INSERTED.map((name) => `r.${name}`).join(", ")}, $3::timestamptz, $3::timestamptz from ${GIVEN}`);

const updateStatement = statement(`
  update custom_fields c set ${FIELD_SETTINGS.map((name) => `${name} = r.${name}`).join(", ")}, archived = false, updated_at = $3,
    version = c.version + 1
  from ${GIVEN} where c.partner_id = $1 and c.id = r.id`);

const archiveStatement = statement(`
  update custom_fields c set archived = true, updated_at = $3, version = c.version + 1
  where c.partner_id = $1 and c.id = any ($2) and not c.archived`);

export async function insertFields(tx: Tx, partner_id: string, fields: readonly NewField[]): Promise<void> {
  if (fields.length > 0) await tx.query(insertStatement, [partner_id, JSON.stringify(fields), tx.now]);
}

/** Saves fields, which are in use from then on. */
export async function saveFields(tx: Tx, partner_id: string, fields: readonly SavedField[]): Promise<void> {
  if (fields.length > 0) await tx.query(updateStatement, [partner_id, JSON.stringify(fields), tx.now]);
}

export async function archiveFields(tx: Tx, partner_id: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.query(archiveStatement, [partner_id, ids, tx.now]);
}
