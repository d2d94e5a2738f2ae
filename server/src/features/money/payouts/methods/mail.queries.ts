import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { MethodKind } from "./model.ts";

const ownersStatement = statement("select u.id from users u where u.partner_id = $1 and u.role = 'owner' and u.state = 'active'");

/** The owners of a partner who can sign in. */
export async function ownersOf(db: Queryable, partner_id: string): Promise<string[]> {
  return (await db.query<{ id: string }>(ownersStatement, [partner_id])).map(({ id }) => id);
}

const recipientStatement = statement(`
  select u.email, u.name, p.company from users u join partners p on p.id = u.partner_id
  where u.id = $1 and u.partner_id = $2 and u.state = 'active'`);

export type Recipient = { email: string; name: string; company: string };

/** Who is told; null for a user who was removed meanwhile. */
export async function recipientOrNull(db: Queryable, user_id: string, partner_id: string): Promise<Recipient | null> {
  const [user] = await db.query<Recipient>(recipientStatement, [user_id, partner_id]);
  return user ?? null;
}

const toldStatement = statement(`
  select m.kind, m.hint, m.created_at, m.ended_at from payout_methods m where m.partner_id = $1 and m.id = $2`);

/** A method as an e-mail tells of it. */
export type ToldMethod = { kind: MethodKind; hint: string; created_at: Date; ended_at: Date | null };

export async function toldMethodOrNull(db: Queryable, partner_id: string, id: string): Promise<ToldMethod | null> {
  const [method] = await db.query<ToldMethod>(toldStatement, [partner_id, id]);
  return method ?? null;
}
