import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { columnsOf, insertValues, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { pollStatement, type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Session, SessionOutcome, SessionStatus } from "./model.ts";
import { type SessionListQuery, Session as SessionSchema, SessionWhole } from "./schema.ts";

type Whose = Pick<TenantScope, "partner_id">;

const SLOTS = "coalesce(c.memory -> 'slots', '{}')";
const SESSION_JSON = rowJson(SessionSchema, { slots: SLOTS });
const TURNS_SHOWN = 100;
const WHOLE_JSON = rowJson(SessionWhole, {
  slots: SLOTS,
  history: `coalesce((select json_agg(json_build_object('id', t.id, 'state', t.state, 'said', t.said, 'visited', t.visited, 'calls', t.calls,
        'hits', t.hits, 'spoke', t.spoke, 'usage', t.usage, 'failures', t.failures, 'attempts', t.attempts, 'latency_ms', t.latency_ms, 'error', t.error, 'created_at', wire_time(t.created_at),
        'finished_at', wire_time(t.finished_at)) order by t.id)
      from (select * from agent_turns h where h.partner_id = $1 and h.session_id = c.id order by h.id desc limit ${TURNS_SHOWN}) t), '[]')`,
});

const COLUMNS = [
  "id",
  "account_id",
  "agent_id",
  "agent_version",
  "conversation_id",
  "status",
  "memory",
  "turns",
  "last_ordinal",
  "usage",
  "last_turn_at",
  "version",
] as const satisfies (keyof Session)[];
const SESSION = columnsOf("c", COLUMNS);

const openStatement = statement(`
  select ${SESSION} from agent_sessions c
  where c.partner_id = $1 and c.conversation_id = $2 and c.status in ('active', 'waiting') for update`);

/** The session of a conversation that is not over, locked. */
export async function openSessionOrNull(tx: Queryable, { partner_id }: Whose, conversation_id: string): Promise<Session | null> {
  const [row] = await tx.query<Session>(openStatement, [partner_id, conversation_id]);
  return row ?? null;
}

const INSERTED = [
  "partner_id",
  "id",
  "account_id",
  "agent_id",
  "agent_version",
  "conversation_id",
  "channel_kind",
  "status",
  "memory",
  "last_ordinal",
  "started_at",
  "last_turn_at",
] as const;
const insertStatement = statement(`
  insert into agent_sessions as c ${insertValues(INSERTED)} returning ${SESSION}`);

export type NewSession = Pick<
  Session,
  "account_id" | "agent_id" | "agent_version" | "conversation_id" | "memory" | "last_ordinal"
> & {
  channel_kind: string;
};

export async function insertSession(tx: Tx, { partner_id }: Whose, session: NewSession): Promise<Session> {
  const times = { started_at: tx.now, last_turn_at: tx.now };
  const memory = JSON.stringify(session.memory);
  const row = { ...session, ...times, memory, partner_id, id: tx.newId("session"), status: "active" };
  const [inserted] = await tx.query<Session>(insertStatement, valuesOf(row, INSERTED));
  if (inserted === undefined) throw new Error("the session was not inserted");
  return inserted;
}

const saveStatement = statement(`
  update agent_sessions c set status = $3, outcome = $4, memory = $5, turns = $6, last_ordinal = $7, last_turn_at = $8, ended_at = $9,
    usage = $10, version = c.version + 1
  where c.partner_id = $1 and c.id = $2
  returning ${SESSION}`);

export type SessionChange = Partial<Pick<Session, "memory" | "turns" | "last_ordinal" | "usage">> & {
  status: SessionStatus;
  outcome?: SessionOutcome | null;
};

/** Saves a locked session. */
export async function saveSession(tx: Tx, { partner_id }: Whose, before: Session, change: SessionChange): Promise<Session> {
  const { status, outcome = null, memory, turns, last_ordinal, usage } = { ...before, outcome: null, ...change };
  const ended_at = status === "active" || status === "waiting" ? null : tx.now;
  const told = outcome === null ? null : JSON.stringify(outcome);
  const kept = [JSON.stringify(memory), turns, last_ordinal, tx.now, ended_at, JSON.stringify(usage)];
  const [saved] = await tx.query<Session>(saveStatement, [partner_id, before.id, status, told, ...kept]);
  if (saved === undefined) throw new Error("the session was not saved");
  return saved;
}

const VISIBLE = "c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3))";
const byId = statement(`select c.id, c.version, c.conversation_id, ${WHOLE_JSON} as json from agent_sessions c where ${VISIBLE}`);

export type SessionShown = { id: string; version: number; conversation_id: string; json: string };

/** A session that the caller may see, with its turns. */
export async function sessionOrNull(db: Queryable, scope: TenantScope, id: string): Promise<SessionShown | null> {
  const [row] = await db.query<SessionShown>(byId, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

const lockById = statement("select c.version from agent_sessions c where c.partner_id = $1 and c.id = $2 for update");

/** Locks a session, and gives its version. */
export async function sessionForUpdateOrNull(
  tx: Queryable,
  { partner_id }: Whose,
  id: string,
): Promise<{ version: number } | null> {
  const [row] = await tx.query<{ version: number }>(lockById, [partner_id, id]);
  return row ?? null;
}

/** The sessions of an agent, newest first. */
export function sessionsPage(db: Queryable, scope: TenantScope, agent_id: string, query: SessionListQuery) {
  const { status, conversation_id, rating } = query;
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("sessions", { agent_id, status, conversation_id, rating }),
      table: "agent_sessions",
      json: SESSION_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        `c.agent_id = ${place(agent_id)}`,
        ...(status === undefined ? [] : [anyOf("c.status", status, place)]),
        ...(conversation_id === undefined ? [] : [`c.conversation_id = ${place(conversation_id)}`]),
        ...(rating === undefined ? [] : [`c.feedback ->> 'rating' = ${place(rating)}`]),
      ],
    },
    query,
  );
}

const feedbackStatement = statement(`
  update agent_sessions c set feedback = $3, version = c.version + 1 where c.partner_id = $1 and c.id = $2 returning ${SESSION}`);

/** Keeps what somebody thinks of a session. */
export async function saveFeedback(tx: Tx, { partner_id }: Whose, id: string, feedback: object): Promise<Session> {
  const [saved] = await tx.query<Session>(feedbackStatement, [partner_id, id, JSON.stringify(feedback)]);
  if (saved === undefined) throw new Error("the feedback was not saved");
  return saved;
}

const idleStatement = pollStatement(`
  -- all partners: every ten minutes, by an index of what is not over.
  select c.partner_id, c.conversation_id from agent_sessions c
  where c.status in ('active', 'waiting') and c.last_turn_at < $1 order by c.last_turn_at limit $2`);

/** Conversations whose sessions have waited too long. */
export function idleSessions(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<{ partner_id: string; conversation_id: string }[]> {
  return db.query(idleStatement, [before, limit]);
}

const ofPeople = statement("select c.id from conversations c where c.partner_id = $1 and c.person_id = any ($2)");
const eraseTurns = statement(`
  update agent_turns set journal = '[]', said = '[]', calls = '[]', hits = '[]', error = null, follow_up = null,
    state = case when state in ('queued', 'approved', 'running') then 'superseded' else state end, claimed_by = null, claimed_until = null
  where partner_id = $1 and conversation_id = any ($2)`);
const eraseMemory = statement(`
  update agent_sessions set memory = '{}', outcome = null, feedback = null, version = version + 1,
    status = case when status in ('active', 'waiting') then 'expired' else status end, ended_at = coalesce(ended_at, $3)
  where partner_id = $1 and conversation_id = any ($2)`);

const eraseApprovals = statement(`
  update tool_approvals set args = '{}', result = null, note = null, version = version + 1,
    status = case when status = 'pending' then 'expired' else status end
  where partner_id = $1 and conversation_id = any ($2)`);

/** Erases what agents know of some people, and what they said and did for them. */
export async function eraseSessions(db: Queryable, partner_id: string, record_ids: readonly string[], now: Date): Promise<void> {
  const ids = (await db.query<{ id: string }>(ofPeople, [partner_id, record_ids])).map(({ id }) => id);
  if (ids.length === 0) return;
  await db.query(eraseTurns, [partner_id, ids]);
  await db.query(eraseApprovals, [partner_id, ids]);
  await db.query(eraseMemory, [partner_id, ids, now]);
}
