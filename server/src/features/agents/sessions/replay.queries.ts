import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { personOrNull } from "../../inbox/conversations/index.ts";
import type { Called, Memory, World } from "../engine/index.ts";
import { worldOf } from "./world.queries.ts";

/** Ended by a turn of the agent, not by somebody who took the conversation over or ended the session. */
const HANDED_OFF = `case when exists (select from agent_turns t
      where t.partner_id = $1 and t.session_id = c.id and t.state = 'done' and t.finished_at = c.ended_at)
    then c.status = 'handed_off' end`;

const sessionStatement = statement(`
  select c.id, c.account_id, c.agent_id, c.started_at, coalesce(c.memory -> 'slots', '{}') as slots, ${HANDED_OFF} as handed_off,
    (select n.person_id from conversations n where n.partner_id = $1 and n.id = c.conversation_id) as person_id
  from agent_sessions c
  where c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3))`);

const INBOUND = "m.direction = 'in' and m.kind = 'text' and not m.automatic";
const turnsStatement = statement(`
  select t.calls, coalesce((
      select string_agg(m.text, e'\\n' order by m.ordinal) from messages m
      where m.partner_id = $1 and m.conversation_id = t.conversation_id and ${INBOUND} and m.ordinal <= t.upto_ordinal
        and m.ordinal > coalesce(t.after, (
          select max(o.ordinal) from messages o
          where o.partner_id = $1 and o.conversation_id = t.conversation_id and o.direction = 'out' and o.kind = 'text'
            and o.ordinal <= t.upto_ordinal), 0)), '') as text
  from (
    select h.id, h.calls, h.conversation_id, h.upto_ordinal, lag(h.upto_ordinal) over (order by h.id) as after from agent_turns h
    where h.partner_id = $1 and h.session_id = $2 and h.state = 'done' and h.follow_up is null) t
  order by t.id limit 100`);

type Found = {
  id: string;
  account_id: string;
  agent_id: string;
  started_at: Date;
  slots: Memory["slots"];
  /** Whether the agent handed it off; null where somebody else ended it, or it goes on. */
  handed_off: boolean | null;
};

/** A session as it was played: what the person wrote for each turn, what the agent did then, and the person as it is now. */
export type PlayedSession = Found & {
  turns: { text: string; calls: Called[] }[];
  world: World;
  person_ids: string[];
};

export async function playedSessionOrNull(db: Queryable, scope: TenantScope, id: string): Promise<PlayedSession | null> {
  type Row = Found & { person_id: string | null };
  const [session] = await db.query<Row>(sessionStatement, [scope.partner_id, id, boundClients(scope)]);
  if (session === undefined) return null;
  const { person_id, account_id, ...found } = session;
  const turns = await db.query<PlayedSession["turns"][number]>(turnsStatement, [scope.partner_id, id]);
  const person = person_id === null ? null : await personOrNull(db, scope, person_id);
  const known = { contact_id: person?.contact_id ?? null, lead_id: person?.lead_id ?? null };
  const world = await worldOf(db, scope, { account_id, ...known });
  const ids = [person_id, known.contact_id, known.lead_id, world.lead?.id ?? null];
  return { ...found, account_id, turns, world, person_ids: [...new Set(ids.filter((one) => one !== null))] };
}
