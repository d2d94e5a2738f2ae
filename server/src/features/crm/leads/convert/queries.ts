import type { TenantScope } from "../../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";

const useStatement = statement(`
  select 1 from deals d
  where d.partner_id = $1 and d.contact_id = $2 and d.deleted_at is null
  union all
  select 1 from leads l where l.partner_id = $1 and l.contact_id = $2
  limit 1`);

/** Whether a deal or another lead refers to a contact. */
export async function isReferredTo(tx: Queryable, scope: TenantScope, contact_id: string): Promise<boolean> {
  return (await tx.query(useStatement, [scope.partner_id, contact_id])).length > 0;
}
