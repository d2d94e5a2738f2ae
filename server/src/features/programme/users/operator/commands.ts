import { fail, notFound } from "../../../../kernel/errors.ts";
import { type Context, requireVersion } from "../../../../platform/record/context.ts";
import { record } from "../../../../platform/record/tx.ts";
import { excludeWriters } from "../../keys/index.ts";
import { mailInvitation } from "../links/commands.ts";
import { insertUser } from "../queries.ts";
import {
  activeOperatorsForUpdate,
  type OperatorUserRow,
  operatorUserOrNull,
  operatorUsersPage,
  removeOperatorUser,
} from "./queries.ts";
import type { OperatorUserCreate, OperatorUserListQuery } from "./schema.ts";

/** Invites a person of the company that runs the programme. */
export function inviteOperatorUser(ctx: Context, { name, email }: OperatorUserCreate): Promise<OperatorUserRow> {
  return ctx.tx(async (tx) => {
    const { id } = await insertUser(tx, { partner_id: null, name, email, role: "operator", password_hash: null });
    await mailInvitation(ctx, tx, id);
    record(tx, ctx.scope, [], { action: "operator_users.create", target: id, client_id: null });
    return (await operatorUserOrNull(tx, id)) ?? notFound(id);
  });
}

export async function getOperatorUser(ctx: Context, id: string): Promise<OperatorUserRow> {
  return (await operatorUserOrNull(ctx.db.byKey, id)) ?? notFound(id);
}

export function listOperatorUsers(ctx: Context, query: OperatorUserListQuery): Promise<{ json: string }> {
  return operatorUsersPage(ctx.db, query);
}

/** Removes a user of the operator, except the last who can sign in. None of the user's writes commits after this has returned. */
export function removeOperator(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    if ((await operatorUserOrNull(tx, id)) === null) notFound(id);
    await excludeWriters(tx, id);
    const active = await activeOperatorsForUpdate(tx);
    const user = (await operatorUserOrNull(tx, id)) ?? notFound(id);
    requireVersion(ctx, user);
    if (active.length === 1 && active[0] === id) {
      fail("resource_in_use", { detail: "The last user of the operator who can sign in stays. Let another one sign in first." });
    }
    await removeOperatorUser(tx, id);
    record(tx, ctx.scope, [], { action: "operator_users.delete", target: id, client_id: null });
  });
}
