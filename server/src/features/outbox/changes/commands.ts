import { ALL_RESOURCES, RESOURCES, type Resource } from "../../../kernel/changes.ts";
import { fail } from "../../../kernel/errors.ts";
import { timeOfId } from "../../../kernel/ids.ts";
import { LIMIT_DEFAULT, listIdentity } from "../../../kernel/page.ts";
import { hasScope, requestedAccounts } from "../../../kernel/principal.ts";
import type { Context } from "../../../platform/record/context.ts";
import { readFeedPage } from "../../../platform/record/feed.ts";
import { CHANGE_FEED } from "../../../platform/record/sequencer.ts";
import { type ChangeRow, changesPage } from "./queries.ts";
import type { ChangeFeedQuery } from "./schema.ts";

/** The changes in the accounts of the caller, oldest first, of the records that it may read. */
export function readChanges(ctx: Context, query: ChangeFeedQuery): Promise<{ json: string }> {
  const { limit = LIMIT_DEFAULT, after, resource, account_id, created_after, created_before } = query;
  const resources = readableOf(ctx, ALL_RESOURCES, resource);
  const accounts = requestedAccounts(ctx.scope, account_id);
  const list = listIdentity("changes", { resource, account_id, created_after, created_before });
  const paging = { list, after, limit, created_after, created_before, indexed: accounts !== null };
  return readFeedPage(ctx, CHANGE_FEED, paging, async (range) => {
    const rows = await changesPage(ctx.db, ctx.scope, { ...range, resources, accounts, limit });
    return rows.map((row) => ({ seq: row.seq, json: changeJson(row) }));
  });
}

/** Ids and names of ours need no escapes, so their text is put together, for two thirds of the cost. */
function changeJson({ change_id, resource, id, account_id, change, version, detail }: ChangeRow): string {
  const at = new Date(timeOfId(change_id)).toISOString();
  const more = detail === null ? "" : `,"detail":${JSON.stringify(detail)}`;
  return `{"resource":"${resource}","id":"${id}","account_id":"${account_id}","change":"${change}","version":${version},"at":"${at}"${more}}`;
}

/** The kinds of record that the caller may read; requesting another one is refused. Commissions are the partner's own. */
export function readableOf(
  { principal, scope }: Context,
  all: readonly Resource[],
  requested: Resource[] | undefined,
): Resource[] {
  if (scope.clients !== "all" && requested?.includes("commission")) fail("partner_wide_key_required");
  const readable = all.filter((one) => hasScope(principal, RESOURCES[one]) && (scope.clients === "all" || one !== "commission"));
  const denied = requested?.find((one) => !readable.includes(one));
  if (denied === undefined) return requested ?? readable;
  const required_scope = RESOURCES[denied];
  fail("insufficient_scope", { detail: `Changes of a ${denied} need the scope ${required_scope}.`, meta: { required_scope } });
}
