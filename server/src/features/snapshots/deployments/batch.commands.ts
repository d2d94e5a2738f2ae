import { actorOf } from "../../../kernel/principal.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { saveInstalled } from "../../accounts/clients/index.ts";
import { ASSETS, type Manifest, manifestOf } from "../catalogue/index.ts";
import { applyPlans, conflictsOf, type Result, type Target } from "./apply.commands.ts";
import { snapshotDeployed } from "./events.ts";
import type { Batch, Member, Outcome, Source } from "./model.ts";
import { type NewAccount, plansForNew } from "./new-account.commands.ts";
import { type Planned, planFor } from "./plan/model.ts";
import { isEmpty, type Planner, planAccounts } from "./plans.commands.ts";
import { type DeploymentRow, plansInUse, saveDeployments, saveInstalls, savePlans } from "./queries.ts";
import { type Survey, surveyAccounts } from "./survey.commands.ts";

/** A member with its plan, and what becomes of it. */
export type Judged = Target & Outcome & { source: Version };

type Version = Pick<Source, "snapshot_id" | "version">;

/** Deploys a version to some accounts, which are locked and take writes: about as many statements for all as for one. */
export async function deployBatch(ctx: Context, tx: Tx, batch: Batch): Promise<Judged[]> {
  const { partner_id, members, source } = batch;
  const of = { partner_id, ids: members.map(({ client_id }) => client_id) };
  const surveys = await surveyAccounts(tx, of, source.snapshot_id);
  const plans = await planAccounts(ctx, tx, await plannerOf(tx, batch, surveys), surveys);
  const judged = members.map((member, index) => {
    const survey = surveys[index] as Survey;
    return judge(batch, member, { survey, planned: plans.get(member.client_id) as Planned, source });
  });
  await carryOut(ctx, tx, batch, judged);
  return judged;
}

/** Deploys snapshots to an account that this transaction has created. Its plans are known, so nothing is read. */
export async function deployToNew(ctx: Context, tx: Tx, account: NewAccount, sources: readonly Source[]): Promise<void> {
  const { partner_id, id: client_id } = account;
  const how = {
    partner_id,
    policy: "merge",
    rollout_id: null,
    plan_of: null,
    queued: false,
    created: true,
    dry_run: false,
  } as const;
  const judged = plansForNew(account, sources).map((target, index) =>
    judge(how, { deployment_id: tx.newId("deployment"), client_id }, { ...target, source: sources[index] as Source }),
  );
  await carryOut(ctx, tx, how, judged);
}

/** How deployments are carried out, whatever they deploy. */
type Manner = Omit<Batch, "members" | "source">;

/**
 * Writes what is to become of accounts, and records it. Deployments that were queued are stored whatever became of them, others only if they
 * changed something.
 */
async function carryOut(ctx: Context, tx: Tx, how: Manner, judged: readonly Judged[]): Promise<void> {
  const targets = judged.filter(isApplied);
  const stored = how.queued ? judged : targets;
  if (stored.length === 0) return;
  const [results, known] = await Promise.all([
    applyPlans(ctx, tx, how.partner_id, targets),
    plansInUse(tx, how.partner_id, [...new Set(stored.map(({ plan_hash }) => plan_hash))]),
  ]);
  const done = targets.map((target, index): Done => ({ ...target, ...(results[index] as Result) }));
  const unknown = stored.filter(({ plan_hash }) => !known.has(plan_hash));
  await Promise.all([
    savePlans(tx, how.partner_id, new Map(unknown.map(({ plan_hash, planned: { plan, undo } }) => [plan_hash, { plan, undo }]))),
    store(ctx, tx, how, stored, done),
    ...(done.length === 0 ? [] : [install(tx, how, done)]),
  ]);
}

const isApplied = ({ status }: Outcome) => status === "succeeded" || status === "partial";

/** A member that was deployed to. */
type Done = Judged & Result;

async function plannerOf(db: Queryable, batch: Batch, surveys: readonly Survey[]): Promise<Planner> {
  const { partner_id, source, policy } = batch;
  const { snapshot_id, version, manifest } = source;
  const manifests = await manifestsOf(db, partner_id, snapshot_id, surveys);
  const bases = (base: number) => (base === version ? manifest : (manifests.get(base) as Manifest));
  return {
    partner_id,
    snapshot_id,
    locked: !batch.dry_run,
    key: () => `${snapshot_id} ${version} ${policy}`,
    plan: ({ install, others, state_hash }, state, blocks) =>
      planFor({ assets: ASSETS, snapshot_id, version, manifest, bases, install, others, state, state_hash, blocks, policy }),
  };
}

/** The manifests of the versions that some accounts have records of. */
export async function manifestsOf(db: Queryable, partner_id: string, snapshot_id: string, surveys: readonly Survey[]) {
  const entries = surveys.flatMap(({ install }) => Object.values(install?.entries ?? {}));
  const versions = new Set(entries.flatMap(({ base, held = {} }) => [base, ...Object.values(held)]));
  const load = async (version: number) => [version, await manifestOf(db, partner_id, snapshot_id, version)] as const;
  return new Map(await Promise.all([...versions].map(load)));
}

/** What becomes of a member, before anything is written. */
function judge({ policy, plan_of, dry_run }: Manner, member: Member, target: Target & { source: Version }): Judged {
  const { survey, planned } = target;
  const conflicts = conflictsOf(planned.plan);
  const outcome = { ...member, ...target, plan_hash: planned.plan_hash, conflicts, failure: null };
  if (plan_of !== null && plan_of.get(member.client_id) !== planned.plan_hash) {
    const detail = "The plan has changed since: the account or the snapshot is not as it was.";
    return { ...outcome, status: "failed", failure: { code: "plan_stale", detail } };
  }
  if (dry_run) return { ...outcome, status: "planned" };
  if (policy === "fail" && conflicts.length > 0) {
    const detail = `The account conflicts with the snapshot in ${conflicts.length} ${conflicts.length === 1 ? "place" : "places"}.`;
    return { ...outcome, status: "failed", failure: { code: "snapshot_conflict", detail } };
  }
  if (isEmpty(survey, planned)) return { ...outcome, status: "unchanged" };
  return { ...outcome, status: conflicts.length > 0 ? "partial" : "succeeded" };
}

/** Stores deployments with what became of them. */
function store(
  ctx: Context,
  tx: Tx,
  { partner_id, policy, rollout_id }: Manner,
  stored: readonly Judged[],
  done: readonly Done[],
) {
  const changed = new Map(done.map((one) => [one.deployment_id, one.changed]));
  const rows = stored.map((one): DeploymentRow => {
    const { deployment_id: id, client_id, source, survey, status, plan_hash, conflicts, failure } = one;
    return {
      id,
      client_id,
      snapshot_id: source.snapshot_id,
      snapshot_version: source.version,
      previous_version: survey.stored?.version ?? null,
      status,
      plan_hash,
      changed: changed.get(id) ?? null,
      previous: changed.has(id) ? survey.stored : null,
      conflicts,
      failure,
    };
  });
  return saveDeployments(tx, { partner_id, rollout_id, policy, created_by: actorOf(ctx.principal).id }, rows);
}

/** Saves what accounts run from now on, and records it. */
async function install(tx: Tx, { partner_id, rollout_id, created }: Manner, done: readonly Done[]): Promise<void> {
  const installs = done.map(({ client_id, deployment_id, source: { snapshot_id }, version, entries }) => ({
    client_id,
    snapshot_id,
    deployment_id,
    version,
    entries,
  }));
  const running = done.map(({ client_id, source: { snapshot_id, version } }) => ({
    id: client_id,
    snapshot: { snapshot_id, version, status: "installed" as const },
  }));
  const [versions] = await Promise.all([
    created ? new Map<string, number>() : saveInstalled(tx, partner_id, done[0]?.source.snapshot_id ?? "", running),
    saveInstalls(tx, partner_id, installs),
  ]);
  for (const { client_id, deployment_id, status, survey, source } of done) {
    const { snapshot_id, version } = source;
    const previous_version = survey.stored?.version ?? null;
    const deployed = { partner_id, deployment_id, rollout_id, snapshot_id, client_id, version, previous_version, status };
    const changes = { snapshot_id: { from: null, to: snapshot_id }, version: { from: previous_version, to: version } };
    tx.tell(partner_id, {
      events: [snapshotDeployed(deployed, versions.get(client_id) ?? 1)],
      audits: [{ action: "snapshots.deploy", target: deployment_id, client_id, changes }],
    });
  }
}
