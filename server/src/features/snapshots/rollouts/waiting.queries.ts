import { pollStatement, type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Policy } from "../deployments/index.ts";

/** A deployment that is queued without a rollout. */
export type Waiting = {
  partner_id: string;
  id: string;
  client_id: string;
  snapshot_id: string;
  snapshot_version: number;
  policy: Policy;
  created_at: Date;
};

const nextStatement = pollStatement(`
  -- all partners: the poll of the rollout workers, every 250 ms.
  select distinct d.partner_id from deployments d where d.status = 'queued' and d.rollout_id is null limit 100`);

/** The partners that have deployments which are queued without a rollout. */
export async function nextWaiting(db: Queryable): Promise<string[]> {
  return (await db.query<{ partner_id: string }>(nextStatement)).map(({ partner_id }) => partner_id);
}

const turnStatement = statement("select pg_try_advisory_xact_lock(hashtextextended('waiting ' || $1, 5)) as free");
const takeStatement = statement(`
  select d.partner_id, d.id, d.client_id, d.snapshot_id, d.snapshot_version, d.policy, d.created_at from deployments d
  where d.partner_id = $1 and d.status = 'queued' and d.rollout_id is null order by d.id limit 1 for update skip locked`);

/** The first of a partner, unless another process is at it: a client's are deployed in their order. */
export async function takeWaiting(tx: Queryable, partner_id: string): Promise<Waiting | null> {
  const [turn] = await tx.query<{ free: boolean }>(turnStatement, [partner_id]);
  return turn?.free === true ? ((await tx.query<Waiting>(takeStatement, [partner_id]))[0] ?? null) : null;
}
