import { boundClients, type TenantScope } from "../../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";

/** Only what was meant for an endpoint of the caller's: nobody learns of others' events by asking about them. */
const sentStatement = statement(`
  select e.body from events e
  where e.partner_id = $1 and e.id = $3 and exists (
    select from deliveries d join webhook_endpoints w on w.partner_id = $1 and w.id = d.endpoint_id
    where d.partner_id = $1 and d.event_id = $3 and ($2::text[] is null or w.client_ids <@ $2)
      and d.id >= 'dlv_' || substr($3, 5, 10) and d.id < 'dlv_' || substr($3, 5, 10) || 'g')`);

/** The bytes of an event that an endpoint of the caller's was sent. */
export async function sentBodyOrNull(db: Queryable, scope: TenantScope, event_id: string): Promise<Buffer | null> {
  const [row] = await db.query<{ body: Buffer }>(sentStatement, [scope.partner_id, boundClients(scope), event_id]);
  return row?.body ?? null;
}
