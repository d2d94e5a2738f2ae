import type { TenantScope } from "../../../../kernel/principal.ts";
import { statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { unlessTaken } from "../../../../platform/record/tx.ts";

const unshareStatement = statement(`
  update contacts c set phone_shared = false
  where c.partner_id = $1 and c.account_id = $2 and c.deleted_at is null and c.phone_shared`);

/** Makes the phones of an account unique again; false when contacts share one. */
export async function unsharePhones(tx: Tx, scope: TenantScope, account_id: string): Promise<boolean> {
  return (await unlessTaken(tx, () => tx.query(unshareStatement, [scope.partner_id, account_id]))) !== null;
}

const sharedStatement = statement(`
  select c.phone from contacts c where c.partner_id = $1 and c.account_id = $2 and c.deleted_at is null
  group by c.phone having count(*) > 1 order by c.phone limit 10`);

/** Up to ten phones that several contacts of an account share. */
export async function sharedPhones(tx: Tx, scope: TenantScope, account_id: string): Promise<string[]> {
  const rows = await tx.query<{ phone: string }>(sharedStatement, [scope.partner_id, account_id]);
  return rows.map(({ phone }) => phone);
}
