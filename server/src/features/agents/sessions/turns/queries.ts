import type { TenantScope } from "../../../../kernel/principal.ts";
import { columnsOf } from "../../../../platform/db/columns.ts";
import { pollStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { NO_USAGE, type Usage } from "../../engine/index.ts";
import type { JournalEntry, TurnRow } from "../model.ts";

type Whose = Pick<TenantScope, "partner_id">;
type Place = Pick<TurnRow, "account_id" | "agent_id" | "conversation_id">;

const enqueueStatement = statement(`
  insert into agent_turns (partner_id, id, account_id, agent_id, conversation_id, run_at, created_at)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (partner_id, conversation_id) where state = 'queued'
  do update set agent_id = excluded.agent_id, run_at = excluded.run_at, follow_up = null`);

/** Queues the answer to a message: a turn of the conversation that waits already waits a little longer. */
export function enqueueTurn(tx: Tx, { partner_id }: Whose, place: Place, run_at: Date): void {
  const { account_id, agent_id, conversation_id } = place;
  const values = [partner_id, tx.newId("turn"), account_id, agent_id, conversation_id, run_at, tx.now];
  tx.send({ statement: enqueueStatement, values });
}

const followUpStatement = statement(`
  insert into agent_turns (partner_id, id, account_id, agent_id, conversation_id, run_at, created_at, follow_up)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (partner_id, conversation_id) where state = 'queued' do nothing`);

/** Queues what an agent writes if the person does not write before: a message that waits to be answered comes first. */
export async function enqueueFollowUp(tx: Tx, { partner_id }: Whose, place: Place, run_at: Date, text: string): Promise<void> {
  const { account_id, agent_id, conversation_id } = place;
  const values = [partner_id, tx.newId("turn"), account_id, agent_id, conversation_id, run_at, tx.now, text];
  await tx.query(followUpStatement, values);
}

const approvedStatement = statement(`
  insert into agent_turns (partner_id, id, account_id, agent_id, conversation_id, session_id, approval_id, state, run_at, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, 'approved', $8, $8)`);

/** Queues what somebody has approved, beside the messages that wait to be answered. */
export async function enqueueApproved(
  tx: Tx,
  { partner_id }: Whose,
  approval: Place & { id: string; session_id: string },
): Promise<void> {
  const { account_id, agent_id, conversation_id, session_id, id } = approval;
  const values = [partner_id, tx.newId("turn"), account_id, agent_id, conversation_id, session_id, id, tx.now];
  await tx.query(approvedStatement, values);
}

/** A turn that waits for a worker. */
export type DueTurn = { partner_id: string; id: string; agent_id: string; conversation_id: string; approval_id: string | null };

const dueStatement = pollStatement(`
  -- all partners: what is due, and what a worker left behind, by indexes of what waits and what runs.
  (select t.partner_id, t.id, t.agent_id, t.conversation_id, t.approval_id from agent_turns t
    where t.state = 'queued' and t.run_at <= $1 order by t.run_at limit $2)
  union all
  (select t.partner_id, t.id, t.agent_id, t.conversation_id, t.approval_id from agent_turns t
    where t.state = 'approved' and t.run_at <= $1 order by t.run_at limit $2)
  union all
  (select t.partner_id, t.id, t.agent_id, t.conversation_id, t.approval_id from agent_turns t
    where t.state = 'running' and t.claimed_until <= $1 order by t.claimed_until limit $2)`);

export function dueTurns(db: Queryable, now: Date, limit: number): Promise<DueTurn[]> {
  return db.query(dueStatement, [now, limit]);
}

const COLUMNS = [
  "id",
  "account_id",
  "agent_id",
  "conversation_id",
  "session_id",
  "state",
  "follow_up",
  "approval_id",
  "run_at",
  "upto_ordinal",
  "claimed_by",
  "claimed_until",
  "attempts",
  "journal",
] as const satisfies (keyof TurnRow)[];

const lockStatement = statement(`
  select ${columnsOf("t", COLUMNS)} from agent_turns t where t.partner_id = $1 and t.id = $2 for update`);

export async function turnForUpdateOrNull(tx: Queryable, { partner_id }: Whose, id: string): Promise<TurnRow | null> {
  const [row] = await tx.query<TurnRow>(lockStatement, [partner_id, id]);
  return row ?? null;
}

const runningStatement = statement(`
  select t.id from agent_turns t where t.partner_id = $1 and t.conversation_id = $2 and t.state = 'running'`);

/** The turn of a conversation that runs. */
export async function runningTurnId(tx: Queryable, { partner_id }: Whose, conversation_id: string): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(runningStatement, [partner_id, conversation_id]);
  return row?.id ?? null;
}

export type Claim = {
  claimed_by: string;
  claimed_until: Date;
  session_id: string;
  token: number | null;
  upto_ordinal: number | null;
};

const claimStatement = statement(`
  update agent_turns set state = 'running', claimed_by = $3, claimed_until = $4, session_id = $5, token = $6, upto_ordinal = $7,
    attempts = attempts + 1
  where partner_id = $1 and id = $2`);

/** Gives a locked turn to a worker, for a while. */
export async function saveClaim(tx: Tx, { partner_id }: Whose, id: string, claim: Claim): Promise<void> {
  const { claimed_by, claimed_until, session_id, token, upto_ordinal } = claim;
  await tx.query(claimStatement, [partner_id, id, claimed_by, claimed_until, session_id, token, upto_ordinal]);
}

const releaseStatement = statement(`
  update agent_turns set claimed_until = ($4::timestamptz[])[attempts] where partner_id = $1 and id = $2 and claimed_by = $3 and state = 'running'`);

/** Leaves a turn that its worker could not end to be begun again, at a time by how often it was begun. */
export async function releaseTurn(
  db: Queryable,
  { partner_id }: Whose,
  id: string,
  claimed_by: string,
  retry_at: readonly Date[],
): Promise<void> {
  await db.query(releaseStatement, [partner_id, id, claimed_by, retry_at]);
}

const journalStatement = statement(`
  update agent_turns set journal = journal || $4::jsonb
  where partner_id = $1 and id = $2 and claimed_by = $3 and state = 'running'
  returning id`);

/** Keeps an answer from outside at once; false where the turn is no longer this worker's. */
export async function appendJournal(
  db: Queryable,
  { partner_id }: Whose,
  id: string,
  claimed_by: string,
  entry: JournalEntry,
): Promise<boolean> {
  return (await db.query(journalStatement, [partner_id, id, claimed_by, JSON.stringify([entry])])).length > 0;
}

export type TurnEnd = {
  state: "done" | "superseded" | "failed";
  said?: readonly string[];
  visited?: readonly string[];
  calls?: readonly object[];
  hits?: readonly object[];
  usage?: Usage;
  failures?: readonly string[];
  spoke?: string | null;
  latency_ms?: number | null;
  error?: string | null;
};

const endStatement = statement(`
  update agent_turns set state = $3, claimed_by = null, claimed_until = null, said = $4, visited = $5, calls = $6, hits = $7, latency_ms = $8,
    error = $9, finished_at = $10, usage = $11, failures = $12, spoke = $13
  where partner_id = $1 and id = $2`);

/** Ends a locked turn. */
export async function endTurn(tx: Tx, { partner_id }: Whose, id: string, end: TurnEnd): Promise<void> {
  const { state, said = [], visited = [], calls = [], hits = [], latency_ms = null, error = null } = end;
  const { usage = NO_USAGE, failures = [], spoke = null } = end;
  const lists = [said, visited, calls, hits].map((list) => JSON.stringify(list));
  const asked = [JSON.stringify(usage), JSON.stringify(failures), spoke];
  await tx.query(endStatement, [partner_id, id, state, ...lists, latency_ms, error, tx.now, ...asked]);
}
