import { PREFIXES } from "../../../kernel/ids.ts";
import { pollStatement, type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Status } from "./model.ts";
import type { Rollout } from "./queries.ts";

export type NextRollout = { partner_id: string; id: string; status: Status; worked_for: string };

const nextStatement = pollStatement(`
  -- all partners: the poll of the rollout workers, every 250 ms.
  select n.partner_id, n.id, n.status, n.worked_for from (
    select distinct on (c.partner_id) c.partner_id, c.id, c.status, c.worked_for, c.updated_at from rollouts c
    where c.status in ('queued', 'canary', 'running', 'rolling_back')
    order by c.partner_id, c.updated_at, c.id) n
  order by n.updated_at limit 100`);

/** The rollout of each partner that has waited longest. One per partner, so that none waits for another's. */
export function nextRollouts(db: Queryable): Promise<NextRollout[]> {
  return db.query(nextStatement);
}

const lastStatement = statement("update rollouts c set updated_at = $3 where c.partner_id = $1 and c.id = $2");

/** Lets the others of the partner come first, after a step that failed. */
export async function putLast(db: Queryable, { partner_id, id }: NextRollout, now: Date): Promise<void> {
  await db.query(lastStatement, [partner_id, id, now]);
}

const supersededStatement = statement(`
  select distinct d.client_id
  from deployments d left join rollouts r on r.partner_id = $1 and r.id = d.rollout_id
  where d.partner_id = $1 and d.client_id = any ($2) and d.snapshot_id = $3 and d.rollout_id is distinct from $4 and (
    (d.status in ('succeeded', 'partial', 'unchanged', 'rolled_back') and d.id > $5)
    or (d.status = 'rolled_back' and coalesce(r.rolled_back_at, d.finished_at) > $6))`);

/** What asks for deployments: a rollout, or a deployment that waits by itself. Those of others after `first_id` are younger. */
export type Request = { partner_id: string; snapshot_id: string; created_at: Date; rollout_id: string | null; first_id: string };

/** A rollout is as old as its request, however late it gets to a client; ids are in the order of requests. */
export function requestOf({ partner_id, id, snapshot_id, created_at }: Rollout): Request {
  return { partner_id, snapshot_id, created_at, rollout_id: id, first_id: id.replace(PREFIXES.rollout, PREFIXES.deployment) };
}

/** Those of some clients that a younger request has deployed the same snapshot to, or has rolled it back there. */
export async function supersededClients(tx: Queryable, request: Request, client_ids: readonly string[]): Promise<Set<string>> {
  const { partner_id, snapshot_id, created_at, rollout_id, first_id } = request;
  const values = [partner_id, client_ids, snapshot_id, rollout_id ?? "", first_id, created_at];
  const rows = await tx.query<{ client_id: string }>(supersededStatement, values);
  return new Set(rows.map(({ client_id }) => client_id));
}

const plansStatement = statement(`
  select d.plan_hash, count(*)::int as clients, min(d.id) as deployment_id,
    max(case when jsonb_typeof(d.conflicts) = 'array' then jsonb_array_length(d.conflicts) else 0 end)::int as conflicts,
    (select p.plan::json->'plan'->'counts' from snapshot_plans p where p.partner_id = $1 and p.hash = d.plan_hash) as counts
  from deployments d
  where d.partner_id = $1 and d.rollout_id = $2 and d.plan_hash is not null
  group by d.plan_hash order by count(*) desc, d.plan_hash limit 100`);

/** The plans of a dry run, those of most clients first. */
export function plansFound(tx: Queryable, { partner_id, id }: Rollout): Promise<object[]> {
  return tx.query(plansStatement, [partner_id, id]);
}
