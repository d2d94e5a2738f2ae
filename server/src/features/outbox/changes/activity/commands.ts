import { timeOfId } from "../../../../kernel/ids.ts";
import { LIMIT_DEFAULT, listIdentity } from "../../../../kernel/page.ts";
import { requestedAccounts } from "../../../../kernel/principal.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { readFeedPage } from "../../../../platform/record/feed.ts";
import { CHANGE_FEED } from "../../../../platform/record/sequencer.ts";
import { readableOf } from "../commands.ts";
import { activityPage } from "./queries.ts";
import type { ActivityFeedQuery } from "./schema.ts";

/** What was done to leads and where deals went, oldest first, in the accounts of the caller. */
export function readActivity(ctx: Context, { limit = LIMIT_DEFAULT, after, resource, account_id }: ActivityFeedQuery) {
  const resources = readableOf(ctx, ["lead", "deal"], resource === undefined ? undefined : [resource]);
  const accounts = requestedAccounts(ctx.scope, account_id);
  const list = listIdentity("activity", { resource, account_id });
  return readFeedPage(ctx, CHANGE_FEED, { list, after, limit, indexed: accounts !== null }, async (range) => {
    const rows = await activityPage(ctx.db, ctx.scope, { ...range, resources, accounts, limit });
    return rows.map(({ seq, change_id, id, detail, resource, account_id, change, version }) => ({
      seq,
      json: JSON.stringify({
        id: change_id,
        resource,
        record_id: id,
        account_id,
        change,
        detail: detail ?? {},
        version,
        at: new Date(timeOfId(change_id)).toISOString(),
      }),
    }));
  });
}
