import type { RecordKind } from "../../../../kernel/changes.ts";
import type { TenantScope } from "../../../../kernel/principal.ts";
import { steadyStatement } from "../../../../platform/db/assumptions.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Sender } from "../../../../platform/db/transaction.ts";
import type { CustomField } from "../model.ts";

/** What a write into an account depends on: its status, and its custom fields for a kind of record. */
export type AccountRow = {
  id: string;
  status: string;
  /** Whether it is the partner's own account. */
  house: boolean;
  /** The default of its amounts. */
  currency: string;
  shared_phones: boolean;
  fields: CustomField[];
};

/**
 * Every write into the account takes a shared lock on its row. A change of its status takes an exclusive one and so waits for
 * concurrent writes: none commits after a suspension has answered.
 */
const accountWhere = (condition: string) =>
  steadyStatement(`
  select a.id, a.status, a.house, a.shared_phones,
    case when a.house then (select p.currency from partners p where p.id = $1) else a.currency end as currency, coalesce((
    select json_agg(json_build_object('key', f.key, 'type', f.type, 'options', f.options, 'required', f.required, 'archived', f.archived))
    from custom_fields f where f.partner_id = $1 and f.account_id = a.id and f.resource = $2), '[]') as fields
  from clients a where a.partner_id = $1 and ${condition}
  for share of a`);

const accountById = accountWhere("a.id = $3");
const houseAccount = accountWhere("a.house");

/** One account, or the house account for null, locked for share until the transaction ends. */
export async function accountOrNull(
  tx: Sender,
  scope: TenantScope,
  resource: RecordKind,
  id: string | null,
): Promise<AccountRow | null> {
  const [row] =
    id === null
      ? await tx.recall<AccountRow>(houseAccount, [scope.partner_id, resource])
      : await tx.recall<AccountRow>(accountById, [scope.partner_id, resource, id]);
  return row ?? null;
}

const memberStatement = statement(`
  select 1 from users u where u.partner_id = $1 and u.id = $2 and (u.clients is null or $3 = any (u.clients))`);

/** Whether a user of the partner has access to an account. */
export async function isMember(tx: Queryable, scope: TenantScope, user_id: string, account_id: string): Promise<boolean> {
  return (await tx.query(memberStatement, [scope.partner_id, user_id, account_id])).length > 0;
}
