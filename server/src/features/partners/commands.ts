import { type Context, record } from "../../platform/record/context.ts";
import { openHouseAccount } from "../clients/index.ts";
import { insertPartner, insertUser, type NewPartner, type NewUser } from "./queries.ts";

/** Takes a partner into the programme: its record, its owner and its house account, in one transaction. */
export function createPartner(ctx: Context, partner: NewPartner, owner: NewUser): Promise<void> {
  return ctx.tx(async (tx) => {
    await insertPartner(tx, partner);
    await insertUser(tx, owner);
    await openHouseAccount(tx, partner);
    record(tx, [], { action: "partners.create", target: partner.id, client_id: null });
  });
}
