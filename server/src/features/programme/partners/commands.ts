import type { Context } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { openHouseAccount } from "../../accounts/clients/index.ts";
import { insertUser, mailInvitation, type NewUser } from "../users/index.ts";
import { insertPartner, type NewPartner } from "./queries.ts";

/** Creates a partner with its owner and its house account, in one transaction. */
export function createPartner(ctx: Context, partner: NewPartner, owner: NewUser): Promise<void> {
  return ctx.tx(async (tx) => {
    await addPartner(ctx, tx, partner, owner);
    record(tx, ctx.scope, [], { action: "partners.create", target: partner.id, client_id: null });
  });
}

/** Adds a partner with its owner and its house account. */
export async function addPartner(ctx: Context, tx: Tx, partner: NewPartner, owner: NewUser): Promise<void> {
  const { company, currency } = partner;
  const house_account_id = tx.newId("client");
  await insertPartner(tx, { ...partner, house_account_id });
  const { id: owner_id } = await insertUser(tx, owner);
  if (owner.password_hash === null) await mailInvitation(ctx, tx, owner_id);
  await openHouseAccount(ctx, tx, partner.id, { id: house_account_id, company, currency });
}
