import type { RecordKind } from "../../../kernel/changes.ts";
import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { assignments, insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { type CustomFieldListQuery, CustomField as CustomFieldSchema, type CustomFieldShown } from "./schema.ts";

const FIELD_JSON = rowJson(CustomFieldSchema);

/** A definition as the API shows it, with its JSON. */
export type FieldRow = CustomFieldShown & { json: string };

/** What stays as it was created, and what can change. */
export const FIELD_IDENTITY = ["resource", "key", "type"] as const;
export const FIELD_SETTINGS = ["label", "options", "required"] as const;

const INSERTED = ["partner_id", "id", "account_id", ...FIELD_IDENTITY, ...FIELD_SETTINGS, "created_at", "updated_at"] as const;

export type NewField = Pick<FieldRow, "account_id" | (typeof FIELD_IDENTITY | typeof FIELD_SETTINGS)[number]>;

const insertStatement = statement(`
  with c as (insert into custom_fields ${insertValues(INSERTED)} on conflict do nothing returning *)
  select ${FIELD_JSON} as json from c`);

/** Adds a definition; null when its key is in use. */
export async function insertField(tx: Tx, { partner_id }: TenantScope, field: NewField): Promise<FieldRow | null> {
  const row = { ...field, partner_id, id: tx.newId("custom_field"), created_at: tx.now, updated_at: tx.now };
  return parsedRow<CustomFieldShown>(await tx.query(insertStatement, valuesOf(row, INSERTED)));
}

const idByKey = statement(`
  select id from custom_fields where partner_id = $1 and account_id = $2 and resource = $3 and key = $4`);

/** The id of the definition that has a key. */
export async function fieldIdByKeyOrNull(
  tx: Queryable,
  scope: TenantScope,
  { account_id, resource, key }: NewField,
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(idByKey, [scope.partner_id, account_id, resource, key]);
  return row?.id ?? null;
}

const keysStatement = statement(`
  select distinct c.key from custom_fields c
  where c.partner_id = $1 and c.resource = $2 and ($3::text[] is null or c.account_id = any ($3)) order by c.key`);

/** The keys of the custom fields of some accounts for a kind of record, archived ones included. */
export async function fieldKeys(
  db: Queryable,
  { partner_id }: TenantScope,
  resource: RecordKind,
  accounts: readonly string[] | null,
): Promise<string[]> {
  return (await db.query<{ key: string }>(keysStatement, [partner_id, resource, accounts])).map(({ key }) => key);
}

const VISIBLE = "c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3)) and c.resource = any ($4)";
const fieldById = statement(`select ${FIELD_JSON} as json from custom_fields c where ${VISIBLE}`);
const lockField = statement(`select ${FIELD_JSON} as json from custom_fields c where ${VISIBLE} for update`);

export async function fieldOrNull(
  db: Queryable,
  scope: TenantScope,
  id: string,
  resources: readonly RecordKind[],
): Promise<FieldRow | null> {
  return parsedRow<CustomFieldShown>(await db.query(fieldById, [scope.partner_id, id, boundClients(scope), resources]));
}

export async function fieldForUpdateOrNull(
  tx: Queryable,
  scope: TenantScope,
  id: string,
  resources: readonly RecordKind[],
): Promise<FieldRow | null> {
  return parsedRow<CustomFieldShown>(await tx.query(lockField, [scope.partner_id, id, boundClients(scope), resources]));
}

const updateStatement = statement(`
  with c as (
    update custom_fields set ${assignments([...FIELD_SETTINGS, "archived", "updated_at"], 3)}, version = version + 1
    where partner_id = $1 and id = $2
    returning *
  )
  select ${FIELD_JSON} as json from c`);

/** Saves a definition that was locked before. */
export async function saveField(tx: Tx, scope: TenantScope, field: FieldRow): Promise<FieldRow> {
  const values = [scope.partner_id, field.id, ...valuesOf(field, FIELD_SETTINGS), field.archived, tx.now];
  const saved = parsedRow<CustomFieldShown>(await tx.query(updateStatement, values));
  if (saved === null) throw new Error("the field was not saved");
  return saved;
}

export function fieldsPage(db: Queryable, scope: TenantScope, resources: readonly RecordKind[], query: CustomFieldListQuery) {
  const { account_id, resource } = query;
  const accounts = requestedAccounts(scope, account_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("custom-fields", { account_id, resource }),
      table: "custom_fields",
      json: FIELD_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        ...(accounts === null ? [] : [anyOf("c.account_id", accounts, place)]),
        anyOf("c.resource", resource === undefined ? resources : resources.filter((one) => one === resource), place),
      ],
    },
    query,
  );
}
