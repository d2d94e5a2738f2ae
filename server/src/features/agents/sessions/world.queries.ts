import type { TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { type Lead, reachable } from "../../crm/leads/index.ts";
import type { World } from "../engine/index.ts";

const PERSON = (row: string) =>
  `'id', ${row}.id, 'name', ${row}.name, 'phone', ${row}.phone, 'email', ${row}.email, 'company', ${row}.company, 'notes', ${row}.notes,
   'tags', ${row}.tags, 'custom', ${row}.custom`;

/** The lead of a person: the one that is asked for, else the one that writes, else the newest open one with the phone or the e-mail address of the contact. */
const LEAD = `(
    select l.id from leads l
    where l.partner_id = $1 and l.account_id = $2 and l.deleted_at is null and l.converted_at is null
      and (l.id = $5 or l.id = $4 or l.phone = (select k.phone from contacts k where k.partner_id = $1 and k.id = $3)
        or lower(l.email) = (select lower(k.email) from contacts k where k.partner_id = $1 and k.id = $3))
    order by (l.id = $5) desc, (l.id = $4) desc, l.id desc limit 1)`;

const worldStatement = statement(`
  select
    (select json_build_object(${PERSON("k")}) from contacts k
      where k.partner_id = $1 and k.id = $3 and k.account_id = $2 and k.deleted_at is null) as contact,
    (select json_build_object(${PERSON("l")}, 'status', l.status) from leads l where l.partner_id = $1 and l.id = ${LEAD}) as lead,
    (select coalesce(json_agg(json_build_object('id', d.id, 'name', d.name, 'amount_cents', d.amount_cents, 'status', d.status,
        'stage', (select s.name from stages s where s.partner_id = $1 and s.id = d.stage_id)) order by (d.id = $5) desc, d.id desc), '[]')
      from deals d
      where d.partner_id = $1 and d.account_id = $2 and d.deleted_at is null and d.status = 'open' and (d.contact_id = $3 or d.lead_id = $4)) as deals,
    (select coalesce(json_agg(s.name order by p.is_default desc, p.id, s.position), '[]') from pipelines p
      join stages s on s.partner_id = $1 and s.pipeline_id = p.id and not s.archived
      where p.partner_id = $1 and p.account_id = $2 and not p.archived) as stages`);

/** The person that a conversation is with. */
export type WorldOf = { account_id: string; contact_id: string | null; lead_id: string | null };

/** What an agent sees of an account, as it is now, before newer ones the lead or the deal of a `subject`. */
export async function worldOf(
  db: Queryable,
  { partner_id }: Pick<TenantScope, "partner_id">,
  { account_id, contact_id, lead_id }: WorldOf,
  subject: string | null = null,
): Promise<World> {
  const values = [partner_id, account_id, contact_id, lead_id, subject];
  const [row] = await db.query<Omit<World, "statuses">>(worldStatement, values);
  if (row === undefined) throw new Error("no world");
  return { ...row, statuses: reachable((row.lead?.status ?? "new") as Lead["status"]) };
}
