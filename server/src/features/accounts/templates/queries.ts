import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { assignments, insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { type Tx, unlessTaken } from "../../../platform/record/tx.ts";
import { type MessageTemplateListQuery, MessageTemplate as MessageTemplateSchema, type MessageTemplateShown } from "./schema.ts";

const TEMPLATE_JSON = rowJson(MessageTemplateSchema);

/** A template as the API shows it, with its JSON. */
export type MessageTemplate = MessageTemplateShown & { json: string };

export const TEMPLATE_FIELDS = ["name", "channel", "subject", "text", "provider_template"] as const;
export type NewTemplate = Pick<MessageTemplate, "account_id" | (typeof TEMPLATE_FIELDS)[number]>;

const INSERTED = ["partner_id", "id", "account_id", ...TEMPLATE_FIELDS, "created_at", "updated_at"] as const;
const insertStatement = statement(`
  with c as (insert into message_templates ${insertValues(INSERTED)} on conflict do nothing returning *)
  select ${TEMPLATE_JSON} as json from c`);

/** Adds a template; null when its name is in use. */
export async function insertTemplate(
  tx: Tx,
  { partner_id }: TenantScope,
  template: NewTemplate,
): Promise<MessageTemplate | null> {
  const row = { ...template, partner_id, id: tx.newId("message_template"), created_at: tx.now, updated_at: tx.now };
  return parsedRow<MessageTemplateShown>(await tx.query(insertStatement, valuesOf(row, INSERTED)));
}

const countStatement = statement(`
  select count(*)::int as count from message_templates c where c.partner_id = $1 and c.account_id = $2 and not c.archived`);

/** How many templates an account has in use. */
export async function countTemplates(tx: Queryable, { partner_id }: TenantScope, account_id: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(countStatement, [partner_id, account_id]);
  return row?.count ?? 0;
}

const idByName = statement(`
  select c.id from message_templates c
  where c.partner_id = $1 and c.account_id = $2 and lower(c.name) = lower($3) and not c.archived`);

/** The id of the template in use that has a name. */
export async function templateIdByNameOrNull(
  tx: Queryable,
  scope: TenantScope,
  { account_id, name }: Pick<MessageTemplate, "account_id" | "name">,
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(idByName, [scope.partner_id, account_id, name]);
  return row?.id ?? null;
}

const VISIBLE = "c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3))";
const templateById = statement(`select ${TEMPLATE_JSON} as json from message_templates c where ${VISIBLE}`);
const lockTemplate = statement(`select ${TEMPLATE_JSON} as json from message_templates c where ${VISIBLE} for update`);

/** One template within the caller's scope. */
export async function templateOrNull(db: Queryable, scope: TenantScope, id: string): Promise<MessageTemplate | null> {
  return parsedRow<MessageTemplateShown>(await db.query(templateById, [scope.partner_id, id, boundClients(scope)]));
}

export async function templateForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string): Promise<MessageTemplate | null> {
  return parsedRow<MessageTemplateShown>(await tx.query(lockTemplate, [scope.partner_id, id, boundClients(scope)]));
}

const updateStatement = statement(`
  with c as (
    update message_templates set ${assignments([...TEMPLATE_FIELDS, "archived", "updated_at"], 3)}, version = version + 1
    where partner_id = $1 and id = $2
    returning *
  )
  select ${TEMPLATE_JSON} as json from c`);

/** Saves a locked template; null when its name is in use. */
export async function saveTemplate(tx: Tx, scope: TenantScope, template: MessageTemplateShown): Promise<MessageTemplate | null> {
  const values = [scope.partner_id, template.id, ...valuesOf(template, TEMPLATE_FIELDS), template.archived, tx.now];
  const rows = await unlessTaken(tx, () => tx.query<{ json: string }>(updateStatement, values));
  return rows === null ? null : parsedRow<MessageTemplateShown>(rows);
}

export function templatesPage(db: Queryable, scope: TenantScope, query: MessageTemplateListQuery) {
  const { account_id, channel, archived = false } = query;
  const accounts = requestedAccounts(scope, account_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("message-templates", { account_id, channel, archived }),
      table: "message_templates",
      json: TEMPLATE_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        archived ? "c.archived" : "not c.archived",
        ...(channel === undefined ? [] : [anyOf("c.channel", [channel], place)]),
        ...(accounts === null ? [] : [anyOf("c.account_id", accounts, place)]),
      ],
    },
    query,
  );
}
