import { listIdentity } from "../../../kernel/page.ts";
import { requestedAccounts } from "../../../kernel/principal.ts";
import type { Result } from "../../../platform/http/route.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { FollowedChange } from "../../../platform/record/recent-changes.ts";
import { followFeed, type Told } from "../../outbox/changes/index.ts";
import { messageOrNull } from "./messages/queries.ts";
import { conversationOrNull } from "./queries.ts";
import type { ConversationStreamQuery } from "./schema.ts";
import { createSharedReads } from "./stream.model.ts";

const reads = createSharedReads<{ json: string }>();

/** Streams conversations and messages as they change, from a cursor on. */
export function streamConversations(ctx: Context, { after, account_id }: ConversationStreamQuery): Promise<Result> {
  return followFeed(ctx, {
    list: listIdentity("conversations stream", { account_id }),
    after,
    resources: ["conversation", "message"],
    accounts: requestedAccounts(ctx.scope, account_id),
    tell: (changes) => tellNewest(ctx, changes),
  });
}

/** Each record once, as it is now, at the last of its changes. Readers of the same changes share the reads. */
async function tellNewest(ctx: Context, changes: readonly FollowedChange[]): Promise<Told[]> {
  const { partner_id } = ctx.scope;
  // The changes are of accounts that the reader may see, so the reads need not ask again, and are the same for all.
  const scope = { partner_id, clients: "all" } as const;
  const newest = [...new Map(changes.map((change) => [change.id, change])).values()].toSorted((a, b) => a.seq - b.seq);
  const told = newest.map(async ({ seq, resource, id }) => {
    const read = resource === "message" ? messageOrNull : conversationOrNull;
    const row = await reads(`${partner_id} ${id} ${seq}`, () => read(ctx.db.byKey, scope, id));
    return row === null ? [] : [{ seq, event: resource, json: row.json }];
  });
  return (await Promise.all(told)).flat();
}
