import type { Resource } from "../../../kernel/changes.ts";
import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { anyOf, byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { CustomField } from "./model.ts";
import type { CustomFieldListQuery } from "./schema.ts";

const FIELD_JSON = `(select row_to_json(x)::text from (select c.id, c.account_id, c.resource, c.key, c.label, c.type, c.options,
    c.required, c.archived, wire_time(c.created_at) as created_at, wire_time(c.updated_at) as updated_at, c.version) x)`;
const FIELD = `c.id, c.account_id, c.resource, c.key, c.label, c.type, c.options, c.required, c.archived, c.version, ${FIELD_JSON} as json`;

/** A definition as its row is read, with the JSON that the API shows of it. */
export type FieldRow = CustomField & {
  id: string;
  account_id: string;
  resource: Resource;
  label: string;
  version: number;
  json: string;
};

export type NewField = Omit<FieldRow, "id" | "archived" | "version" | "json">;

const insertStatement = statement(`
  insert into custom_fields as c (partner_id, id, account_id, resource, key, label, type, options, required, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
  on conflict do nothing
  returning ${FIELD}`);

/** Adds a definition; null when its key is taken. */
export async function insertField(tx: Tx, scope: TenantScope, field: NewField): Promise<FieldRow | null> {
  const { account_id, resource, key, label, type, options, required } = field;
  const values = [scope.partner_id, tx.newId("custom_field"), account_id, resource, key, label, type, options, required, tx.now];
  const [row] = await tx.query<FieldRow>(insertStatement, values);
  return row ?? null;
}

const ownerStatement = statement(`
  select id from custom_fields where partner_id = $1 and account_id = $2 and resource = $3 and key = $4`);

/** Whose a key is that is taken. */
export async function fieldWithKey(
  tx: Queryable,
  scope: TenantScope,
  { account_id, resource, key }: NewField,
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(ownerStatement, [scope.partner_id, account_id, resource, key]);
  return row?.id ?? null;
}

const VISIBLE = "c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3)) and c.resource = any ($4)";
const fieldById = statement(`select ${FIELD} from custom_fields c where ${VISIBLE}`);
const lockField = statement(`select ${FIELD} from custom_fields c where ${VISIBLE} for update`);

export async function fieldOrNull(
  db: Queryable,
  scope: TenantScope,
  id: string,
  resources: readonly Resource[],
): Promise<FieldRow | null> {
  const [row] = await db.query<FieldRow>(fieldById, [scope.partner_id, id, boundClients(scope), resources]);
  return row ?? null;
}

export async function fieldForUpdateOrNull(
  tx: Queryable,
  scope: TenantScope,
  id: string,
  resources: readonly Resource[],
): Promise<FieldRow | null> {
  const [row] = await tx.query<FieldRow>(lockField, [scope.partner_id, id, boundClients(scope), resources]);
  return row ?? null;
}

const updateStatement = statement(`
  update custom_fields c set label = $3, options = $4, required = $5, archived = $6, updated_at = $7, version = c.version + 1
  where c.partner_id = $1 and c.id = $2
  returning ${FIELD}`);

/** Saves a definition that was locked before. */
export async function saveField(tx: Tx, scope: TenantScope, field: FieldRow): Promise<FieldRow> {
  const { id, label, options, required, archived } = field;
  const [row] = await tx.query<FieldRow>(updateStatement, [scope.partner_id, id, label, options, required, archived, tx.now]);
  if (row === undefined) throw new Error("the field was not saved");
  return row;
}

export function fieldsPage(db: Queryable, scope: TenantScope, resources: readonly Resource[], query: CustomFieldListQuery) {
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
