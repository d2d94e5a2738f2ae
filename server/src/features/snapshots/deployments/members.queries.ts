import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Policy } from "./plan/model.ts";

/** The rollout that deployments are members of. */
type Rollout = { partner_id: string; id: string };

export type RolloutMember = { id: string; client_id: string; canary: boolean; status: "queued" | "succeeded" | "partial" };

export type NewMembers = {
  partner_id: string;
  rollout_id: string;
  snapshot_id: string;
  version: number;
  policy: Policy;
  created_by: string;
  members: readonly Omit<RolloutMember, "status">[];
};

const CHUNK = 10_000;

const insertStatement = statement(`
  insert into deployments (partner_id, id, client_id, canary, rollout_id, snapshot_id, snapshot_version, policy, status, created_by, created_at)
  select $1, v.id, v.client_id, v.canary, $5, $6, $7, $8, 'queued', $9, $10
  from unnest($2::text[], $3::text[], $4::boolean[]) as v (id, client_id, canary)`);

/** Queues the deployments of a rollout, before it is worked on. */
export async function insertMembers(tx: Tx, { partner_id, members, ...of }: NewMembers): Promise<void> {
  for (let first = 0; first < members.length; first += CHUNK) {
    const some = members.slice(first, first + CHUNK);
    const columns = [some.map(({ id }) => id), some.map(({ client_id }) => client_id), some.map(({ canary }) => canary)];
    const values = [of.rollout_id, of.snapshot_id, of.version, of.policy, of.created_by, tx.now];
    await tx.query(insertStatement, [partner_id, ...columns, ...values]);
  }
}

const claim = (condition: string, order: string) =>
  statement(`
  select d.id, d.client_id, d.canary, d.status from deployments d
  where d.partner_id = $1 and d.rollout_id = $2 and ${condition}
  order by ${order} limit $3 for update skip locked`);

const QUEUED = "d.status = 'queued'";
const CLAIMS = {
  /** The canary alone; what has failed unexpectedly comes last, and one at a time. */
  canary: [
    claim(`${QUEUED} and d.canary and d.attempts = 0`, "d.canary desc, d.id"),
    claim(`${QUEUED} and d.canary and d.attempts > 0`, "d.canary desc, d.id"),
  ],
  running: [
    claim(`${QUEUED} and d.attempts = 0`, "d.canary desc, d.id"),
    claim(`${QUEUED} and d.attempts > 0`, "d.canary desc, d.id"),
  ],
  rolling_back: [
    claim("d.status in ('succeeded', 'partial') and d.failure is null and d.attempts = 0", "d.id desc"),
    claim("d.status in ('succeeded', 'partial') and d.failure is null and d.attempts > 0", "d.id desc"),
  ],
} as const;

/** Members that nobody works on, locked until the transaction ends. */
export async function claimMembers(
  tx: Queryable,
  { partner_id, id }: Rollout,
  phase: keyof typeof CLAIMS,
  limit: number,
): Promise<RolloutMember[]> {
  const [fresh, tried] = CLAIMS[phase];
  const members = await tx.query<RolloutMember>(fresh, [partner_id, id, limit]);
  return members.length > 0 ? members : tx.query<RolloutMember>(tried, [partner_id, id, 1]);
}

const claimOneStatement = statement(`
  select d.id, d.client_id, d.canary, d.status from deployments d
  where d.partner_id = $1 and d.id = $2 and d.status = any ($3) and d.failure is null for update skip locked`);

/** The same for one that is known. */
export function claimMember(tx: Queryable, { partner_id }: Rollout, id: string, phase: keyof typeof CLAIMS) {
  const statuses = phase === "rolling_back" ? ["succeeded", "partial"] : ["queued"];
  return tx.query<RolloutMember>(claimOneStatement, [partner_id, id, statuses]);
}

export type Failure = { code: string; detail: string };

const settleStatement = statement(`
  update deployments d set status = coalesce(v.status, d.status), failure = v.failure::jsonb, attempts = 0, version = d.version + 1,
    finished_at = case when v.status is null then d.finished_at else $5 end
  from unnest($2::text[], $3::text[], $4::text[]) as v (id, status, failure)
  where d.partner_id = $1 and d.id = v.id`);

/** Saves what became of members that nothing is deployed to. Without a status, they keep theirs. */
export async function settleMembers(
  tx: Tx,
  partner_id: string,
  settled: readonly { id: string; status: "skipped" | "failed" | null; failure: Failure }[],
): Promise<void> {
  const columns = [
    settled.map(({ id }) => id),
    settled.map(({ status }) => status),
    settled.map(({ failure }) => JSON.stringify(failure)),
  ];
  await tx.query(settleStatement, [partner_id, ...columns, tx.now]);
}

const attemptStatement = statement(`
  update deployments d set attempts = d.attempts + 1 where d.partner_id = $1 and d.id = $2 returning d.attempts`);

/** Counts an unexpected failure. */
export async function countAttempt(db: Queryable, { partner_id }: Rollout, id: string): Promise<number> {
  return (await db.query<{ attempts: number }>(attemptStatement, [partner_id, id]))[0]?.attempts ?? 0;
}

const cancelStatement = statement(`
  update deployments d set status = 'cancelled', finished_at = $3, version = d.version + 1
  where d.partner_id = $1 and d.rollout_id = $2 and d.status = 'queued'`);

/** Cancels the members that are queued, of a rollout that is locked. */
export async function cancelMembers(tx: Tx, { partner_id, id }: Rollout): Promise<void> {
  await tx.query(cancelStatement, [partner_id, id, tx.now]);
}

const requeueStatement = statement(`
  with f as (
    select d.id, d.status, d.canary from deployments d
    where d.partner_id = $1 and d.rollout_id = $2 and d.status = any ($3) for update),
  u as (
    update deployments d set status = 'queued', failure = null, attempts = 0, finished_at = null, version = d.version + 1
    from f where d.partner_id = $1 and d.id = f.id)
  select f.status, f.canary, count(*)::int as count from f group by f.status, f.canary`);

/** Queues members of some statuses again. Returns how many of each there were. */
export function requeueMembers(tx: Queryable, { partner_id, id }: Rollout, statuses: readonly ("failed" | "skipped")[]) {
  return tx.query<{ status: "failed" | "skipped"; canary: boolean; count: number }>(requeueStatement, [partner_id, id, statuses]);
}

const plannedStatement = statement(`
  select d.client_id, d.plan_hash from deployments d
  where d.partner_id = $1 and d.rollout_id = $2 and d.client_id = any ($3) and d.status = 'planned'`);

/** The plans that a dry run found for some clients. */
export async function plansOf(tx: Queryable, { partner_id, id }: Rollout, client_ids: readonly string[]) {
  type Planned = { client_id: string; plan_hash: string };
  const rows = await tx.query<Planned>(plannedStatement, [partner_id, id, client_ids]);
  return new Map(rows.map(({ client_id, plan_hash }) => [client_id, plan_hash]));
}
