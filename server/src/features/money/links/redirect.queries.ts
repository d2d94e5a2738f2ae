import { type Queryable, statement } from "../../../platform/db/statement.ts";

/** What a redirect needs to know. */
export type Target = {
  partner_id: string;
  link_id: string;
  code: string;
  destination_url: string;
  campaign: string | null;
  /** Whether a click counts: the link is active and has not expired, and its partner is active. */
  counts: boolean;
};

const targetStatement = statement(`
  select c.partner_id, c.link_id, c.code, c.destination_url, c.campaign,
    c.status = 'active' and p.status = 'active' and (c.expires_at is null or c.expires_at > $2) as counts
  from link_codes c join partners p on p.id = c.partner_id
  where c.code_key = $1 and c.status <> 'blocked'`);

/** The link that has a code and is not blocked, by one read of rows that every node of a cluster has. */
export async function targetOrNull(db: Queryable, code_key: string, now: Date): Promise<Target | null> {
  return (await db.query<Target>(targetStatement, [code_key, now]))[0] ?? null;
}
