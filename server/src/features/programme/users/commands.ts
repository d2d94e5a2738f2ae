import { fail, notFound } from "../../../kernel/errors.ts";
import { isPerson } from "../../../kernel/principal.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { requireKnownClients } from "../../accounts/clients/index.ts";
import { excludeWriters } from "../keys/index.ts";
import { mailInvitation } from "./links/commands.ts";
import { administers, loses, requireChangeable, requireGrantable, requireRemovable } from "./model.ts";
import {
  administratorsForUpdate,
  insertUser,
  removeUser,
  type User,
  updateFields,
  userForUpdateOrNull,
  userOrNull,
  usersPage,
} from "./queries.ts";
import type { UserCreate, UserListQuery, UserPatch } from "./schema.ts";

const AUDITED = ["name", "email", "role", "accounts", "state"] as const;
/** Fields whose values stay out of the audit log. */
const PERSONAL = new Set(["name", "email"]);

export function inviteUser(ctx: Context, input: UserCreate): Promise<User> {
  requireGrantable(ctx.principal, input.role);
  return ctx.tx(async (tx) => {
    if (input.accounts !== "all") await requireKnownClients(tx, ctx.scope, input.accounts, "#/accounts");
    const user = await insertUser(tx, { ...input, partner_id: ctx.scope.partner_id, password_hash: null });
    await mailInvitation(ctx, tx, user.id);
    const changes = changesBetween<Partial<User>>({}, user, AUDITED, PERSONAL);
    record(tx, ctx.scope, [], { action: "users.create", target: user.id, client_id: null, changes });
    return user;
  });
}

export async function getUser(ctx: Context, id: string): Promise<User> {
  return (await userOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export function listUsers(ctx: Context, query: UserListQuery): Promise<{ json: string }> {
  return usersPage(ctx.db, ctx.scope, query);
}

/**
 * Changes a user. A key may not change the role or the address, because with either it could become an owner, and gives access to
 * more accounts only to users whom it could have invited. Once this has returned, no write of the user commits that the user's role
 * and accounts no longer allow. A new address ends the user's other sessions and links: they were another mailbox's.
 */
export function updateUser(ctx: Context, id: string, patch: UserPatch): Promise<User> {
  return ctx.tx(async (tx) => {
    const { user: before, last } = await lockUser(ctx, tx, id);
    if (Array.isArray(patch.accounts)) await requireKnownClients(tx, ctx.scope, patch.accounts, "#/accounts");
    const after = { ...before, ...patch };
    requireChangeable(ctx.principal, before, after);
    const changes = changesBetween(before, after, AUDITED, PERSONAL);
    if (Object.keys(changes).length === 0) return before;
    if (last && !administers(after)) keepAdministrator();
    if (changes.email !== undefined) {
      await ctx.hooks.endAccess(tx, id, isPerson(ctx.principal) ? ctx.principal.session_id : null);
      if (before.state === "invited") await mailInvitation(ctx, tx, id);
    }
    record(tx, ctx.scope, [], { action: "users.update", target: id, client_id: null, changes });
    return updateFields(tx, ctx.scope, after, loses(before, after));
  });
}

/** Deletes a user. Once this has returned, no request of the user is admitted and none of the user's writes commits. */
export function deleteUser(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const { user, last } = await lockUser(ctx, tx, id);
    requireRemovable(ctx.principal, user);
    if (last) keepAdministrator();
    await removeUser(tx, ctx.scope, id);
    const changes = changesBetween<Partial<User>>(user, {}, AUDITED, PERSONAL);
    record(tx, ctx.scope, [], { action: "users.delete", target: id, client_id: null, changes });
  });
}

/**
 * Locks a user for a change, after the user's concurrent writes have ended; writes of others are not waited for. `last` tells whether
 * nobody else can administer the partner. Owners are locked first, all of them in one order, so that two changes cannot deadlock.
 */
async function lockUser(ctx: Context, tx: Tx, id: string): Promise<{ user: User; last: boolean }> {
  if ((await userOrNull(tx, ctx.scope, id)) === null) notFound(id);
  await excludeWriters(tx, id);
  const administrators = await administratorsForUpdate(tx, ctx.scope);
  const user = (await userForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, user);
  return { user, last: administrators.length === 1 && administrators[0] === id };
}

/** Without a last owner who can sign in and has all accounts, nobody could administer the partner. */
function keepAdministrator(): never {
  fail("resource_in_use", {
    detail: "The last owner who can sign in and has all accounts stays. Let another owner sign in first.",
  });
}
