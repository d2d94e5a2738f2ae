import type { TenantScope } from "../../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";

type Whose = Pick<TenantScope, "partner_id">;

/** The agent of a channel, while it answers. */
export type AnsweringAgent = {
  id: string;
  name: string;
  mode: "suggest" | "autopilot";
  published_version: number;
  limits: { turns_per_session: number };
  hours: Record<string, { from: string; to: string }[]> | null;
  timezone: string | null;
  account_name: string;
};

const answeringStatement = statement(`
  select a.id, a.name, a.mode, a.published_version, a.limits, c.hours, c.timezone,
    (select n.company from clients n where n.partner_id = $1 and n.id = a.account_id) as account_name
  from channels c
  join agents a on a.partner_id = $1 and a.id = c.agent_id
  where c.partner_id = $1 and c.id = $2 and c.archived_at is null and a.status = 'active' and a.mode <> 'off'
    and exists (select from partners p where p.id = $1 and p.status = 'active')`);

/** The agent that answers on a channel; null where none does, or the partner is suspended. */
export async function answeringAgentOrNull(
  db: Queryable,
  { partner_id }: Whose,
  channel_id: string,
): Promise<AnsweringAgent | null> {
  const [row] = await db.query<AnsweringAgent>(answeringStatement, [partner_id, channel_id]);
  return row ?? null;
}

const lastAnswerStatement = statement(`
  select coalesce(max(m.ordinal), 0)::int as ordinal from messages m
  where m.partner_id = $1 and m.conversation_id = $2 and m.direction = 'out' and m.kind = 'text'`);

/** How far a conversation is answered. */
export async function lastAnswerOf(db: Queryable, { partner_id }: Whose, conversation_id: string): Promise<number> {
  const [row] = await db.query<{ ordinal: number }>(lastAnswerStatement, [partner_id, conversation_id]);
  return row?.ordinal ?? 0;
}

const writtenStatement = statement(`
  select m.text from messages m
  where m.partner_id = $1 and m.conversation_id = $2 and m.ordinal > $3 and m.ordinal <= $4
    and m.direction = 'in' and m.kind = 'text' and not m.automatic
  order by m.ordinal`);

/** What the person wrote between two ordinals. */
export async function writtenBetween(
  db: Queryable,
  { partner_id }: Whose,
  conversation_id: string,
  after: number,
  upto: number,
): Promise<string> {
  const rows = await db.query<{ text: string }>(writtenStatement, [partner_id, conversation_id, after, upto]);
  return rows.map(({ text }) => text).join("\n");
}
