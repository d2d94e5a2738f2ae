import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { insertValues, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { pollStatement, type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { RunResult } from "./run.model.ts";
import { type SandboxListQuery, SandboxRun, SandboxRunListed } from "./schema.ts";

const LISTED_JSON = rowJson(SandboxRunListed);
const STORED = ["transcript", "tool_calls", "effects", "assertions", "slots", "usage", "isolation", "error"] as const;
const RUN_JSON = rowJson(SandboxRun, {
  ...Object.fromEntries(STORED.map((member) => [member, `(c.result -> '${member}')`])),
  // Runs from before there was knowledge have none.
  hits: "coalesce(c.result -> 'hits', '[]')",
});

export type Run = { id: string; json: string };

const INSERTED = [
  "partner_id",
  "id",
  "account_id",
  "agent_id",
  "agent_version",
  "status",
  "request",
  "result",
  "state",
  "created_by",
  "created_at",
] as const;
const insertStatement = statement(`
  with c as (insert into sandbox_runs ${insertValues(INSERTED)} returning *)
  select c.id, ${RUN_JSON} as json from c`);

/** What came of a run, or that it is under way. */
export type RunEnd = { status: string; result: object; state: RunResult["state"] | null };

export type NewRun = RunEnd & {
  account_id: string;
  agent_id: string;
  agent_version: number;
  request: object;
  created_by: string;
};

export async function insertRun(tx: Tx, { partner_id }: TenantScope, run: NewRun): Promise<Run> {
  const json = { request: JSON.stringify(run.request), result: JSON.stringify(run.result), state: JSON.stringify(run.state) };
  const row = { ...run, ...json, partner_id, id: tx.newId("sandbox_run"), created_at: tx.now };
  const [inserted] = await tx.query<Run>(insertStatement, valuesOf(row, INSERTED));
  if (inserted === undefined) throw new Error("the run was not inserted");
  return inserted;
}

const endStatement = statement(`
  update sandbox_runs set status = $3, result = $4, state = $5 where partner_id = $1 and id = $2 and status = 'running'`);

/** Ends a run that was stored before its end. */
export async function saveEnd(db: Queryable, { partner_id }: TenantScope, id: string, end: RunEnd): Promise<void> {
  const { status, result, state } = end;
  await db.query(endStatement, [partner_id, id, status, JSON.stringify(result), JSON.stringify(state)]);
}

const lostStatement = pollStatement(`
  -- all partners: every ten minutes, by an index of what runs.
  select c.partner_id, c.id from sandbox_runs c where c.status = 'running' and c.created_at < $1 order by c.created_at limit 500`);
const giveUpStatement = statement(`
  update sandbox_runs set status = 'error', result = result || $3::jsonb where partner_id = $1 and id = $2 and status = 'running'`);

/** Ends runs that began before a time and whose process has ended. Returns how many. */
export async function endLostRuns(db: Queryable, before: Date): Promise<number> {
  const lost = await db.query<{ partner_id: string; id: string }>(lostStatement, [before]);
  const error = JSON.stringify({ error: "The process of the service has ended before the run." });
  for (const { partner_id, id } of lost) await db.query(giveUpStatement, [partner_id, id, error]);
  return lost.length;
}

const VISIBLE = "c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3))";
const byId = statement(`select c.id, ${RUN_JSON} as json from sandbox_runs c where ${VISIBLE}`);
const stateById = statement(`
  select c.agent_id, c.state, coalesce(c.result -> 'person_ids', '[]') as person_ids from sandbox_runs c where ${VISIBLE}`);

export async function runOrNull(db: Queryable, scope: TenantScope, id: string): Promise<Run | null> {
  const [row] = await db.query<Run>(byId, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

/** Where a run ended, and whose words or data it has. */
export async function stateOrNull(db: Queryable, scope: TenantScope, id: string) {
  type Row = { agent_id: string; state: RunResult["state"] | null; person_ids: string[] };
  const [row] = await db.query<Row>(stateById, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

/** The runs of an agent, newest first. */
export function runsPage(db: Queryable, scope: TenantScope, agent_id: string, query: SandboxListQuery) {
  const { status } = query;
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("sandbox-runs", { agent_id, status }),
      table: "sandbox_runs",
      json: LISTED_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        `c.agent_id = ${place(agent_id)}`,
        ...(status === undefined ? [] : [anyOf("c.status", status, place)]),
      ],
    },
    query,
  );
}

const personStatement = statement(`
  select
    (select k.id from contacts k where k.partner_id = $1 and k.id = $3 and k.account_id = $2 and k.deleted_at is null) as contact_id,
    (select l.id from leads l where l.partner_id = $1 and l.id = $4 and l.account_id = $2 and l.deleted_at is null) as lead_id,
    (select n.company from clients n where n.partner_id = $1 and n.id = $2) as account_name`);

/** The people of an account that a run names, null for those that are not there, and the name of the account. */
export async function peopleOf(
  tx: Queryable,
  { partner_id }: TenantScope,
  account_id: string,
  { contact_id, lead_id }: { contact_id?: string | undefined; lead_id?: string | undefined },
) {
  type Row = { contact_id: string | null; lead_id: string | null; account_name: string };
  const [row] = await tx.query<Row>(personStatement, [partner_id, account_id, contact_id ?? null, lead_id ?? null]);
  if (row === undefined) throw new Error("no account");
  return row;
}

const shareContacts = statement(`
  select c.id from contacts c
  where c.partner_id = $1 and c.id = any ($2) and c.erased_at is null and (c.deleted_at is null or c.merged_into is not null)
  order by c.id for share`);
const shareLeads = statement(`
  select c.id from leads c where c.partner_id = $1 and c.id = any ($2) and c.deleted_at is null order by c.id for share`);

/** Those of some people who are still there, locked for share: an erasure waits, and finds what is stored with them. */
export async function livingPeople(tx: Queryable, { partner_id }: TenantScope, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const contacts = await tx.query<{ id: string }>(shareContacts, [partner_id, ids]);
  const leads = await tx.query<{ id: string }>(shareLeads, [partner_id, ids]);
  return [...contacts, ...leads].map(({ id }) => id);
}

const eraseStatement = statement(`
  delete from sandbox_runs c
  where c.partner_id = $1 and (c.result -> 'person_ids' ?| $2
    or c.request -> 'world' ->> 'contact_id' = any ($2) or c.request -> 'world' ->> 'lead_id' = any ($2)
    or c.state -> 'world' -> 'contact' ->> 'id' = any ($2) or c.state -> 'world' -> 'lead' ->> 'id' = any ($2))`);

/** Deletes runs with the words or the data of some people. Runs from before \`person_ids\` tell them by what they asked for and saw. */
export async function eraseRuns(db: Queryable, partner_id: string, record_ids: readonly string[]): Promise<void> {
  await db.query(eraseStatement, [partner_id, record_ids]);
}

const oldStatement = statement(`
  -- all partners: daily, by an index of their age.
  select c.partner_id, c.id from sandbox_runs c where c.created_at < $1 order by c.created_at limit $2`);
const deleteStatement = statement("delete from sandbox_runs where partner_id = $1 and id = $2");

/** Deletes runs from before a time. Returns how many. */
export async function deleteRunsBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const old = await db.query<{ partner_id: string; id: string }>(oldStatement, [before, limit]);
  for (const { partner_id, id } of old) await db.query(deleteStatement, [partner_id, id]);
  return old.length;
}
