import { fail, notFound } from "../../../kernel/errors.ts";
import { within } from "../../../kernel/principal.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record } from "../../../platform/record/tx.ts";
import { requireKnownClients } from "../../accounts/clients/index.ts";
import { excludeWriters } from "../keys/index.ts";
import { mailInvitation } from "./links/commands.ts";
import { requireGrantable } from "./model.ts";
import {
  activeOwnersForUpdate,
  insertUser,
  removeUser,
  type User,
  updateFields,
  userForUpdateOrNull,
  userOrNull,
  usersPage,
} from "./queries.ts";
import type { UserCreate, UserListQuery, UserPatch } from "./schema.ts";

const AUDITED = ["name", "role", "accounts", "state"] as const;
/** Fields whose values stay out of the audit log. */
const PERSONAL = new Set(["name"]);

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
 * Changes a user's name or accounts. A key may not change the role or the address, because with either it could become an owner, and
 * gives access to more accounts only to users whom it could have invited.
 */
export function updateUser(ctx: Context, id: string, { role, email, ...fields }: UserPatch): Promise<User> {
  if (role !== undefined || email !== undefined) {
    fail("person_required", { detail: "Only a person can change a user's role or e-mail address." });
  }
  return ctx.tx(async (tx) => {
    const before = (await userForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
    requireVersion(ctx, before);
    if (Array.isArray(fields.accounts)) await requireKnownClients(tx, ctx.scope, fields.accounts, "#/accounts");
    const after = { ...before, ...fields };
    if (!within(after.accounts, before.accounts)) requireGrantable(ctx.principal, before.role);
    const changes = changesBetween(before, after, AUDITED, PERSONAL);
    if (Object.keys(changes).length === 0) return before;
    record(tx, ctx.scope, [], { action: "users.update", target: id, client_id: null, changes });
    return updateFields(tx, ctx.scope, after);
  });
}

/**
 * Deletes a user, except the last owner who can sign in: without one, nobody could administer the partner. Sessions and links of the
 * user end, and no write commits after this has returned.
 */
export function deleteUser(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const owners = await activeOwnersForUpdate(tx, ctx.scope);
    const user = (await userForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
    requireVersion(ctx, user);
    if (owners.includes(id) && owners.length === 1) {
      fail("resource_in_use", { detail: "The last owner who can sign in cannot be deleted. Let another owner sign in first." });
    }
    await excludeWriters(tx, id);
    await removeUser(tx, ctx.scope, id);
    const changes = changesBetween<Partial<User>>(user, {}, AUDITED, PERSONAL);
    record(tx, ctx.scope, [], { action: "users.delete", target: id, client_id: null, changes });
  });
}
