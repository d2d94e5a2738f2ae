import { boundClients, type TenantScope } from "../../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";

const logoStatement = statement(`
  select coalesce(c.branding->>'logo_url', p.branding->>'logo_url') as logo_url
  from clients c join partners p on p.id = $1
  where c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.id = any ($3))`);

/** The address of an account's logo, its own or the partner's; null for an account out of scope. */
export async function logoOrNull(db: Queryable, scope: TenantScope, id: string): Promise<{ logo_url: string | null } | null> {
  return (await db.query<{ logo_url: string | null }>(logoStatement, [scope.partner_id, id, boundClients(scope)]))[0] ?? null;
}
