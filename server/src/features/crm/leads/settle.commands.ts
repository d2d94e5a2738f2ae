import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Account } from "../../accounts/custom-fields/index.ts";
import { addLead } from "./commands.ts";
import type { SOURCE_KINDS } from "./model.ts";
import { leadsLike } from "./queries.ts";

/** Somebody who writes and is no contact. */
export type Stranger = {
  name: string;
  email: string | null;
  external_id: string | null;
  /** An e-mail address that finds nobody, because anybody could name it: a new lead has it, unless another one does. */
  unproven_email?: string | null;
  source: (typeof SOURCE_KINDS)[number];
};

/** The lead with an e-mail address or an external id, made where there is none; custom fields that are required are left empty. */
export async function settleLead(
  ctx: Context,
  tx: Tx,
  account: Account,
  { source, unproven_email = null, ...person }: Stranger,
): Promise<string> {
  const identity = { phone: null, email: person.email, external_id: person.external_id };
  const find = async () => (await leadsLike(tx, ctx.scope, account.id, identity))[0]?.id ?? null;
  const known = await find();
  if (known !== null) return known;
  const add = (email: string | null) =>
    addLead(ctx, tx, { ...account, fields: [] }, { ...person, email, source: { kind: source } });
  const made = (unproven_email === null ? null : await add(unproven_email)) ?? (await add(person.email));
  const id = made?.id ?? (await find());
  if (id === null) throw new Error("the lead was neither found nor made");
  return id;
}
