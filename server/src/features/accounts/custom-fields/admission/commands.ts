import type { Resource } from "../../../../kernel/changes.ts";
import { fail } from "../../../../kernel/errors.ts";
import { boundClients } from "../../../../kernel/principal.ts";
import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { type AccountRow, accountOrNull, isMember } from "./queries.ts";

export type Account = Omit<AccountRow, "status">;

/** The account that is meant: the one asked for, or the one that the key leaves no doubt about; null is the house account. */
export function requestedAccount(ctx: Context, asked: string | undefined): string | null {
  const bound = boundClients(ctx.scope);
  if (asked === undefined && bound !== null && bound.length > 1) fail("account_required");
  const id = asked ?? bound?.[0] ?? null;
  return bound === null || bound.includes(id ?? "") ? id : refuseAccount(id);
}

export function refuseAccount(id: string | null, within: "body" | "query" = "body"): never {
  const detail = `There is no ${id} here.`;
  if (within === "body") refuse("#/account_id", "unknown_account", detail);
  fail("invalid_parameter", { detail, faults: [{ in: "query", pointer: "#/account_id", code: "unknown_account", detail }] });
}

/** The account that a new record goes into. */
export async function accountForNew(ctx: Context, tx: Tx, resource: Resource, asked: string | undefined): Promise<Account> {
  const id = requestedAccount(ctx, asked);
  return admitted((await accountOrNull(tx, ctx.scope, resource, id)) ?? refuseAccount(id));
}

/** The account of a record that was found in the caller's scope, for a change of the record. */
export async function accountForChange(ctx: Context, tx: Tx, resource: Resource, account_id: string): Promise<Account> {
  const account = await accountOrNull(tx, ctx.scope, resource, account_id);
  if (account === null) throw new Error(`no account ${account_id}`);
  return admitted(account);
}

function admitted({ status, ...account }: AccountRow): Account {
  admitAccount(account.id, status);
  return account;
}

/** What is suspended or closed can be read, not changed. */
export function admitAccount(id: string, status: string): void {
  if (status !== "suspended" && status !== "churned") return;
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
