import { fail, notFound } from "../../../kernel/errors.ts";
import type { PersonContext } from "../../../platform/http/route.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { checkShared, refuseMoreViews, type View } from "./model.ts";
import { insertView, isAccount, isWithinLimits, removeView, saveView, viewForUpdateOrNull, viewsOf } from "./queries.ts";
import type { ViewCreate, ViewListQuery, ViewPatch, ViewShown } from "./schema.ts";

export async function listViews(ctx: PersonContext, query: ViewListQuery): Promise<{ json: string }> {
  const views = await viewsOf(ctx.db, ctx.scope, ctx.principal.user_id, query);
  return { json: `{"data":[${views.join(",")}],"has_more":false,"next_cursor":null}` };
}

export function createView(ctx: PersonContext, { account_id = null, shared = false, ...fields }: ViewCreate): Promise<View> {
  return ctx.tx(async (tx) => {
    const view = { ...fields, account_id, shared, id: tx.newId("view"), created_by: ctx.principal.user_id };
    checkShared(ctx.principal, view);
    if (account_id === null ? shared && ctx.scope.clients !== "all" : !(await isAccount(tx, ctx.scope, account_id)))
      refuseAccount();
    if (!(await isWithinLimits(tx, ctx.scope, view))) refuseMoreViews(shared);
    record(tx, ctx.scope, [], { action: "views.create", target: view.id, client_id: account_id });
    return (await insertView(tx, ctx.scope, view)) ?? refuseName(view.name);
  });
}

export function updateView(ctx: PersonContext, id: string, patch: ViewPatch): Promise<View> {
  return ctx.tx(async (tx) => {
    const before = await lockView(ctx, tx, id);
    const { shared = before.shared } = patch;
    // One that came with a snapshot becomes the view of whoever no longer shares it.
    const after = { ...before, ...patch, created_by: before.created_by ?? (shared ? null : ctx.principal.user_id) };
    checkShared(ctx.principal, after);
    if (after.shared !== before.shared && !(await isWithinLimits(tx, ctx.scope, after))) refuseMoreViews(after.shared);
    const changes = changesBetween<ViewShown>(before, after, ["name", "query", "shared"]);
    if (Object.keys(changes).length === 0) return before;
    record(tx, ctx.scope, [], { action: "views.update", target: id, client_id: before.account_id, changes });
    return (await saveView(tx, ctx.scope, after)) ?? refuseName(after.name);
  });
}

export function deleteView(ctx: PersonContext, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const { account_id } = await lockView(ctx, tx, id);
    await removeView(tx, ctx.scope, id);
    record(tx, ctx.scope, [], { action: "views.delete", target: id, client_id: account_id });
  });
}

/** A view that the person may change. */
async function lockView(ctx: PersonContext, tx: Tx, id: string): Promise<View> {
  const view = (await viewForUpdateOrNull(tx, ctx.scope, ctx.principal.user_id, id)) ?? notFound(id);
  requireVersion(ctx, view);
  checkShared(ctx.principal, view);
  return view;
}

function refuseName(name: string): never {
  fail("duplicate_view", { detail: `Another view of this page has the name ${name}.` });
}

function refuseAccount(): never {
  const detail = "account_id must be an account that you have access to.";
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/account_id", code: "unknown_account", detail }] });
}
