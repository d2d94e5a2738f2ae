import type { Resource } from "../../kernel/changes.ts";
import { fail } from "../../kernel/errors.ts";
import { boundClients } from "../../kernel/principal.ts";
import type { Context, Tx } from "../../platform/record/context.ts";
import { type AccountRow, accountOrNull, isMember } from "./queries.ts";

export type Account = Omit<AccountRow, "status">;

/** The account that a new record goes into: the one asked for, or the one that the key leaves no doubt about. */
export async function accountForNew(ctx: Context, tx: Tx, resource: Resource, asked: string | undefined): Promise<Account> {
  const bound = boundClients(ctx.scope);
  if (asked === undefined && bound !== null && bound.length > 1) fail("account_required");
  const id = asked ?? bound?.[0] ?? null;
  const visible = bound === null || bound.includes(id ?? "");
  const account = visible ? await accountOrNull(tx, ctx.scope, resource, id) : null;
  return admitted(account ?? refuse("#/account_id", "unknown_account", `There is no ${id} here.`));
}

/** The account of a record that was found in the caller's scope, for a change of the record. */
export async function accountForChange(ctx: Context, tx: Tx, resource: Resource, account_id: string): Promise<Account> {
  const account = await accountOrNull(tx, ctx.scope, resource, account_id);
  if (account === null) throw new Error(`no account ${account_id}`);
  return admitted(account);
}

/** What is suspended or closed can be read, not changed. */
function admitted({ status, ...account }: AccountRow): Account {
  const { id } = account;
  if (status !== "suspended" && status !== "churned") return account;
  fail("client_inactive", { detail: `The client ${id} is ${status}: its records can be read, not changed.` });
}

/** Refuses an owner who is no user of the partner, or has nothing to do with the account. */
export async function refuseUnknownOwner(
  ctx: Context,
  tx: Tx,
  account_id: string,
  owner_id: string | null | undefined,
): Promise<void> {
  if (owner_id === null || owner_id === undefined || (await isMember(tx, ctx.scope, owner_id, account_id))) return;
  refuse("#/owner_id", "unknown_user", `There is no ${owner_id} in this account's team.`);
}

function refuse(pointer: string, code: string, detail: string): never {
  fail("validation_failed", { detail, faults: [{ in: "body", pointer, code, detail }] });
}
