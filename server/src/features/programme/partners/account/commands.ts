import { changesBetween } from "../../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../../platform/record/context.ts";
import { record } from "../../../../platform/record/tx.ts";
import { type Account, account, accountForUpdate, saveAccount } from "./queries.ts";
import { ACCOUNT_FIELDS, type AccountPatch } from "./schema.ts";

export function getAccount(ctx: Context): Promise<Account> {
  return account(ctx.db.byKey, ctx.scope);
}

/** Changes the partner's own profile. Clients without an override inherit a new branding at once. */
export function updateAccount(ctx: Context, patch: AccountPatch): Promise<Account> {
  return ctx.tx(async (tx) => {
    const before = await accountForUpdate(tx, ctx.scope);
    requireVersion(ctx, before);
    const after = { ...before, ...patch };
    const changes = changesBetween(before, after, ACCOUNT_FIELDS);
    if (Object.keys(changes).length === 0) return before;
    await ctx.hooks.checkDefaults(tx, ctx.scope, after.default_snapshots, before.default_snapshots);
    record(tx, ctx.scope, [], { action: "account.update", target: before.id, client_id: null, changes });
    return saveAccount(tx, after);
  });
}
