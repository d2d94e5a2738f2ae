import { notFound } from "../../../kernel/errors.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record } from "../../../platform/record/tx.ts";
import { operatorLinkOrNull, ownerOrNull, wasArchived } from "./operator.queries.ts";
import { linkForUpdateOrNull, saveLink } from "./queries.ts";

/** A link of any partner's. */
export async function getAnyLink({ db, settings }: Context, id: string) {
  const partner_id = (await ownerOrNull(db.byKey, id)) ?? notFound(id);
  return (await operatorLinkOrNull(db.byKey, partner_id, id, settings.baseUrl())) ?? notFound(id);
}

/** Blocks a link: it leads nowhere, and the partner cannot change it. Its code stays taken. */
export function blockLink(ctx: Context, id: string, reason: string) {
  return setBlocked(ctx, id, true, reason);
}

/** Gives a blocked link back to the partner, paused; archived if it was. */
export function unblockLink(ctx: Context, id: string) {
  return setBlocked(ctx, id, false, null);
}

async function setBlocked(ctx: Context, id: string, blocked: boolean, reason: string | null) {
  const partner_id = (await ownerOrNull(ctx.db.byKey, id)) ?? notFound(id);
  const scope = { partner_id, clients: "all" } as const;
  const base_url = ctx.settings.baseUrl();
  return ctx.tx(async (tx) => {
    const link = (await linkForUpdateOrNull(tx, scope, id, base_url)) ?? notFound(id);
    requireVersion(ctx, link);
    if (blocked !== (link.status === "blocked")) {
      const status = blocked ? "blocked" : (await wasArchived(tx, partner_id, id)) ? "archived" : "paused";
      const changes = {
        status: { from: link.status, to: status },
        ...(reason === null ? {} : { reason: { from: null, to: reason } }),
      };
      const action = blocked ? "affiliate_links.block" : "affiliate_links.unblock";
      record(tx, scope, [], { action, target: id, client_id: null, changes });
      await saveLink(tx, scope, { ...link, status }, base_url);
    }
    return { id, ...((await operatorLinkOrNull(tx, partner_id, id, base_url)) ?? notFound(id)) };
  });
}
