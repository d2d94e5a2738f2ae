import { changesBetween } from "../../../platform/record/audit.ts";
import type { Context } from "../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../platform/record/tx.ts";
import type { Account } from "../../accounts/custom-fields/index.ts";
import { addLead, saveScored } from "./commands.ts";
import { FIELDS, type Lead, PERSONAL, type SOURCE_KINDS } from "./model.ts";
import { leadsForUpdate, leadsLikeForShare } from "./queries.ts";

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
  const find = async () => (await leadsLikeForShare(tx, ctx.scope, account.id, identity))[0]?.id ?? null;
  const known = await find();
  if (known !== null) return known;
  const add = (email: string | null) =>
    addLead(ctx, tx, { ...account, fields: [] }, { ...person, email, source: { kind: source } });
  const made = (unproven_email === null ? null : await add(unproven_email)) ?? (await add(person.email));
  const id = made?.id ?? (await find());
  if (id === null) throw new Error("the lead was neither found nor made");
  return id;
}

/** What somebody says about itself, which proves nothing. `nameless` is the name of a lead that has none. */
export type Introduction = { name?: string | undefined; email?: string | undefined; nameless: string };

/** Fills what an open lead lacks with what the person says. An e-mail address that another lead has is left out, without a word. */
export async function introduceLead(ctx: Context, tx: Tx, id: string, said: Introduction): Promise<void> {
  const [before] = await leadsForUpdate(tx, ctx.scope, [id]);
  if (before === undefined || before.deleted_at !== null || before.converted_at !== null) return;
  const named: Lead = { ...before, name: before.name === said.nameless ? (said.name ?? before.name) : before.name };
  const filled: Lead = { ...named, email: before.email ?? said.email ?? null };
  const changes = (after: Lead) => changesBetween(before, after, FIELDS, PERSONAL);
  for (const after of [filled, named]) {
    if (Object.keys(changes(after)).length === 0) return;
    const saved = await saveScored(ctx, tx, after);
    if (saved === null) continue;
    const audit = { action: "leads.update", changes: changes(saved) };
    recordChange(tx, ctx.scope, { resource: "lead", change: "updated", ...saved }, audit);
    return;
  }
}
