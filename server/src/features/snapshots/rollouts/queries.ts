import { listIdentity } from "../../../kernel/page.ts";
import type { TenantScope } from "../../../kernel/principal.ts";
import { columnsOf, insertValues, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Policy } from "../deployments/index.ts";
import { ACTIVE, newCounts, type Progress } from "./model.ts";
import {
  MINUTES_MAX,
  RolloutDeployment,
  type RolloutDeploymentsQuery,
  type RolloutListQuery,
  Rollout as RolloutSchema,
} from "./schema.ts";

const ROLLOUT_JSON = rowJson(RolloutSchema, { version: "c.snapshot_version", conflict_policy: "c.policy" });

const SETTINGS = [
  "partner_id",
  "id",
  "snapshot_id",
  "snapshot_version",
  "policy",
  "dry_run",
  "plan_of",
  "canary_members",
  "max_failure_percent",
  "total",
] as const;
const STATE = ["status", "status_reason", "counts", "canary_counts", "worked_for", "finished_at", "rolled_back_at"] as const;

/** The row of a rollout, with the JSON that the API shows of it. */
export type Rollout = Progress & {
  partner_id: string;
  id: string;
  snapshot_id: string;
  snapshot_version: number;
  policy: Policy;
  plan_of: string | null;
  worked_for: string;
  created_at: Date;
  finished_at: Date | null;
  version: number;
  json: string;
};

const ROLLOUT = `${columnsOf("c", [...SETTINGS, ...STATE, "created_at", "version"])}, ${ROLLOUT_JSON} as json`;

const INSERTED = [
  ...SETTINGS,
  "target",
  "canary",
  "status",
  "counts",
  "canary_counts",
  "worked_for",
  "created_by",
  "created_at",
  "updated_at",
] as const;

const insertStatement = statement(`
  with c as (insert into rollouts ${insertValues(INSERTED)} returning *) select c.id, ${ROLLOUT_JSON} as json from c`);

export type NewRollout = Pick<Rollout, (typeof SETTINGS)[number]> & { target: unknown; canary: unknown; created_by: string };

export async function insertRollout(tx: Tx, rollout: NewRollout): Promise<{ id: string; json: string }> {
  const { target, canary, total, canary_members, created_by } = rollout;
  const values = valuesOf(
    {
      ...rollout,
      target: JSON.stringify(target),
      canary: canary === null ? null : JSON.stringify(canary),
      status: "queued",
      counts: newCounts(total),
      canary_counts: newCounts(canary_members),
      worked_for: created_by,
      created_at: tx.now,
      updated_at: tx.now,
    },
    INSERTED,
  );
  const [row] = await tx.query<{ id: string; json: string }>(insertStatement, values);
  if (row === undefined) throw new Error("the rollout was not saved");
  return row;
}

const installedStatement = statement(`
  select i.client_id as id from snapshot_installs i join clients c on c.partner_id = $1 and c.id = i.client_id
  where i.partner_id = $1 and i.snapshot_id = $2 and i.version is not null and not c.house order by i.client_id limit $3`);

/** The clients that run a snapshot. */
export async function installedClients(db: Queryable, partner_id: string, snapshot_id: string, limit: number): Promise<string[]> {
  return (await db.query<{ id: string }>(installedStatement, [partner_id, snapshot_id, limit])).map(({ id }) => id);
}

const knownStatement = statement(`
  select c.id from clients c where c.partner_id = $1 and c.id = any ($2) and not c.house order by c.id`);

/** Those of some ids that are clients of the partner. */
export async function knownClients(db: Queryable, partner_id: string, ids: readonly string[]): Promise<string[]> {
  return (await db.query<{ id: string }>(knownStatement, [partner_id, ids])).map(({ id }) => id);
}

const IS_ACTIVE = `c.status in (${ACTIVE.map((status) => `'${status}'`).join(", ")})`;
const activeStatement = statement(`select count(*)::int as count from rollouts c where c.partner_id = $1 and ${IS_ACTIVE}`);

/** How many rollouts of a partner are worked on. */
export async function countActive(db: Queryable, partner_id: string): Promise<number> {
  return (await db.query<{ count: number }>(activeStatement, [partner_id]))[0]?.count ?? 0;
}

const rolloutById = statement(`select ${ROLLOUT} from rollouts c where c.partner_id = $1 and c.id = $2`);

export async function rolloutOrNull(db: Queryable, partner_id: string, id: string): Promise<Rollout | null> {
  return (await db.query<Rollout>(rolloutById, [partner_id, id]))[0] ?? null;
}

const forUpdate = statement(`select ${ROLLOUT} from rollouts c where c.partner_id = $1 and c.id = $2 for no key update`);

export async function rolloutForUpdateOrNull(tx: Queryable, partner_id: string, id: string): Promise<Rollout | null> {
  return (await tx.query<Rollout>(forUpdate, [partner_id, id]))[0] ?? null;
}

/**
 * Every batch shares the lock of its rollout; whoever stops it takes it alone, and so waits for the batches under way. An advisory lock,
 * because the counts of the row are changed at the end of every batch.
 */
const shareStatement = statement("select pg_advisory_xact_lock_shared(hashtextextended($1, 5))");
const excludeStatement = statement("select pg_advisory_xact_lock(hashtextextended($1, 5))");

export async function shareRollout(tx: Queryable, id: string): Promise<void> {
  await tx.query(shareStatement, [id]);
}

export async function excludeBatches(tx: Queryable, id: string): Promise<void> {
  await tx.query(excludeStatement, [id]);
}

const saveStatement = statement(`
  with c as (
    update rollouts c set status = $3::text, status_reason = $4, counts = $5, canary_counts = $6, max_failure_percent = $7, worked_for = $8,
      finished_at = $9, rolled_back_at = $10, plans = coalesce($11, c.plans), updated_at = $12,
      version = c.version + case when c.status = $3 then 0 else 1 end
    where c.partner_id = $1 and c.id = $2
    returning c.*)
  select ${ROLLOUT} from c`);

/** Saves the state of a rollout that is locked. Its version counts the changes of its status. */
export async function saveRollout(tx: Tx, rollout: Rollout, plans: readonly object[] | null = null): Promise<Rollout> {
  const { partner_id, id, status, status_reason, counts, canary_counts, max_failure_percent, worked_for } = rollout;
  const [row] = await tx.query<Rollout>(saveStatement, [
    partner_id,
    id,
    status,
    status_reason,
    counts,
    canary_counts,
    max_failure_percent,
    worked_for,
    rollout.finished_at,
    rollout.rolled_back_at,
    plans === null ? null : JSON.stringify(plans),
    tx.now,
  ]);
  if (row === undefined) throw new Error("the rollout was not saved");
  return row;
}

const paceStatement = statement(`
  with done as (
    select d.canary, d.status, d.finished_at from deployments d
    where d.partner_id = $1 and d.rollout_id = $2 and d.finished_at is not null and d.status <> 'cancelled')
  select json_build_object('rollout_id', $2::text,
    'canary_done_at', (select wire_time(max(d.finished_at)) from done d where d.canary),
    'minutes', (
      select coalesce(json_agg(json_build_object('at', wire_time(m.at), 'clients', m.clients, 'failed', m.failed) order by m.at), '[]')
      from (
        select date_trunc('minute', d.finished_at) as at, count(*) as clients, count(*) filter (where d.status = 'failed') as failed
        from done d group by 1 order by 1 desc limit ${MINUTES_MAX}) m))::text as json`);

/** How many clients were done, minute by minute. It reads all members: a page asks for it every few seconds, not at every change. */
export async function paceOf(db: Queryable, { partner_id, id }: Rollout): Promise<{ json: string }> {
  const [row] = await db.query<{ json: string }>(paceStatement, [partner_id, id]);
  if (row === undefined) throw new Error("a pace is one row");
  return row;
}

export function rolloutsPage(db: Queryable, { partner_id }: TenantScope, query: RolloutListQuery): Promise<{ json: string }> {
  const { snapshot_id, status } = query;
  return keysetPage(
    db,
    partner_id,
    {
      list: listIdentity("rollouts", { snapshot_id, status }),
      table: "rollouts",
      json: ROLLOUT_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        ...(snapshot_id === undefined ? [] : [`c.snapshot_id = ${place(snapshot_id)}`]),
        ...(status === undefined ? [] : [anyOf("c.status", status, place)]),
      ],
    },
    query,
  );
}

const MEMBER_JSON = rowJson(RolloutDeployment, {
  company: "k.company",
  conflicts: "case when jsonb_typeof(c.conflicts) = 'array' then jsonb_array_length(c.conflicts) else 0 end",
});

/** The deployments of a rollout, in the order of their clients' ids. */
export function membersPage(
  db: Queryable,
  { partner_id, id }: Rollout,
  query: RolloutDeploymentsQuery,
): Promise<{ json: string }> {
  const { status } = query;
  return keysetPage(
    db,
    partner_id,
    {
      list: listIdentity("rollout_deployments", { rollout_id: id, status }),
      table: "deployments",
      join: "join clients k on k.partner_id = $1 and k.id = c.client_id",
      json: MEMBER_JSON,
      sort: byCreation(false),
      conditions: (place) => [`c.rollout_id = ${place(id)}`, ...(status === undefined ? [] : [anyOf("c.status", status, place)])],
    },
    query,
  );
}
