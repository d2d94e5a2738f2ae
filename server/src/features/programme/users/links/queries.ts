import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { PURPOSES, type Purpose } from "./model.ts";

const insertStatement = statement(`
  insert into user_links (hash, user_id, purpose, created_at, expires_at) values ($1, $2, $3, $4, $5)`);

export type NewLink = { hash: Buffer; user_id: string; purpose: Purpose; expires_at: Date };

export async function insertLink(tx: Tx, { hash, user_id, purpose, expires_at }: NewLink): Promise<void> {
  await tx.query(insertStatement, [hash, user_id, purpose, tx.now, expires_at]);
}

const dropStatement = statement("delete from user_links where user_id = $1 and purpose = any ($2)");

/** Ends the links of a user, for some purposes or for all. */
export async function dropLinks(tx: Tx, user_id: string, purposes: readonly Purpose[] = PURPOSES): Promise<void> {
  await tx.query(dropStatement, [user_id, purposes]);
}

const takeStatement = statement(`
  delete from user_links where hash = $1 and purpose = $2 and expires_at > $3 returning user_id`);

/** Uses a link up. Of two requests with one token, only the first gets its user. */
export async function takeLink(tx: Tx, hash: Buffer, purpose: Purpose): Promise<string | null> {
  const [taken] = await tx.query<{ user_id: string }>(takeStatement, [hash, purpose, tx.now]);
  return taken?.user_id ?? null;
}

const recentStatement = statement("select 1 from user_links where user_id = $1 and purpose = $2 and created_at > $3");

export async function hasLinkSince(db: Queryable, user_id: string, purpose: Purpose, since: Date): Promise<boolean> {
  return (await db.query(recentStatement, [user_id, purpose, since])).length > 0;
}

const endedStatement = statement("delete from user_links where expires_at <= $1 returning hash");

export async function dropEndedLinks(db: Queryable, now: Date): Promise<number> {
  return (await db.query(endedStatement, [now])).length;
}

const FIELDS = "u.id, u.name, u.email, u.role, u.state, u.partner_id, p.company";

export type LinkedUser = Record<"id" | "name" | "email" | "role" | "state", string> & {
  partner_id: string | null;
  company: string | null;
};

const lockStatement = statement(`
  select ${FIELDS} from users u left join partners p on p.id = u.partner_id
  where u.id = $1 and ($2::text is null or u.partner_id = $2)
  for update of u`);

/** A user of a partner, or of anybody for null. */
export async function linkedUserForUpdateOrNull(tx: Tx, id: string, partner_id: string | null): Promise<LinkedUser | null> {
  return (await tx.query<LinkedUser>(lockStatement, [id, partner_id]))[0] ?? null;
}

const byEmailStatement = statement(`
  select ${FIELDS} from users u left join partners p on p.id = u.partner_id
  where lower(u.email) = lower($1)`);

export async function userOfAddressOrNull(db: Queryable, email: string): Promise<LinkedUser | null> {
  return (await db.query<LinkedUser>(byEmailStatement, [email]))[0] ?? null;
}
