import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Account } from "../../accounts/custom-fields/index.ts";
import type { Identity } from "../records/index.ts";
import { addContact } from "./commands.ts";
import { contactsLikeForShare } from "./queries.ts";

/** The contact that somebody who writes is: the oldest of those who share a phone. It stays until the transaction ends. */
export async function contactLikeOrNull(
  ctx: Context,
  tx: Tx,
  account: Account,
  identity: Partial<Identity>,
): Promise<string | null> {
  const whole = { phone: null, email: null, external_id: null, ...identity };
  const [found] = await contactsLikeForShare(tx, ctx.scope, account.id, whole);
  return found?.id ?? null;
}

/**
 * The contact with a phone, made where there is none. Whoever writes first cannot be asked for anything, so custom fields that are
 * required are left empty.
 */
export async function settleContact(
  ctx: Context,
  tx: Tx,
  account: Account,
  person: { name: string; phone: string },
): Promise<string> {
  const { phone } = person;
  const known = await contactLikeOrNull(ctx, tx, account, { phone });
  if (known !== null) return known;
  const made = await addContact(ctx, tx, { ...account, fields: [] }, person);
  // Null where another transaction has just made it.
  const id = made?.id ?? (await contactLikeOrNull(ctx, tx, account, { phone }));
  if (id === null) throw new Error("the contact was neither found nor made");
  return id;
}
