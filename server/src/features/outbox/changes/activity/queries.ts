import { LIMIT_MAX } from "../../../../kernel/page.ts";
import type { TenantScope } from "../../../../kernel/principal.ts";
import { composedStatement, type Queryable } from "../../../../platform/db/statement.ts";
import type { ChangeFilter, ChangeRow } from "../queries.ts";

/** What was done to leads, and where deals went: a deal that only got another field is left out. */
export function activityPage(db: Queryable, scope: TenantScope, filter: ChangeFilter) {
  const { after, until, resources, accounts, limit } = filter;
  return db.query<ChangeRow>(
    composedStatement(`
  select f.* from (
    select f.change_id, f.seq, f.resource, f.subject as id, f.account_id, f.change, f.subject_version as version, f.detail
    from change_feed f
    where f.partner_id = $1 and f.seq > $2 and f.seq <= $3 and f.resource = any ($4) and not (f.resource = 'deal' and f.change = 'updated')
      ${accounts === null ? "" : "and f.account_id = any ($6)"}
      and $2 >= (select h.trimmed_seq from change_heads h where h.partner_id = $1)
    order by f.seq limit ${LIMIT_MAX + 1}
  ) f order by f.seq limit $5`),
    [scope.partner_id, after, until, resources, limit + 1, ...(accounts === null ? [] : [accounts])],
  );
}
