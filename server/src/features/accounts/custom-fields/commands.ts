import { RECORDS, RESOURCES, type Resource } from "../../../kernel/changes.ts";
import { fail, notFound } from "../../../kernel/errors.ts";
import { hasScope } from "../../../kernel/principal.ts";
import type { Scope } from "../../../kernel/scopes.ts";
import { takeTurn } from "../../../platform/db/turn.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record } from "../../../platform/record/tx.ts";
import { accountForChange, accountForNew } from "./admission/commands.ts";
import { FIELDS_MAX, optionsFault } from "./model.ts";
import {
  FIELD_IDENTITY,
  FIELD_SETTINGS,
  type FieldRow,
  fieldForUpdateOrNull,
  fieldIdByKeyOrNull,
  fieldKeys,
  fieldOrNull,
  fieldsPage,
  insertField,
  saveField,
} from "./queries.ts";
import type { CustomFieldCreate, CustomFieldListQuery, CustomFieldPatch } from "./schema.ts";

const AUDITED = [...FIELD_IDENTITY, ...FIELD_SETTINGS, "archived"] as const;

/** A field is read and changed with the scope of the records that have it. */
export function mayAccess({ principal }: Context, resource: Resource, action: "read" | "write"): boolean {
  return hasScope(principal, scopeOf(resource, action));
}

export function scopeOf(resource: Resource, action: "read" | "write"): Scope {
  return RESOURCES[resource].replace(/read$/, action) as Scope;
}

export const accessibleResources = (ctx: Context, action: "read" | "write") =>
  RECORDS.filter((resource) => mayAccess(ctx, resource, action));

export function createField(ctx: Context, input: CustomFieldCreate): Promise<FieldRow> {
  const { account_id, resource, key, type, label = key, options = [], required = false } = input;
  if (!mayAccess(ctx, resource, "write")) {
    const required_scope = scopeOf(resource, "write");
    fail("insufficient_scope", {
      detail: `Custom fields of a ${resource} need the scope ${required_scope}.`,
      meta: { required_scope },
    });
  }
  validateOptions(type, options);
  return ctx.tx(async (tx) => {
    await takeTurn(tx, `custom fields of ${ctx.scope.partner_id}`);
    const account = await accountForNew(ctx, tx, resource, account_id);
    // Counted anew: where a deployment had the account, its fields are not among those that were read while this waited.
    if ((await fieldKeys(tx, ctx.scope, resource, [account.id])).length >= FIELDS_MAX)
      fail("validation_failed", {
        detail: `An account has at most ${FIELDS_MAX} custom fields for a ${resource}, archived ones included.`,
      });
    const field = { account_id: account.id, resource, key, type, label, options, required };
    const saved = await insertField(tx, ctx.scope, field);
    if (saved === null) {
      const existing_id = await fieldIdByKeyOrNull(tx, ctx.scope, field);
      fail("duplicate_custom_field", { detail: `Another custom field has the key ${key}.`, meta: { existing_id } });
    }
    const changes = changesBetween<Partial<FieldRow>>({ options: [], required: false, archived: false }, saved, AUDITED);
    record(tx, ctx.scope, [], { action: "custom_fields.create", target: saved.id, client_id: account.id, changes });
    return saved;
  });
}

export async function getField(ctx: Context, id: string): Promise<FieldRow> {
  return (await fieldOrNull(ctx.db.byKey, ctx.scope, id, accessibleResources(ctx, "read"))) ?? notFound(id);
}

export function listFields(ctx: Context, query: CustomFieldListQuery): Promise<{ json: string }> {
  return fieldsPage(ctx.db, ctx.scope, accessibleResources(ctx, "read"), query);
}

/** Changes a definition. Records keep their values even if they are no longer among the options. */
export function updateField(ctx: Context, id: string, patch: CustomFieldPatch): Promise<FieldRow> {
  return ctx.tx(async (tx) => {
    const resources = accessibleResources(ctx, "write");
    const { resource, account_id } = (await fieldOrNull(tx, ctx.scope, id, resources)) ?? notFound(id);
    // The account is locked first, as by everybody who changes its configuration.
    await accountForChange(ctx, tx, resource, account_id);
    const before = (await fieldForUpdateOrNull(tx, ctx.scope, id, resources)) ?? notFound(id);
    requireVersion(ctx, before);
    const after = { ...before, ...patch };
    validateOptions(after.type, after.options);
    const changes = changesBetween(before, after, AUDITED);
    if (Object.keys(changes).length === 0) return before;
    record(tx, ctx.scope, [], { action: "custom_fields.update", target: id, client_id: before.account_id, changes });
    return saveField(tx, ctx.scope, after);
  });
}

function validateOptions(type: FieldRow["type"], options: readonly string[]): void {
  const fault = optionsFault(type, options);
  if (fault === null) return;
  fail("validation_failed", { detail: fault.detail, faults: [{ in: "body", pointer: "#/options", ...fault }] });
}
