import type { Context } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { openHouseAccount } from "../../accounts/clients/index.ts";
import { insertUser, type NewUser } from "../users/index.ts";
import { insertPartner, type NewPartner } from "./queries.ts";

/** Takes a partner into the programme: its record, its owner and its house account, in one transaction. */
export function createPartner(ctx: Context, partner: NewPartner, owner: NewUser): Promise<void> {
  return ctx.tx(async (tx) => {
    await admitPartner(ctx, tx, partner, owner);
    record(tx, ctx.scope, [], { action: "partners.create", target: partner.id, client_id: null });
  });
}

export async function admitPartner(ctx: Context, tx: Tx, partner: NewPartner, owner: NewUser): Promise<void> {
  await insertPartner(tx, partner);
  await insertUser(tx, owner);
  await openHouseAccount(ctx, tx, partner);
}
