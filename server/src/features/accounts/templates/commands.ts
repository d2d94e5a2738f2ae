import { fail, notFound } from "../../../kernel/errors.ts";
import { takeTurn } from "../../../platform/db/turn.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { type Account, accountForChange, accountForNew } from "../custom-fields/index.ts";
import { faultsOf, TEMPLATES_MAX } from "./model.ts";
import {
  countTemplates,
  insertTemplate,
  type MessageTemplate,
  type NewTemplate,
  saveTemplate,
  TEMPLATE_FIELDS,
  templateForUpdateOrNull,
  templateIdByNameOrNull,
  templateOrNull,
  templatesPage,
} from "./queries.ts";
import type { MessageTemplateCreate, MessageTemplateListQuery, MessageTemplatePatch } from "./schema.ts";

const AUDITED = [...TEMPLATE_FIELDS, "archived"] as const;

export function createTemplate(ctx: Context, { account_id, ...input }: MessageTemplateCreate): Promise<MessageTemplate> {
  return ctx.tx(async (tx) => {
    await takeTurn(tx, turnOf(ctx));
    const account = await accountForNew(ctx, tx, "contact", account_id);
    const template: NewTemplate = { account_id: account.id, channel: "any", subject: null, provider_template: null, ...input };
    validate(template, account);
    await refuseTooMany(ctx, tx, account.id);
    const saved = (await insertTemplate(tx, ctx.scope, template)) ?? (await refuseDuplicate(ctx, tx, template));
    const changes = changesBetween<Partial<MessageTemplate>>({ archived: false }, saved, AUDITED);
    record(tx, ctx.scope, [], { action: "message_templates.create", target: saved.id, client_id: account.id, changes });
    return saved;
  });
}

export async function getTemplate(ctx: Context, id: string): Promise<MessageTemplate> {
  return (await templateOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export function listTemplates(ctx: Context, query: MessageTemplateListQuery): Promise<{ json: string }> {
  return templatesPage(ctx.db, ctx.scope, query);
}

/** Changes, archives or restores a template. Its words are checked when they change: a custom field may be gone meanwhile. */
export function updateTemplate(ctx: Context, id: string, patch: MessageTemplatePatch): Promise<MessageTemplate> {
  return ctx.tx(async (tx) => {
    if (patch.archived === false) await takeTurn(tx, turnOf(ctx));
    const { account_id } = (await templateOrNull(tx, ctx.scope, id)) ?? notFound(id);
    const account = await accountForChange(ctx, tx, "contact", account_id);
    const before = (await templateForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
    requireVersion(ctx, before);
    const after = { ...before, ...patch };
    const changes = changesBetween<MessageTemplate>(before, after, AUDITED);
    if (Object.keys(changes).length === 0) return before;
    if ("text" in changes || "subject" in changes || "channel" in changes) validate(after, account);
    if (before.archived && !after.archived) await refuseTooMany(ctx, tx, account_id);
    record(tx, ctx.scope, [], { action: "message_templates.update", target: id, client_id: account_id, changes });
    return (await saveTemplate(tx, ctx.scope, after)) ?? refuseDuplicate(ctx, tx, after);
  });
}

const turnOf = (ctx: Context) => `message templates of ${ctx.scope.partner_id}`;

function validate(template: NewTemplate, { fields }: Account): void {
  const keys = fields.filter(({ archived }) => !archived).map(({ key }) => key);
  const faults = faultsOf(template, keys);
  if (faults[0] !== undefined) fail("validation_failed", { detail: faults[0].detail, faults });
}

async function refuseTooMany(ctx: Context, tx: Tx, account_id: string): Promise<void> {
  if ((await countTemplates(tx, ctx.scope, account_id)) < TEMPLATES_MAX) return;
  fail("validation_failed", { detail: `An account has at most ${TEMPLATES_MAX} templates. Archive one that is no longer used.` });
}

async function refuseDuplicate(ctx: Context, tx: Tx, template: NewTemplate): Promise<never> {
  const existing_id = await templateIdByNameOrNull(tx, ctx.scope, template);
  fail("duplicate_message_template", { detail: `Another template has the name ${template.name}.`, meta: { existing_id } });
}
