import { LIMIT_MAX } from "../../../kernel/page.ts";
import type { TenantScope } from "../../../kernel/principal.ts";
import { composedStatement, type Queryable } from "../../../platform/db/statement.ts";
import { type FeedRange, idsWithin } from "../../../platform/record/feed.ts";

export type ChangeRow = {
  change_id: string;
  seq: number;
  resource: string;
  id: string;
  account_id: string;
  change: string;
  version: number;
  detail: object | null;
};

export type ChangeFilter = FeedRange & { resources: readonly string[]; accounts: readonly string[] | null; limit: number };

/** Up to `limit + 1` changes of a range of the feed, in order. The longest page lets the plan be cached. */
export function changesPage(db: Queryable, scope: TenantScope, filter: ChangeFilter): Promise<ChangeRow[]> {
  const { after, until, resources, accounts, limit } = filter;
  const values: unknown[] = [scope.partner_id, after, until, resources, limit + 1];
  const only = accounts === null ? "" : `and f.account_id = ${accounts.length === 1 ? "$6" : "any ($6)"}`;
  if (accounts !== null) values.push(accounts.length === 1 ? accounts[0] : accounts);
  const times = idsWithin(filter, "f.change_id", (value) => `$${values.push(value)}`);
  return db.query<ChangeRow>(
    composedStatement(`
  select f.* from (
    select f.change_id, f.seq, f.resource, f.subject as id, f.account_id, f.change, f.subject_version as version, f.detail
    from change_feed f
    where f.partner_id = $1 and f.seq > $2 and f.seq <= $3 and f.resource = any ($4) ${only} ${times}
      and $2 >= (select h.trimmed_seq from change_heads h where h.partner_id = $1)
    order by f.seq limit ${LIMIT_MAX + 1}
  ) f order by f.seq limit $5`),
    values,
  );
}
