import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { PlacedConflict, StoredInstall } from "./model.ts";
import type { Policy } from "./plan/model.ts";

type InstallRow = { client_id: string; snapshot_id: string } & StoredInstall;

const installsStatement = statement(`
  select c.client_id, c.snapshot_id, c.version, c.deployment_id, c.assets as entries from snapshot_installs c
  where c.partner_id = $1 and c.client_id = any ($2)
  order by c.client_id, c.snapshot_id`);

/** What some accounts have of any snapshot. */
export function installsOf(db: Queryable, partner_id: string, client_ids: readonly string[]): Promise<InstallRow[]> {
  return db.query(installsStatement, [partner_id, client_ids]);
}

const saveInstallsStatement = statement(`
  insert into snapshot_installs (partner_id, client_id, snapshot_id, version, deployment_id, assets, updated_at)
  select $1, v.client_id, v.snapshot_id, v.version, v.deployment_id, v.entries, $3
  from jsonb_to_recordset($2) as v (client_id text, snapshot_id text, version int, deployment_id text, entries jsonb)
  on conflict (partner_id, client_id, snapshot_id) do update
    set version = excluded.version, deployment_id = excluded.deployment_id, assets = excluded.assets, updated_at = excluded.updated_at`);

/** An install as it is saved, with its entries as JSON. */
export type NewInstall = Omit<InstallRow, "entries"> & { entries: string };

/** Saves what accounts have of snapshots from now on. */
export async function saveInstalls(tx: Tx, partner_id: string, installs: readonly NewInstall[]): Promise<void> {
  const rows = installs.map(({ entries, ...row }) => withJson(row, { entries }));
  await tx.query(saveInstallsStatement, [partner_id, `[${rows.join(",")}]`, tx.now]);
}

/** The JSON of an object, with members that are JSON already. */
function withJson(row: object, texts: Readonly<Record<string, string | null>>): string {
  const members = Object.entries(texts).map(([name, text]) => `,"${name}":${text}`);
  return `${JSON.stringify(row).slice(0, -1)}${members.join("")}}`;
}

const insertPlansStatement = statement(`
  insert into snapshot_plans (partner_id, hash, plan, used_at)
  select $1, v.hash, v.plan, $4 from unnest($2::text[], $3::text[]) as v (hash, plan)
  order by v.hash
  on conflict do nothing`);
const usePlansStatement = statement(`
  update snapshot_plans p set used_at = $3 where p.partner_id = $1 and p.hash = any ($2) and p.used_at < $4`);
const usedStatement = statement(`
  select p.hash from snapshot_plans p where p.partner_id = $1 and p.hash = any ($2) and p.used_at >= $3`);

/** Batches that share a plan do not wait for each other to note its use: that is as exact as this. */
export const USE_NOTED_MS = 86_400_000;

const notedSince = (tx: Tx) => new Date(tx.now.getTime() - USE_NOTED_MS);

/** Those of some plans that are kept, and whose use was noted lately: they need not be sent again. */
export async function plansInUse(tx: Tx, partner_id: string, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ hash: string }>(usedStatement, [partner_id, hashes, notedSince(tx)]);
  return new Set(rows.map(({ hash }) => hash));
}

/** Keeps plans by their hash, for as long as they are used. */
export async function savePlans(tx: Tx, partner_id: string, plans: ReadonlyMap<string, object>): Promise<void> {
  if (plans.size === 0) return;
  const hashes = [...plans.keys()];
  const texts = [...plans.values()].map((plan) => JSON.stringify(plan));
  await Promise.all([
    tx.query(insertPlansStatement, [partner_id, hashes, texts, tx.now]),
    tx.query(usePlansStatement, [partner_id, hashes, tx.now, notedSince(tx)]),
  ]);
}

const plansStatement = statement(`
  select p.hash, p.plan from snapshot_plans p where p.partner_id = $1 and p.hash = any ($2)`);

/** Plans by their hash, as they were kept. */
export async function plansBy(db: Queryable, partner_id: string, hashes: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ hash: string; plan: string }>(plansStatement, [partner_id, hashes]);
  return new Map(rows.map(({ hash, plan }) => [hash, plan]));
}

/** A deployment as its outcome is stored. */
export type DeploymentRow = {
  id: string;
  client_id: string;
  snapshot_id: string;
  snapshot_version: number;
  previous_version: number | null;
  status: string;
  plan_hash: string;
  /** `Changed`, as JSON. */
  changed: string | null;
  previous: StoredInstall | null;
  conflicts: readonly PlacedConflict[];
  failure: object | null;
};

type Common = { partner_id: string; rollout_id: string | null; policy: Policy; created_by: string };

const saveDeploymentsStatement = statement(`
  insert into deployments (partner_id, rollout_id, policy, created_by, created_at, finished_at,
    id, client_id, snapshot_id, snapshot_version, previous_version, status, plan_hash, changed, previous, conflicts, failure)
  select $1, $2, $3, $4, $5, $5,
    v.id, v.client_id, v.snapshot_id, v.snapshot_version, v.previous_version, v.status, v.plan_hash, v.changed, v.previous, v.conflicts, v.failure
  from jsonb_to_recordset($6) as v (id text, client_id text, snapshot_id text, snapshot_version int, previous_version int, status text,
    plan_hash text, changed jsonb, previous jsonb, conflicts jsonb, failure jsonb)
  on conflict (partner_id, id) do update
    set previous_version = excluded.previous_version, status = excluded.status, plan_hash = excluded.plan_hash,
      changed = excluded.changed, previous = excluded.previous, conflicts = excluded.conflicts, failure = excluded.failure,
      finished_at = excluded.finished_at, attempts = 0, version = deployments.version + 1`);

/** Saves the outcomes of deployments, whether they were queued before or not. */
export async function saveDeployments(tx: Tx, common: Common, rows: readonly DeploymentRow[]): Promise<void> {
  const { partner_id, rollout_id, policy, created_by } = common;
  const texts = rows.map(({ changed, ...row }) => withJson(row, { changed }));
  await tx.query(saveDeploymentsStatement, [partner_id, rollout_id, policy, created_by, tx.now, `[${texts.join(",")}]`]);
}

const queueStatement = statement(`
  insert into deployments (partner_id, id, client_id, snapshot_id, snapshot_version, policy, status, created_by, created_at)
  select $1, v.id, $2, v.snapshot_id, v.version, 'merge', 'queued', $3, $4
  from unnest($5::text[], $6::text[], $7::int[]) as v (id, snapshot_id, version)`);

/** Leaves deployments to an account for the worker of rollouts. */
export async function queueDeployments(
  tx: Tx,
  account: { partner_id: string; client_id: string },
  created_by: string,
  deployments: readonly { id: string; snapshot_id: string; version: number }[],
): Promise<void> {
  await tx.query(queueStatement, [
    account.partner_id,
    account.client_id,
    created_by,
    tx.now,
    deployments.map(({ id }) => id),
    deployments.map(({ snapshot_id }) => snapshot_id),
    deployments.map(({ version }) => version),
  ]);
}

const defaultsStatement = statement("select p.default_snapshots from partners p where p.id = $1");

/** The snapshots that new clients of a partner get, in their order. */
export async function defaultSnapshots(db: Queryable, partner_id: string): Promise<string[]> {
  const [partner] = await db.query<{ default_snapshots: string[] }>(defaultsStatement, [partner_id]);
  return partner?.default_snapshots ?? [];
}

const runningStatement = statement(`
  select c.version from snapshot_installs c where c.partner_id = $1 and c.client_id = $2 and c.snapshot_id = $3`);

/** The version of a snapshot that runs in an account. */
export async function runningVersion(
  db: Queryable,
  partner_id: string,
  client_id: string,
  snapshot_id: string,
): Promise<number | null> {
  const [row] = await db.query<{ version: number | null }>(runningStatement, [partner_id, client_id, snapshot_id]);
  return row?.version ?? null;
}
