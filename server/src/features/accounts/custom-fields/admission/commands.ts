import type { RecordKind } from "../../../../kernel/changes.ts";
import { fail } from "../../../../kernel/errors.ts";
import { boundClients } from "../../../../kernel/principal.ts";
import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { type AccountRow, accountOrNull, isMember } from "./queries.ts";

export type Account = Omit<AccountRow, "status">;

/** The id of the requested account, by default the one client that the key is bound to; null is the house account. */
export function requestedAccount(ctx: Context, requested: string | undefined): string | null {
  const bound = boundClients(ctx.scope);
  if (requested === undefined && bound !== null && bound.length > 1) fail("account_required");
  const id = requested ?? bound?.[0] ?? null;
  return bound === null || bound.includes(id ?? "") ? id : refuseAccount(id);
}

export function refuseAccount(id: string | null, within: "body" | "query" = "body"): never {
  const detail = `The client ${id} was not found.`;
  if (within === "body") refuse("#/account_id", "unknown_account", detail);
  fail("invalid_parameter", { detail, faults: [{ in: "query", pointer: "#/account_id", code: "unknown_account", detail }] });
}

/** The account of a new record, if it takes writes. */
export async function accountForNew(ctx: Context, tx: Tx, resource: RecordKind, requested: string | undefined): Promise<Account> {
  const id = requestedAccount(ctx, requested);
  return admitted((await accountOrNull(tx, ctx.scope, resource, id)) ?? refuseAccount(id));
}

/** The account of an existing record within the caller's scope, if it takes writes. */
export async function accountForChange(ctx: Context, tx: Tx, resource: RecordKind, account_id: string): Promise<Account> {
  const account = await accountOrNull(tx, ctx.scope, resource, account_id);
  if (account === null) throw new Error(`no account ${account_id}`);
  return admitted(account);
}

/** The account of something that comes from outside: what people write is stored for suspended and closed accounts, too. */
export async function accountForInbound(ctx: Context, tx: Tx, account_id: string): Promise<Account> {
  const account = await accountOrNull(tx, ctx.scope, "contact", account_id);
  if (account === null) throw new Error(`no account ${account_id}`);
  return account;
}

function admitted({ status, ...account }: AccountRow): Account {
  admitAccount(account.id, status);
  return account;
}

/** Refuses a write into a suspended or closed account. */
export function admitAccount(id: string, status: string): void {
  if (status !== "suspended" && status !== "churned") return;
  fail("client_inactive", { detail: `The client ${id} is ${status}: its records can be read but not changed.` });
}

/** Refuses an owner who is no user of the partner or has no access to the account. */
export async function refuseUnknownOwner(
  ctx: Context,
  tx: Tx,
  account_id: string,
  owner_id: string | null | undefined,
): Promise<void> {
  if (owner_id === null || owner_id === undefined || (await isMember(tx, ctx.scope, owner_id, account_id))) return;
  refuse("#/owner_id", "unknown_user", `The user ${owner_id} was not found, or has no access to this account.`);
}

/** The owner that a record passes on to another; null where the user was removed since, or has lost access to the account. */
export async function inheritedOwner(
  ctx: Context,
  tx: Tx,
  { account_id, owner_id }: { account_id: string; owner_id: string | null },
): Promise<string | null> {
  return owner_id !== null && (await isMember(tx, ctx.scope, owner_id, account_id)) ? owner_id : null;
}

function refuse(pointer: string, code: string, detail: string): never {
  fail("validation_failed", { detail, faults: [{ in: "body", pointer, code, detail }] });
}
